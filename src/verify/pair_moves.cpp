// SPDX-License-Identifier: MIT
#include "verify/pair_moves.hpp"

namespace grundy {

std::optional<PairMoves> PairMoves::from(const HeapRule& rule, HeapSize count) {
  if (const auto set = rule.as_subtraction()) {
    return PairMoves{{}, set->allowed_up_to(count), 0, {}, {}};
  }
  const TakeBreakRule& code = *rule.take_break();
  if (code.period > 0) return std::nullopt;
  PairMoves moves;
  for (HeapSize removed = 0; removed < code.digits.size(); ++removed) {
    const Digit& digit = code.digits[removed];
    if (digit.and_more || digit.max_heaps() > 2) return std::nullopt;
    if (digit.constraint(0)) moves.whole.push_back(removed);
    const bool one = digit.constraint(1).has_value();
    const auto two = digit.constraint(2);
    if (two && two != SplitConstraint::kAllEqual) {
      moves.runs.push_back({removed, one ? 0u : 1u, two != SplitConstraint::kAny});
      continue;
    }
    if (one) moves.single.push_back(removed);
    if (two) moves.halves.push_back(removed);
  }
  return moves;
}

}  // namespace grundy
