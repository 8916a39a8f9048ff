// SPDX-License-Identifier: MIT
#include "session/period_search.hpp"

#include <utility>

#include "session/window_proof.hpp"

namespace grundy {

bool PeriodSearch::observe(const Stretch& block) {
  if (certified()) return true;
  if (watch_.observe(block)) {
    settle(watch_.report(), block.table);
  } else if (const HeapSize size = block.table.size(); size == count_ && size > 0) {
    if (size <= kLastSearchLimit) {
      settle(period_of_table(rule_, block.table), block.table);
    } else if (const auto& seen = watch_.recurrence()) {
      report_ = {PeriodStatus::kCandidate, seen->first, seen->period, 0, seen->matched, {}};
    }
  }
  return certified();
}

Values PeriodSearch::pattern() const noexcept {
  return {pattern_.data(), pattern_.size() / byte_count(pattern_width_), pattern_width_};
}

void PeriodSearch::settle(PeriodReport report, Values table) {
  report_ = std::move(report);
  if (!certified()) return;
  // The engine owns the table and will be gone when the values are needed.
  const Values pattern = table.subspan(0, report_.preperiod + report_.period);
  const auto* bytes = static_cast<const std::byte*>(pattern.data());
  pattern_.assign(bytes, bytes + pattern.size() * byte_count(pattern.width()));
  pattern_width_ = pattern.width();
}

}  // namespace grundy
