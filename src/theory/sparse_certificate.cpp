// SPDX-License-Identifier: MIT
#include "theory/sparse_certificate.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace grundy {

HeapSize sparse_window(const SparseFacts& facts, HeapSize largest_take) noexcept {
  return std::max(facts.last_rare, facts.depth) + largest_take + 1;
}

bool sparse_certificate_holds(const SparseFacts& facts, HeapSize largest_take, HeapSize first,
                              HeapSize period, HeapSize size) noexcept {
  if (facts.mask == 0 || facts.count < size || (facts.parity && period % 2 != 0)) return false;
  if (facts.last_rare >= facts.count || facts.depth >= facts.count) return false;
  const HeapSize window = sparse_window(facts, largest_take);
  return first + period > facts.last_rare && size >= window && size - window >= first + period;
}

std::string sparse_statement(const SparseFacts& facts, HeapSize largest_take, HeapSize first,
                             HeapSize period) {
  return fmt::format(
      "sparse space with mask {:#x}{}: below heap {} no heap after {} is rare and no witness lies "
      "deeper than {}, moves remove at most {} tokens, and G(n+{}) = G(n) was checked for {} <= n "
      "< {}",
      facts.mask, facts.parity ? " and the parity of the heap" : "", facts.count, facts.last_rare,
      facts.depth, largest_take, period, first, first + sparse_window(facts, largest_take));
}

PeriodReport sparse_report(SparseFacts facts, HeapSize largest_take, HeapSize preperiod,
                           HeapSize period) {
  facts.count =
      preperiod + period + sparse_window(facts, largest_take);  // all rare heaps are below
  return {.status = PeriodStatus::kCertified,
          .preperiod = preperiod,
          .period = period,
          .verified_to = facts.count,
          .theorem = sparse_statement(facts, largest_take, preperiod, period),
          .sparse = facts};
}

}  // namespace grundy
