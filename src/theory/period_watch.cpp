// SPDX-License-Identifier: MIT
#include "theory/period_watch.hpp"

#include <algorithm>

#include "theory/sparse_certificate.hpp"

namespace grundy {

PeriodWatch::PeriodWatch(const HeapRule& rule, HeapSize searched, HeapSize online)
    : rule_(rule), theorem_(rule), online_(online) {
  for (; next_ <= searched; next_ = after(next_)) searched_ = next_;
}

HeapSize PeriodWatch::after(HeapSize size) const noexcept {
  return theorem_.kind() == PeriodTheorem::Kind::kSplit ? size + size / 8 : 2 * size;
}

bool PeriodWatch::observe(const Stretch& block) {
  if (report_.status == PeriodStatus::kCertified) return true;
  const bool splits = theorem_.kind() == PeriodTheorem::Kind::kSplit;
  const bool online = splits || block.sparse != nullptr;
  const HeapSize size = block.table.size();
  if (theorem_.kind() != PeriodTheorem::Kind::kNone) {
    for (; next_ <= (online ? std::min(size, online_) : size); next_ = after(next_)) {
      PeriodReport found = find_period(rule_, block.table.subspan(0, next_));
      searched_ = next_;
      if (found.status != PeriodStatus::kCertified) continue;
      report_ = std::move(found);
      return true;
    }
  }
  // Small tables were searched above if a theorem covers the rule. If none does, as for a rule with
  // constraints, only the sparse space can prove a period.
  const bool small = theorem_.kind() != PeriodTheorem::Kind::kNone && size <= online_;
  return online && !small && certify(block);
}

bool PeriodWatch::certify(const Stretch& block) {
  recurs_ = recurrences_.observe(block.table);
  searched_ = block.table.size();
  if (!recurs_) return false;
  const PeriodPattern pattern{recurs_->matched, recurs_->first, recurs_->period, 0};
  const HeapSize take = rule_.largest_take().value_or(0);
  if (theorem_.kind() == PeriodTheorem::Kind::kSplit && theorem_.enough(pattern)) {
    report_ = {.status = PeriodStatus::kCertified,
               .preperiod = pattern.preperiod,
               .verified_to = theorem_.split_bound(pattern) + pattern.period,
               .theorem = theorem_.statement(pattern)};
  } else if (block.sparse != nullptr &&
             sparse_certificate_holds(*block.sparse, take, pattern.preperiod, pattern.period,
                                      pattern.size)) {
    report_ = sparse_report(*block.sparse, take, pattern.preperiod, pattern.period);
  } else {
    return false;
  }
  report_.period = least_period(block.table, pattern.preperiod, pattern.period);
  return true;
}

}  // namespace grundy
