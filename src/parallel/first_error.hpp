/// @file
/// Keeps the first of the exceptions that tasks on several threads may throw.
// SPDX-License-Identifier: MIT
#pragma once

#include <exception>
#include <mutex>
#include <utility>

namespace grundy {

/// Runs calls, catches their exceptions, and hands out the first exception, once.
class FirstError {
 public:
  template <class F>
  void guard(F&& call) noexcept {
    try {
      std::forward<F>(call)();
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!error_) error_ = std::current_exception();
    }
  }

  /// Throws the first exception that was caught since the last call, if there was one.
  void rethrow() {
    std::exception_ptr error;
    {
      const std::lock_guard lock(mutex_);
      error = std::exchange(error_, nullptr);
    }
    if (error) std::rethrow_exception(error);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr error_;
};

}  // namespace grundy
