/// @file
/// Proofs within a limit of time.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

namespace grundy {

/// A stop that comes when a time is over, or when another stop does.
class TimeLimit {
 public:
  TimeLimit(double seconds, std::stop_token other)
      : on_stop_(std::move(other), [this] { source_.request_stop(); }),
        clock_([this, seconds](const std::stop_token& ended) {
          std::unique_lock lock(mutex_);
          const std::chrono::duration<double> limit(std::min(seconds, kLongest));
          over_.wait_for(lock, ended, limit, [] { return false; });
          if (!ended.stop_requested()) source_.request_stop();
        }) {}

  [[nodiscard]] std::stop_token token() const { return source_.get_token(); }

 private:
  static constexpr double kLongest = 1e9;  ///< clocks cannot count further than some centuries

  std::stop_source source_;
  std::mutex mutex_;
  std::condition_variable_any over_;
  std::stop_callback<std::function<void()>> on_stop_;
  std::jthread clock_;
};

}  // namespace grundy
