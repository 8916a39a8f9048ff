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

/// What is the same in both forms: share of the work, values, rate, remaining time.
std::string figures(const Progress& progress, const char* unit,
                    std::chrono::duration<double> elapsed) {
  const double rate = static_cast<double>(progress.done) / elapsed.count();
  std::string text = fmt::format("{:5.1f} %  {} of {} {}  {}/s", 100 * progress.work_done,
                                 format_count(progress.done), format_count(progress.total), unit,
                                 format_count(static_cast<std::uint64_t>(rate)));
  if (progress.work_done > 0) {
    text += fmt::format("  {} left",
                        format_duration(elapsed * ((1 - progress.work_done) / progress.work_done)));
  }
  return text;
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
  if (quiet_ || now < next_) return;
  const std::string text = figures(progress, unit_, now - start_);
  if (terminal_) {
    write_error(fmt::format("{}{} {}", kClearLine, bar(progress.work_done, color_), text));
    drawn_ = true;
    next_ = now + kRedraw;
  } else {
    write_error(fmt::format("grundy: {}\n", text));
    next_ = now + kLine;
  }
}

void ProgressBar::clear() {
  if (drawn_.exchange(false)) write_error(kClearLine);
}

}  // namespace grundy::cli
