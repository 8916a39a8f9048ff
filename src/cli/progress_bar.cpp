// SPDX-License-Identifier: MIT
#include "cli/progress_bar.hpp"

#include <cstdlib>
#include <string_view>

#include <fmt/format.h>
#include <unistd.h>

#include "core/text.hpp"

namespace grundy::cli {
namespace {

using namespace std::chrono_literals;

constexpr auto kRedraw = 200ms;
constexpr auto kLine = 30s;
constexpr int kBarWidth = 24;
constexpr std::string_view kClearLine = "\r\x1b[K";

void write_error(std::string_view text) noexcept {
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
}

std::string bar(double share, bool color) {
  const int full = static_cast<int>(share * kBarWidth + 0.5);
  std::string text = color ? "\x1b[32m" : "";
  for (int i = 0; i < full; ++i) text += "━";
  if (color) text += "\x1b[2m";
  for (int i = full; i < kBarWidth; ++i) text += color ? "━" : "·";
  return text + (color ? "\x1b[0m" : "");
}

}  // namespace

ProgressBar::ProgressBar(bool quiet, const char* unit)
    : quiet_(quiet),
      unit_(unit),
      terminal_(::isatty(STDERR_FILENO) == 1),
      color_(terminal_ && std::getenv("NO_COLOR") == nullptr),
      next_(start_ + (terminal_ ? std::chrono::milliseconds(2 * kRedraw)
                                : std::chrono::milliseconds(kLine))) {}

ProgressBar::~ProgressBar() {
  clear();
}

void ProgressBar::report(const Progress& progress) {
  const auto now = Clock::now();
  {
    const std::lock_guard lock(mutex_);
    // The rate is that since the first report: what an earlier process did took none of our time.
    if (last_.done == 0 || progress.done < last_.done) {
      first_ = progress;
      first_at_ = now;
    }
    last_ = progress;
  }
  if (quiet_ || now < next_) return;
  const std::string text = status();
  if (terminal_) {
    write_error(fmt::format("{}{} {}", kClearLine, bar(progress.work_done, color_), text));
    drawn_ = true;
    next_ = now + kRedraw;
  } else {
    write_error(fmt::format("grundy: {}\n", text));
    next_ = now + kLine;
  }
}

std::string ProgressBar::status() const {
  const std::lock_guard lock(mutex_);
  std::string text = fmt::format("{:5.1f} %  {} of {} {}", 100 * last_.work_done,
                                 format_count(last_.done), format_count(last_.total), unit_);
  const std::chrono::duration<double> elapsed = Clock::now() - first_at_;
  const double work = last_.work_done - first_.work_done;
  if (work <= 0) return text;
  const double rate = static_cast<double>(last_.done - first_.done) / elapsed.count();
  return text + fmt::format("  {}/s  {} left", format_count(static_cast<std::uint64_t>(rate)),
                            format_duration(elapsed * ((1 - last_.work_done) / work)));
}

void ProgressBar::clear() {
  if (drawn_.exchange(false)) write_error(kClearLine);
}

}  // namespace grundy::cli
