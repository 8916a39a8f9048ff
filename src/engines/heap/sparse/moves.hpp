/// @file
/// The rules that the sparse-space method covers, as plain lists of moves: finite codes whose moves
/// leave at most two heaps, at least one digit allowing a split.
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include <grundy/heap/rule.hpp>
#include <grundy/types.hpp>

namespace grundy::sparse {

/// Remove `take` tokens, split the rest into two nonempty heaps.
struct SplitMove {
  HeapSize take;
  bool unequal;  ///< the two heaps must differ, as in Grundy's game
};

/// All moves of a rule.
struct Moves {
  std::vector<SplitMove> splits;  ///< never empty
  std::vector<HeapSize> singles;  ///< remove that many, leave one nonempty heap; none is 0
  std::vector<HeapSize> wholes;   ///< a heap of exactly that size may be removed
  HeapSize largest_take = 0;

  /// Number of pairs {a, b}, a + b = n - take, that the split offers: a = 1 .. pairs(n).
  [[nodiscard]] static HeapSize pairs(const SplitMove& split, HeapSize n) noexcept {
    if (n <= split.take) return 0;
    const HeapSize rest = n - split.take;
    return split.unequal ? (rest - 1) / 2 : rest / 2;
  }
  /// All splits remove an even, or all an odd, number of tokens; the parity of a heap's size may
  /// then take part in a sparse space (Winning Ways, ch. 4).
  [[nodiscard]] bool one_parity() const noexcept;
};

/// The moves of `rule`, or nothing if the method does not cover it.
std::optional<Moves> decode_moves(const HeapRule& rule);

}  // namespace grundy::sparse
