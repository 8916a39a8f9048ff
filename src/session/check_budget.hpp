/// @file
/// The time that one kind of self-check of a run has taken and may take: a small share of the
/// run's.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>

namespace grundy {

class CheckBudget {
 public:
  using Clock = std::chrono::steady_clock;
  using Seconds = std::chrono::duration<double>;

  /// The share of the time of a run that each kind of check may take.
  static constexpr double kShare = 0.005;

  /// Whether a check may be made that takes as long as the last one.
  [[nodiscard]] bool affordable() const {
    return spent_ + last_ <= kShare * Seconds(Clock::now() - start_);
  }
  /// The first check will take so long at least, or no check has been measured.
  void expect_first(Seconds least) {
    if (spent_ == Seconds(0)) last_ = std::max(last_, least);
  }

  /// Measures a check from its construction to its end.
  class Stopwatch {
   public:
    explicit Stopwatch(CheckBudget& budget) : budget_(budget) {}
    ~Stopwatch() {
      budget_.last_ = Clock::now() - start_;
      budget_.spent_ += budget_.last_;
    }
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;
    [[nodiscard]] Seconds elapsed() const { return Clock::now() - start_; }

   private:
    CheckBudget& budget_;
    Clock::time_point start_ = Clock::now();
  };

 private:
  Clock::time_point start_ = Clock::now();
  Seconds spent_{0};
  Seconds last_{0.002};  ///< at first a guess
};

/// A sample that takes longer is given up: a position may have more options than anyone can list.
inline constexpr CheckBudget::Seconds kLongestSample{2};

}  // namespace grundy
