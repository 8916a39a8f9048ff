// SPDX-License-Identifier: MIT
#include "verify/heap/pair_moves.hpp"

#include <algorithm>

namespace grundy {
namespace {

bool allows(const Digit& digit, unsigned heaps, SplitConstraint constraint) {
  return (digit.heaps[static_cast<std::size_t>(constraint)] >> heaps & 1) != 0;
}

/// Whether the digit allows three heaps or more.
bool leaves_many(const Digit& digit) {
  return digit.and_more ||
         std::ranges::any_of(digit.heaps, [](std::uint64_t heaps) { return heaps > 0b111; });
}

}  // namespace

std::optional<PairMoves> PairMoves::from(const HeapRule& rule, HeapSize count) {
  PairMoves moves;
  if (const auto set = rule.as_subtraction()) {
    moves.single = set->allowed_up_to(count);
    moves.least_rest = 0;
    return moves;
  }
  if (rule.formula() != nullptr) return std::nullopt;
  const TakeBreakRule& code = *rule.take_break();
  if (code.period > 0 || std::ranges::any_of(code.digits, leaves_many)) return std::nullopt;
  for (HeapSize removed = 0; removed < code.digits.size(); ++removed) {
    const Digit& digit = code.digits[removed];
    const bool one = allows(digit, 1, SplitConstraint::kAny);
    const bool any_two = allows(digit, 2, SplitConstraint::kAny);
    const bool unequal_two = allows(digit, 2, SplitConstraint::kPairwiseUnequal) ||
                             allows(digit, 2, SplitConstraint::kNotAllEqual);
    if (any_two || unequal_two) {
      moves.splits.push_back({removed, one ? 0u : 1u, unequal_two});
    } else if (one) {
      moves.single.push_back(removed);
    }
    if (allows(digit, 2, SplitConstraint::kAllEqual)) moves.halves.push_back(removed);
    if (allows(digit, 0, SplitConstraint::kAny)) moves.whole.push_back(removed);
  }
  return moves;
}

HeapSize PairMoves::largest_removal() const noexcept {
  HeapSize largest = 0;
  for (const Split& split : splits) largest = std::max(largest, split.removed);
  for (const auto* const removals : {&single, &whole, &halves}) {
    for (const HeapSize removed : *removals) largest = std::max(largest, removed);
  }
  return largest;
}

bool PairMoves::one_parity() const noexcept {
  return std::ranges::all_of(
      splits, [&](const Split& s) { return s.removed % 2 == splits.front().removed % 2; });
}

}  // namespace grundy
