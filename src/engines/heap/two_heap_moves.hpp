/// @file
/// The moves of a rule that leaves at most two heaps, as plain lists: what the engines `dense` and
/// `sparse` loop over.
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

  /// In how many ways a heap of n tokens can be split: the smaller part has 1 .. pairs(n) tokens.
  [[nodiscard]] HeapSize pairs(HeapSize n) const noexcept {
    if (n <= take) return 0;
    const HeapSize rest = n - take;
    return unequal ? (rest - 1) / 2 : rest / 2;
  }
};

/// All moves of a rule, each list ascending by the number of tokens that a move removes.
struct TwoHeapMoves {
  std::vector<SplitMove> splits;
  std::vector<HeapSize> singles;  ///< remove that many and leave one nonempty heap; none is 0
  std::vector<HeapSize> wholes;   ///< a heap of exactly that size may be removed
  std::vector<HeapSize> halves;   ///< remove that many and leave two equal heaps, nothing else
  HeapSize largest_take = 0;      ///< no move removes more

  /// Whether the splits remove even numbers only, or odd numbers only. Then the parity of a heap's
  /// size can take part in a sparse space (Winning Ways, ch. 4).
  [[nodiscard]] bool one_parity() const noexcept;

  /// The moves of `rule`; nothing if some move leaves more than two heaps or if a move may remove
  /// any number of tokens.
  static std::optional<TwoHeapMoves> of(const HeapRule& rule);
};

}  // namespace grundy
