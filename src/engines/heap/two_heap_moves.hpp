/// @file
/// The moves of a rule that leaves at most two heaps, as plain lists for the loops of the engines
/// `dense` and `sparse`.
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include <grundy/heap/rule.hpp>
#include <grundy/types.hpp>

namespace grundy {

/// Remove `take` tokens and split the rest into two nonempty heaps.
struct SplitMove {
  HeapSize take = 0;
  bool unequal = false;  ///< the two heaps must differ, as in Grundy's game

  /// The number of ways to split a heap of n tokens: the smaller part has 1 .. pairs(n) tokens.
  [[nodiscard]] HeapSize pairs(HeapSize n) const noexcept {
    if (n <= take) return 0;
    const HeapSize rest = n - take;
    return unequal ? (rest - 1) / 2 : rest / 2;
  }
};

/// All moves of a rule, each list ascending by the number of tokens that a move removes.
struct TwoHeapMoves {
  std::vector<SplitMove> splits;
  std::vector<HeapSize> singles;  ///< removals that leave one nonempty heap; none is 0
  std::vector<HeapSize> wholes;   ///< sizes of heaps that may be removed whole
  std::vector<HeapSize> halves;   ///< removals that leave two equal heaps, and nothing else
  HeapSize largest_take = 0;      ///< the largest removal of all moves

  /// Whether the splits remove even numbers only, or odd numbers only. Then the parity of a heap's
  /// size can take part in a sparse space (Winning Ways, ch. 4).
  [[nodiscard]] bool one_parity() const noexcept;

  /// The moves of `rule`; nothing if some move leaves more than two heaps or may remove any number
  /// of tokens.
  static std::optional<TwoHeapMoves> of(const HeapRule& rule);
};

/// Splits that look at the same pairs. What a split reaches depends on what it leaves, not on what
/// it removes. So under a split that removes `lag` tokens more than the first one, heap n reaches
/// what heap n - lag reaches under the first one.
struct LaggedSplits {
  /// With longer lags, to look at the heaps that come before some others would cost too much.
  static constexpr HeapSize kLongestLag = 16;

  explicit LaggedSplits(const std::vector<SplitMove>& all);

  /// The first split; or all of them, if the last one removes too many tokens more.
  std::vector<SplitMove> splits;
  /// How many tokens more than the first one the splits for which it stands remove, ascending: 0
  /// for itself.
  std::vector<HeapSize> lags{0};

  [[nodiscard]] bool are_shared() const noexcept { return lags.size() > 1; }
  [[nodiscard]] HeapSize longest_lag() const noexcept { return lags.back(); }
};

}  // namespace grundy
