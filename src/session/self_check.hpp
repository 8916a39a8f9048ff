/// @file
/// A run that looks over its own shoulder: memory and processors fail on runs of days.
///
/// - *Samples*: at random times the value of a random new heap is computed again, from the list of
///   options that people see, which shares no code with the engines.
/// - *Scrubbing*: the engine's table is compared, one sealed segment after the other, with the
///   digests that were taken when the values were computed. A bit that has turned since then would
///   go into every later value.
///
/// Both together take at most a hundredth of the time of a run; short runs are not checked.
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <random>
#include <span>
#include <vector>

#include <grundy/heap/rule.hpp>
#include <grundy/sink.hpp>

#include "run/segment.hpp"
#include "session/check_budget.hpp"

namespace grundy {

class SelfCheck {
 public:
  explicit SelfCheck(const HeapRule& rule) : rule_(rule) {}

  /// Perhaps computes a heap of the block again. @throws Error(kMismatch) that names the heap
  void sample(const Block& block);

  /// Perhaps compares a sealed segment with the table in memory. Returns the number of segments
  /// that were sealed while that segment was still right, if it is not any more.
  std::optional<std::size_t> scrub(Values table, std::span<const SegmentHeader> sealed);

  /// Samples and segments that were found right so far.
  [[nodiscard]] std::uint64_t passed() const noexcept { return passed_; }

 private:
  /// Whether heap n has the value that the table says; nothing if that takes too long to find out.
  [[nodiscard]] std::optional<bool> is_right(HeapSize n, Values table,
                                             const CheckBudget::Stopwatch& watch) const;

  const HeapRule& rule_;
  CheckBudget samples_;
  CheckBudget scrubs_;
  std::mt19937_64 random_{std::random_device{}()};
  std::size_t next_scrub_ = 0;
  std::vector<std::size_t> sealed_when_right_;  ///< by segment
  std::uint64_t passed_ = 0;
};

}  // namespace grundy
