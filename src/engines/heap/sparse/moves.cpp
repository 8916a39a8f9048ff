// SPDX-License-Identifier: MIT
#include "engines/heap/sparse/moves.hpp"

#include <algorithm>

namespace grundy::sparse {

bool Moves::one_parity() const noexcept {
  return std::ranges::all_of(
      splits, [&](const SplitMove& s) { return s.take % 2 == splits.front().take % 2; });
}

std::optional<Moves> decode_moves(const HeapRule& rule) {
  const TakeBreakRule* const code = rule.take_break();
  if (code == nullptr || code->period != 0) return std::nullopt;
  Moves moves;
  for (HeapSize take = 0; take < code->digits.size(); ++take) {
    const Digit& digit = code->digits[take];
    if (digit.and_more || digit.max_heaps() > 2) return std::nullopt;
    if (take > 0 && digit.constraint(0)) moves.wholes.push_back(take);
    if (take > 0 && digit.constraint(1)) moves.singles.push_back(take);
    if (const auto constraint = digit.constraint(2)) {
      if (*constraint == SplitConstraint::kAllEqual) return std::nullopt;
      moves.splits.push_back({take, *constraint != SplitConstraint::kAny});
    }
    moves.largest_take = take;
  }
  if (moves.splits.empty()) return std::nullopt;
  return moves;
}

}  // namespace grundy::sparse
