/// @file
/// Looks for a proved period while a table grows, so that its engine can stop.
///
/// The search runs at fixed, geometrically spaced table sizes, whatever the blocks, so that what is
/// found does not depend on them nor on interruptions of the run. A failed search costs a few
/// nanoseconds a value, so that all of them together cost about 1 / (ratio - 1) times the last one:
/// small against the quadratic engines of take-and-break games, which are watched closely (ratio
/// 9/8), and comparable to the linear engines of subtraction games (ratio 2). Tables of games with
/// splits are watched online from a million heaps on (theory/recurrence.hpp): a period is
/// certified as soon as the theorem of Guy and Smith, or what the sparse-space engine knows, proves
/// it.
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <grundy/heap/rule.hpp>
#include <grundy/period.hpp>
#include <grundy/sink.hpp>

#include "theory/period_theorem.hpp"
#include "theory/recurrence.hpp"

namespace grundy {

/// Watches one run. A rule without a theorem is never searched.
class PeriodWatch {
 public:
  /// Tables of games with splits up to here are searched as a whole.
  static constexpr HeapSize kOnline = HeapSize{1} << 20;

  /// `rule` must outlive the watch. A search of the first `searched` values, or of fewer, is known
  /// to fail: an earlier life of the run has come past them.
  explicit PeriodWatch(const HeapRule& rule, HeapSize searched = 0, HeapSize online = kOnline);

  /// Takes the next block of the run; returns true from the first certificate on. Blocks without a
  /// whole table are ignored. The report is about the values below its verified_to, which is in
  /// or at the end of this block.
  bool observe(const Block& block);
  /// The certified period; status kNone until there is one.
  [[nodiscard]] const PeriodReport& report() const noexcept { return report_; }

  /// What recurs in a table that is watched online, proved or not.
  [[nodiscard]] const std::optional<Recurrence>& recurrence() const noexcept { return recurs_; }

 private:
  [[nodiscard]] HeapSize after(HeapSize size) const noexcept;
  bool certify(const Block& block);

  const HeapRule& rule_;
  PeriodTheorem theorem_;
  HeapSize online_;
  HeapSize next_ = 64;  ///< the least table size that is searched
  RecurrenceSearch recurrences_;
  std::optional<Recurrence> recurs_;
  PeriodReport report_;
};

}  // namespace grundy
