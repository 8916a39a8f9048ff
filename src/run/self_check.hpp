/// @file
/// A run that checks itself: memory and processors fail on runs of days.
///
/// *Samples*: at random times, a random new value is computed again from the definition: from the
/// list of options that people see, and the values of the options. This shares no code with the
/// engines. Where the engine knows a sparse space, only the options that decide the value in it are
/// taken. So many samples are possible even for large heaps, and for heaps whose other options have
/// values that the engine has let go.
///
/// *Scrubbing*: an engine shows the values that it has in memory. If it keeps all of them, sealed
/// segments are compared, one after another, with the digests that were taken when their values
/// were computed. If it has let some go, the values that it keeps are compared with the files. A
/// bit in memory that has turned since then would go into every later value.
///
/// Each kind takes at most half a percent of the time of a run; short runs are not checked.
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

/// The value with a number in the order of a run.
using ValueOf = std::function<Nimber(HeapSize)>;

/// A game as a run sees it: its positions are numbered so that every option comes before its
/// position. A session makes one from a rule.
class NumberedGame {
 public:
  virtual ~NumberedGame() = default;

  /// For a sentence: `heap 7`.
  [[nodiscard]] virtual std::string name(HeapSize n) const = 0;
  /// The approximate number of options of n.
  [[nodiscard]] virtual double option_bound(HeapSize n) const = 0;
  /// Hands the value of every option of n to `visit` until `visit` returns kStop; options may
  /// repeat. Returns false if there are too many options to list.
  virtual bool for_each_option_value(HeapSize n, const ValueOf& value_of,
                                     const std::function<Flow(Nimber)>& visit) const = 0;
  /// The value of a position without options; 1 in misère play.
  [[nodiscard]] virtual Nimber terminal_value() const noexcept { return 0; }
};

/// The time that one kind of check has taken and may take: a small share of the time of a run.
class CheckBudget {
 public:
  using Clock = std::chrono::steady_clock;
  using Seconds = std::chrono::duration<double>;

  /// @param start the beginning of the run
  explicit CheckBudget(Clock::time_point start = Clock::now()) : start_(start) {}

  /// The share of the time of a run that each kind of check may take.
  static constexpr double kShare = 0.005;

  /// Whether there is time for a check of a value with that many options. It is expected to cost
  /// the least that one of the last two did, as a whole and for each option. The other one may have
  /// waited for a device or for other programs, and checks must not stop for days because of that.
  [[nodiscard]] bool affordable(double options = 1) const {
    const Seconds expected = std::max(std::min(last_.whole, before_.whole),
                                      std::min(last_.per_option, before_.per_option) * options);
    return spent_ + expected <= kShare * Seconds(Clock::now() - start_);
  }

  /// Measures a check from its construction to its end.
  class Stopwatch {
   public:
    explicit Stopwatch(CheckBudget& budget, double options = 1)
        : budget_(budget), options_(options) {}
    ~Stopwatch() {
      const Seconds whole = elapsed();
      budget_.before_ = budget_.last_;
      budget_.last_ = {.whole = whole, .per_option = whole / options_};
      budget_.spent_ += whole;
    }
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;
    [[nodiscard]] Seconds elapsed() const { return Clock::now() - start_; }

   private:
    CheckBudget& budget_;
    double options_;
    Clock::time_point start_ = Clock::now();
  };

 private:
  struct Cost {
    Seconds whole;
    Seconds per_option;
  };

  Clock::time_point start_;
  Seconds spent_{0};
  Cost last_{.whole = Seconds{0.002}, .per_option = Seconds{1e-8}};  ///< at first a guess
  Cost before_ = last_;  ///< of the check before the last
};

class SelfCheck {
 public:
  /// The game must outlive the check.
  explicit SelfCheck(const NumberedGame& game) : game_(game) {}

  /// Perhaps computes one of the values, whose numbers begin at `begin`, again. Options with
  /// smaller numbers are looked up in the result of `open_earlier`. @throws Error(kMismatch) that
  /// names the position
  void sample(HeapSize begin, Values values, const std::function<ValueOf()>& open_earlier);

  /// Whether the values of a segment in memory are right; nothing if the memory has none of them.
  using InMemory = std::function<std::optional<bool>(std::size_t segment)>;

  /// Perhaps compares one of the sealed segments with the memory. If it is wrong, returns the
  /// number of segments that were sealed while it was still right.
  std::optional<std::size_t> scrub(std::size_t sealed, const InMemory& is_right);
  /// The same if the first values of the order are in memory: compares them with the digests.
  std::optional<std::size_t> scrub(Values all, std::span<const SegmentHeader> sealed);

  /// The number of samples and segments that were found right so far.
  [[nodiscard]] std::uint64_t passed() const noexcept { return passed_; }

 private:
  /// Whether n has that value; nothing if it takes too long to find out.
  [[nodiscard]] std::optional<bool> is_right(HeapSize n, Nimber value, const ValueOf& value_of,
                                             const CheckBudget::Stopwatch& watch) const;

  const NumberedGame& game_;
  CheckBudget samples_;
  CheckBudget scrubs_;
  std::mt19937_64 random_{std::random_device{}()};
  std::size_t next_scrub_ = 0;
  std::vector<std::size_t> sealed_when_right_;  ///< by segment
  std::uint64_t passed_ = 0;
};

}  // namespace grundy
