// SPDX-License-Identifier: MIT
#include "analysis/period_watch.hpp"

namespace grundy {

bool PeriodWatch::observe(const Block& block) {
  if (report_.status == PeriodStatus::kCertified) return true;
  const HeapSize size = block.table.size();
  if (theorem_.kind() == PeriodTheorem::Kind::kNone || size < next_) return false;
  const bool linear_engine = theorem_.kind() != PeriodTheorem::Kind::kSplit;
  next_ = linear_engine ? 2 * size : size + size / 8;
  PeriodReport found = find_period(rule_, block.table);
  if (found.status != PeriodStatus::kCertified) return false;
  report_ = std::move(found);
  return true;
}

}  // namespace grundy
