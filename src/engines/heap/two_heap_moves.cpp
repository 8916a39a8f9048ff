// SPDX-License-Identifier: MIT
#include "engines/heap/two_heap_moves.hpp"

#include <algorithm>

#include "engines/heap/digit_moves.hpp"

namespace grundy {
namespace {

/// @pre the digit leaves at most two heaps
void add_digit(TwoHeapMoves& moves, const DigitMoves& digit, HeapSize take) {
  if (digit.whole) moves.wholes.push_back(take);
  if (digit.single) moves.singles.push_back(take);
  for (const DigitMoves::Split& two : digit.splits) {
    if (two.constraint == SplitConstraint::kAllEqual) {
      moves.halves.push_back(take);
    } else {
      moves.splits.push_back({take, two.constraint != SplitConstraint::kAny});
    }
  }
  moves.largest_take = take;
}

}  // namespace

bool TwoHeapMoves::one_parity() const noexcept {
  return std::ranges::all_of(
      splits, [&](const SplitMove& split) { return split.take % 2 == splits.front().take % 2; });
}

std::optional<TwoHeapMoves> TwoHeapMoves::of(const HeapRule& rule) {
  TwoHeapMoves moves;
  if (rule.formula() != nullptr) return std::nullopt;
  if (const TakeBreakRule* const code = rule.take_break()) {
    if (code->period > 0) return std::nullopt;
    for (HeapSize take = 0; take < code->digits.size(); ++take) {
      const DigitMoves digit(code->digits[take]);
      if (digit.beyond || digit.explicit_heaps > 2) return std::nullopt;
      add_digit(moves, digit, take);
    }
    return moves;
  }
  const SubtractionRule& subtraction = *rule.subtraction();
  if (subtraction.kind != SubtractionRule::Kind::kFinite) return std::nullopt;
  moves.singles = moves.wholes = subtraction.elements;
  if (!moves.singles.empty()) moves.largest_take = moves.singles.back();
  return moves;
}

LaggedSplits::LaggedSplits(const std::vector<SplitMove>& all) : splits(all) {
  if (all.empty() || all.back().take - all.front().take > kLongestLag) return;
  splits.resize(1);
  for (const SplitMove& move : all) {
    const HeapSize lag = move.take - all.front().take;
    if (lag > lags.back()) lags.push_back(lag);
  }
}

}  // namespace grundy
