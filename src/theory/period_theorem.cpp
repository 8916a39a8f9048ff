// SPDX-License-Identifier: MIT
#include "theory/period_theorem.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace grundy {

PeriodTheorem::PeriodTheorem(const HeapRule& rule)
    : plain_from_(rule.pass() ? *rule.pass() + 1 : 0) {
  if (const auto set = rule.as_subtraction()) {
    if (set->kind == SubtractionRule::Kind::kFinite) kind_ = Kind::kWindow;
    if (set->kind == SubtractionRule::Kind::kAllBut) kind_ = Kind::kAllBut;
    reach_ = set->elements.empty() ? 0 : set->elements.back();
    return;
  }
  const auto heaps = rule.max_heaps();
  const auto take = rule.largest_take();
  if (!heaps || !take || !rule.unconstrained()) return;
  reach_ = *take;
  if (*heaps <= 1) {
    kind_ = Kind::kWindow;
    first_ = 1;
  } else {
    kind_ = Kind::kSplit;
    heaps_ = *heaps;
  }
}

HeapSize PeriodTheorem::split_bound(const PeriodPattern& pattern) const noexcept {
  // No overflow: preperiod, period and reach are lengths of arrays in memory, below 2^48, and H is
  // at most 63. Nothing falls below 0 either, since start is at least 1.
  const HeapSize start = std::max<HeapSize>(pattern.preperiod, 1);
  return std::max(heaps_ * start + (heaps_ - 1) * pattern.period + reach_ + 1 - heaps_,
                  plain_from_);
}

bool PeriodTheorem::enough(const PeriodPattern& pattern) const noexcept {
  const HeapSize compared_to = pattern.size - pattern.period;
  switch (kind_) {
    case Kind::kNone:
      return false;
    case Kind::kWindow: {
      const HeapSize start = std::max(pattern.preperiod, first_);
      return pattern.saltus == 0 && compared_to >= start && compared_to - start >= reach_ &&
             compared_to >= plain_from_;
    }
    case Kind::kSplit:
      return pattern.saltus == 0 && compared_to >= split_bound(pattern);
    case Kind::kAllBut:
      return compared_to >= pattern.preperiod && compared_to - pattern.preperiod >= reach_;
  }
  return false;
}

std::string PeriodTheorem::behind_pass() const {
  if (plain_from_ == 0) return {};
  return fmt::format("; from heap {} on no heap has a pass", plain_from_);
}

std::string PeriodTheorem::statement(const PeriodPattern& pattern) const {
  switch (kind_) {
    case Kind::kNone:
      break;
    case Kind::kWindow:
      return fmt::format(
          "moves shorten a heap by at most {}: that many values from heap {} on recur at distance "
          "{}{}",
          reach_, std::max(pattern.preperiod, first_), pattern.period, behind_pass());
    case Kind::kSplit:
      return fmt::format(
          "{}Guy and Smith 1956, for at most {} heaps left and {} tokens removed: "
          "G(n+{}) = G(n) was checked for {} <= n < {}{}",
          heaps_ == 2 ? "" : "after ", heaps_, reach_, pattern.period, pattern.preperiod,
          split_bound(pattern), behind_pass());
    case Kind::kAllBut:
      return fmt::format(
          "all-but subtraction set with largest exclusion {}: the state (values used, last {} "
          "values) before heap {} is that before heap {} translated by {}",
          reach_, reach_, pattern.size, pattern.size - pattern.period, pattern.saltus);
  }
  return {};
}

}  // namespace grundy
