/// @file
/// The rate of a run and its remaining time, from the reports of its engine.
// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <deque>
#include <optional>

#include <grundy/progress.hpp>

namespace grundy::cli {

/// A run is expected to go on at its recent rate, because engines change and cost models are rough.
class Pace {
 public:
  using Clock = std::chrono::steady_clock;

  void note(const Progress& progress, Clock::time_point now);
  /// The last report.
  [[nodiscard]] const Progress& last() const noexcept { return last_; }

  struct Estimate {
    double rate;                         ///< values a second
    std::chrono::duration<double> left;  ///< until all work is done; infinite if nobody can know it
  };
  /// Nothing if the engine has not reported enough.
  [[nodiscard]] std::optional<Estimate> estimate(Clock::time_point now) const;

 private:
  struct Mark {
    Clock::time_point at;
    Progress progress;
  };
  std::deque<Mark> marks_;  ///< reports of the recent past; the first one is from just before it
  Mark begin_{};            ///< the first report of this engine
  Progress last_;
};

}  // namespace grundy::cli
