/// @file
/// How long something takes.
// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <ctime>

namespace grundy {

/// The time since its construction.
class Stopwatch {
 public:
  [[nodiscard]] double seconds() const noexcept {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Seconds of work of all threads of this process.
inline double processor_seconds() noexcept {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

}  // namespace grundy
