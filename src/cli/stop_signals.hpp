/// @file
/// Ctrl-C as a request, not as an accident.
///
/// While a StopSignals lives, SIGINT and SIGTERM are blocked in every thread and wait in a
/// signalfd; a thread reads it. The first signal asks the computation to stop at the next block,
/// the second ends the process at once. No code ever runs inside a signal handler.
// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <stop_token>
#include <thread>

namespace grundy::cli {

/// What the user is told at the first signal.
inline constexpr const char* kStopping =
    "stopping at the end of this block; once more to stop at once";

class StopSignals {
 public:
  /// Must be made before any other thread starts, so that all threads inherit the mask.
  /// `on_first` is called by the waiting thread when the first signal comes.
  explicit StopSignals(std::function<void()> on_first);
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  [[nodiscard]] std::stop_token token() const noexcept { return source_.get_token(); }

 private:
  void wait(const std::function<void()>& on_first);

  std::stop_source source_;
  int signals_ = -1;  // signalfd
  int done_ = -1;     // eventfd that ends the thread
  std::jthread thread_;
};

}  // namespace grundy::cli
