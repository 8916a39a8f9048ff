// SPDX-License-Identifier: MIT
#include "cli/progress_bar.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "core/text.hpp"

namespace grundy::cli {
namespace {

using namespace std::chrono_literals;

constexpr auto kRedraw = 200ms;
constexpr auto kLine = 30s;
constexpr int kBarWidth = 24;
constexpr int kLeastBarWidth = 6;
constexpr std::string_view kClearLine = "\r\x1b[K";

void write_error(std::string_view text) noexcept {
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
}

/// A bar of `width` columns, and a space; empty if the columns are too few.
std::string bar(double share, int width, bool color) {
  if (width < kLeastBarWidth) return {};
  const int full = static_cast<int>(share * width + 0.5);
  std::string text = color ? "\x1b[32m" : "";
  for (int i = 0; i < full; ++i) text += "━";
  if (color) text += "\x1b[2m";
  for (int i = full; i < width; ++i) text += color ? "━" : "·";
  return text + (color ? "\x1b[0m " : " ");
}

bool has_end(const Progress& progress) noexcept {
  return std::isfinite(progress.work_total);
}

int columns() noexcept {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

ProgressBar::ProgressBar(bool quiet, const char* unit, const CheckpointControl* control)
    : quiet_(quiet),
      unit_(unit),
      control_(control),
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
    pace_.note(progress, now);
  }
  if (quiet_ || now < next_) return;
  const std::string text = status();
  if (terminal_) {
    // A line that wraps cannot be cleared.
    const auto room = static_cast<std::size_t>(columns() - 1);
    const int rest =
        has_end(progress) ? static_cast<int>(room - std::min(room, text.size() + 1)) : 0;
    write_error(fmt::format("{}{}{}", kClearLine,
                            bar(progress.share(), std::min(rest, kBarWidth), color_),
                            std::string_view(text).substr(0, room)));
    drawn_ = true;
    next_ = now + kRedraw;
  } else {
    write_error(fmt::format("grundy: {}\n", text));
    next_ = now + kLine;
  }
}

std::string ProgressBar::status() const {
  const std::lock_guard lock(mutex_);
  const Progress& last = pace_.last();
  const auto now = Clock::now();
  std::string text = has_end(last)
                         ? fmt::format("{:5.1f} %  {} of {} {}", 100 * last.share(),
                                       format_count(last.done), format_count(last.total), unit_)
                         : fmt::format("{} {} searched in {}", format_count(last.done), unit_,
                                       format_duration(now - start_));
  if (const auto estimate = pace_.estimate(now)) {
    text += fmt::format("  {}/s", format_count(static_cast<std::uint64_t>(estimate->rate)));
    if (has_end(last)) text += fmt::format("  {} left", format_duration(estimate->left));
  }
  if (last.most_bytes > 0) {
    text +=
        fmt::format("  memory {} of {}", format_bytes(last.bytes), format_bytes(last.most_bytes));
  }
  if (control_ != nullptr && control_->sealed() > 0) {
    text += fmt::format("  sealed {} ago", format_duration(control_->age()));
  }
  return text;
}

void ProgressBar::clear() {
  if (drawn_.exchange(false)) write_error(kClearLine);
}

}  // namespace grundy::cli
