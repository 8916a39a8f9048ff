/// @file
/// Looks for a proved period while a table grows, so that its engine can stop.
///
/// The search runs at geometrically spaced table sizes. A failed search costs a few nanoseconds a
/// value, so that all of them together cost about 1 / (ratio - 1) times the last one: small against
/// the quadratic engines of take-and-break games, which are watched closely (ratio 9/8), and
/// comparable to the linear engines of subtraction games (ratio 2).
// SPDX-License-Identifier: MIT
#pragma once

#include <grundy/heap/rule.hpp>
#include <grundy/period.hpp>
#include <grundy/sink.hpp>

#include "analysis/period_theorem.hpp"

namespace grundy {

/// Watches one run. A rule without a theorem is never searched.
class PeriodWatch {
 public:
  /// `rule` must outlive the watch.
  explicit PeriodWatch(const HeapRule& rule) : rule_(rule), theorem_(rule) {}

  /// Takes the next block of the run; returns true from the first certificate on. Blocks without a
  /// whole table are ignored.
  bool observe(const Block& block);
  /// The certified period; status kNone until there is one.
  [[nodiscard]] const PeriodReport& report() const noexcept { return report_; }

 private:
  const HeapRule& rule_;
  PeriodTheorem theorem_;
  HeapSize next_ = 64;  ///< the least table size that is searched
  PeriodReport report_;
};

}  // namespace grundy
