/// @file
/// Looks for a proved period while a table grows, so that its engine can stop.
///
/// The search runs at fixed table sizes that grow geometrically, so the result depends neither on
/// the blocks nor on interruptions of the run. A failed search costs a few nanoseconds a value, so
/// all searches together cost about 1 / (ratio - 1) times the last one. The ratio is 9/8 for
/// take-and-break games, whose quadratic engines make a search cheap by comparison, and 2 for
/// subtraction games, whose engines are linear. A candidate for a saltus of a game with splits
/// costs time quadratic in the number of values that the proof looks at, at most 2^15.
///
/// Tables of games with splits are watched online (theory/recurrence.hpp): from a million heaps on
/// if a theorem covers the rule, from the first block on if only the sparse space can prove a
/// period. A period is certified as soon as the theorem of Guy and Smith, or the sparse space that
/// the engine `sparse` reports, proves it.
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <grundy/heap/rule.hpp>
#include <grundy/period.hpp>
#include <grundy/sink.hpp>

#include "theory/period_theorem.hpp"
#include "theory/recurrence.hpp"

namespace grundy {

/// Watches one run. A rule without a theorem is searched only if its engine reports its sparse
/// space.
class PeriodWatch {
 public:
  /// Tables of games with splits that a theorem covers are searched as a whole up to this size.
  static constexpr HeapSize kOnline = HeapSize{1} << 20;

  /// `rule` must outlive the watch. An earlier life of the run has searched the first `searched`
  /// values in vain, so they are not searched again.
  explicit PeriodWatch(const HeapRule& rule, HeapSize searched = 0, HeapSize online = kOnline);

  /// Takes the next block of the run. Returns true from the first certificate on. Ignores blocks
  /// without a whole table. The report is about the values below its verified_to, which lies in
  /// this block or at its end.
  bool observe(const Stretch& block);
  /// The certified period; status kNone until there is one.
  [[nodiscard]] const PeriodReport& report() const noexcept { return report_; }

  /// The number of first values in which a period was looked for.
  [[nodiscard]] HeapSize searched() const noexcept { return searched_; }

  /// What recurs in a table that is watched online, proved or not.
  [[nodiscard]] const std::optional<Recurrence>& recurrence() const noexcept { return recurs_; }

 private:
  [[nodiscard]] HeapSize after(HeapSize size) const noexcept;
  bool certify(const Stretch& block);

  const HeapRule& rule_;
  PeriodTheorem theorem_;
  HeapSize online_;
  HeapSize searched_ = 0;
  HeapSize next_ = 64;  ///< the least table size that is searched
  RecurrenceSearch recurrences_;
  std::optional<Recurrence> recurs_;
  PeriodReport report_;
};

}  // namespace grundy
