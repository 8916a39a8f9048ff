/// @file
/// Progress on standard error: a bar that is redrawn on a terminal; elsewhere a line now and then.
///
/// The bar shows the share of the *work* (the last tenth of the heaps of an octal game costs a
/// fifth of the time), so the remaining time follows from it directly. Nobody knows the work of a
/// search, so it has no bar and no remaining time; its time and its memory are shown. At first
/// nothing is shown, so that a short run leaves no trace.
// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <chrono>
#include <mutex>
#include <string>

#include <grundy/checkpoint.hpp>
#include <grundy/progress.hpp>

#include "cli/pace.hpp"

namespace grundy::cli {

class ProgressBar final : public ProgressSink {
 public:
  /// @param unit what is counted, in the plural
  /// @param control for a run that seals values; null for any other
  explicit ProgressBar(bool quiet, const char* unit = "heaps",
                       const CheckpointControl* control = nullptr);
  ~ProgressBar() override;
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void report(const Progress& progress) override;
  /// The last report in words; may be called from any thread.
  [[nodiscard]] std::string status() const;
  /// Removes the bar from the line, so that something else can be written; the next report draws it
  /// again. May be called while another thread reports.
  void clear();

 private:
  using Clock = Pace::Clock;

  const bool quiet_;
  const char* const unit_;
  const CheckpointControl* const control_;
  const bool terminal_;
  const bool color_;
  const Clock::time_point start_ = Clock::now();
  Clock::time_point next_;
  mutable std::mutex mutex_;  ///< guards the members below
  Pace pace_;
  std::atomic<bool> drawn_ = false;
};

}  // namespace grundy::cli
