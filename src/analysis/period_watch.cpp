// SPDX-License-Identifier: MIT
#include "analysis/period_watch.hpp"

#include "analysis/sparse_certificate.hpp"

namespace grundy {

bool PeriodWatch::observe(const Block& block) {
  if (report_.status == PeriodStatus::kCertified) return true;
  const HeapSize size = block.table.size();
  const bool splits = theorem_.kind() == PeriodTheorem::Kind::kSplit;
  if (size > online_ && (splits || block.sparse != nullptr)) return certify(block);
  if (theorem_.kind() == PeriodTheorem::Kind::kNone || size < next_) return false;
  next_ = splits ? size + size / 8 : 2 * size;
  PeriodReport found = find_period(rule_, block.table);
  if (found.status != PeriodStatus::kCertified) return false;
  report_ = std::move(found);
  return true;
}

bool PeriodWatch::certify(const Block& block) {
  recurs_ = recurrences_.observe(block.table);
  if (!recurs_) return false;
  const PeriodPattern pattern{recurs_->matched, recurs_->first, recurs_->period, 0};
  const HeapSize take = rule_.largest_take().value_or(0);
  HeapSize needed = 0;
  std::string theorem;
  if (theorem_.kind() == PeriodTheorem::Kind::kSplit && theorem_.enough(pattern)) {
    needed = theorem_.split_bound(pattern) + pattern.period;
    theorem = theorem_.statement(pattern);
  } else if (block.sparse != nullptr &&
             sparse_certificate_holds(*block.sparse, take, pattern.preperiod, pattern.period,
                                      pattern.size)) {
    needed = pattern.preperiod + pattern.period + sparse_window(*block.sparse, take);
    theorem = sparse_statement(*block.sparse, take, pattern.preperiod, pattern.period);
  } else {
    return false;
  }
  report_ = {PeriodStatus::kCertified,
             pattern.preperiod,
             least_period(block.table, pattern.preperiod, pattern.period),
             0,
             needed,
             std::move(theorem)};
  return true;
}

}  // namespace grundy
