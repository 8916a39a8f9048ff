/// @file
/// What a run learns about the period of its game, and the values from which the period continues.
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <grundy/heap/rule.hpp>
#include <grundy/period.hpp>
#include <grundy/sink.hpp>

#include "theory/period_watch.hpp"

namespace grundy {

/// Watches a run of heaps 0 .. count-1: for a certificate all the time; at its end also for one
/// that needs the whole table (window_proof.hpp), and for a candidate.
class PeriodSearch {
 public:
  /// A last search takes up to 8 bytes a value. For longer tables, only the watch searches.
  static constexpr HeapSize kLastSearchLimit = HeapSize{1} << 24;

  /// `rule` must outlive the search; `searched` as for PeriodWatch.
  PeriodSearch(const HeapRule& rule, HeapSize count, HeapSize searched = 0)
      : rule_(rule), count_(count), watch_(rule, searched) {}

  /// Takes the next block; returns true from the first certificate on.
  bool observe(const Stretch& block);

  [[nodiscard]] bool certified() const noexcept {
    return report_.status == PeriodStatus::kCertified;
  }
  [[nodiscard]] const PeriodReport& report() const noexcept { return report_; }
  /// The number of first values in which the watch has looked for a period.
  [[nodiscard]] HeapSize searched() const noexcept { return watch_.searched(); }
  /// The first preperiod + period values. @pre certified()
  [[nodiscard]] Values pattern() const noexcept;

 private:
  void settle(PeriodReport report, Values table);

  const HeapRule& rule_;
  HeapSize count_;
  PeriodWatch watch_;
  PeriodReport report_;
  std::vector<std::byte> pattern_;
  ValueWidth pattern_width_ = ValueWidth::kU8;
};

}  // namespace grundy
