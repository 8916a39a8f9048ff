/// @file
/// A run that checks itself: memory and processors fail on runs of days.
///
/// *Samples*: at random times a random new value is computed again by the definition, from the list
/// of options that people see and the values of the options. That shares no code with the engines.
/// Where the engine knows a sparse space, the options are those that decide the value in it: so
/// many samples are taken of large heaps, and of heaps whose other values the engine has let go.
///
/// *Scrubbing*: an engine shows the values that it has in memory. If it keeps all of them, sealed
/// segments are compared, one after another, with the digests that were taken when their values
/// were computed. If it has let some go, those that it keeps are compared with the files. A bit
/// that has turned since then would go into every later value.
///
/// Each takes at most half a percent of the time of a run; short runs are not checked.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <grundy/sink.hpp>
#include <grundy/types.hpp>

#include "run/segment.hpp"

namespace grundy {

/// The value of a number in the order of a run.
using ValueOf = std::function<Nimber(HeapSize)>;

/// A game as a run sees it: its positions are the numbers in an order in which every option comes
/// before its position. A session makes one from a rule.
class NumberedGame {
 public:
  virtual ~NumberedGame() = default;

  /// For a sentence: `heap 7`.
  [[nodiscard]] virtual std::string name(HeapSize n) const = 0;
  /// How many options n has, about.
  [[nodiscard]] virtual double option_bound(HeapSize n) const = 0;
  /// Hands the value of every option of n to `visit` until that says kStop; options may repeat.
  /// Returns false if there are too many to be listed.
  virtual bool for_each_option_value(HeapSize n, const ValueOf& value_of,
                                     const std::function<Flow(Nimber)>& visit) const = 0;
  /// The value of a position without options; 1 in misère play.
  [[nodiscard]] virtual Nimber terminal_value() const noexcept { return 0; }
};

/// The time that one kind of check has taken and may take: a small share of the run's.
class CheckBudget {
 public:
  using Clock = std::chrono::steady_clock;
  using Seconds = std::chrono::duration<double>;

  /// The share of the time of a run that each kind of check may take.
  static constexpr double kShare = 0.005;

  /// Whether a check may be made that takes as long as the last one.
  [[nodiscard]] bool affordable() const { return affordable(last_); }
  /// Whether a check may be made that takes so long, about.
  [[nodiscard]] bool affordable(Seconds cost) const {
    return spent_ + cost <= kShare * Seconds(Clock::now() - start_);
  }
  /// What the last check took; at first a guess.
  [[nodiscard]] Seconds last() const noexcept { return last_; }

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
  Seconds last_{0.002};
};

class SelfCheck {
 public:
  /// The game must outlive the check.
  explicit SelfCheck(const NumberedGame& game) : game_(game) {}

  /// Perhaps computes one of the values with numbers from `begin` on again. Options before those
  /// are looked up in what `open_earlier` returns. @throws Error(kMismatch) that names the position
  void sample(HeapSize begin, Values values, const std::function<ValueOf()>& open_earlier);

  /// Whether what the memory has of a segment is right; nothing if it has nothing of it.
  using InMemory = std::function<std::optional<bool>(std::size_t segment)>;

  /// Perhaps compares one of the sealed segments with the memory. Returns the number of segments
  /// that were sealed while that one was still right, if it is not any more.
  std::optional<std::size_t> scrub(std::size_t sealed, const InMemory& is_right);
  /// The same where the first values of the order are in memory: by the digests of the segments.
  std::optional<std::size_t> scrub(Values all, std::span<const SegmentHeader> sealed);

  /// Samples and segments that were found right so far.
  [[nodiscard]] std::uint64_t passed() const noexcept { return passed_; }

 private:
  /// Whether n has that value; nothing if that takes too long to find out.
  [[nodiscard]] std::optional<bool> is_right(HeapSize n, Nimber value, const ValueOf& value_of,
                                             const CheckBudget::Stopwatch& watch) const;

  const NumberedGame& game_;
  CheckBudget samples_;
  CheckBudget::Seconds per_option_{1e-8};  ///< of the last sample; at first a guess
  CheckBudget scrubs_;
  std::mt19937_64 random_{std::random_device{}()};
  std::size_t next_scrub_ = 0;
  std::vector<std::size_t> sealed_when_right_;  ///< by segment
  std::uint64_t passed_ = 0;
};

}  // namespace grundy
