/// @file
/// The moves of a rule that leaves at most two heaps, as the provers of this room read them.
///
/// The engines read rules by code of their own. This code is kept apart from theirs on purpose, and
/// goes from the bits of the digits to moves. So a rule that an engine misreads is not misread in
/// the same way here.
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include <grundy/heap/rule.hpp>
#include <grundy/types.hpp>

namespace grundy {

struct PairMoves {
  /// Remove `removed` tokens and leave two heaps a <= c with a + c = n - removed and a >= least.
  struct Split {
    HeapSize removed = 0;
    HeapSize least = 1;    ///< 0: one heap may be left too; it counts as a pair with a = 0
    bool unequal = false;  ///< the two heaps must differ

    /// The pairs of heap n have least <= a < end(n); there are none if end(n) <= least.
    [[nodiscard]] HeapSize end(HeapSize n) const noexcept {
      return n <= removed ? 0 : (n - removed + (unequal ? 1 : 2)) / 2;
    }
  };

  std::vector<Split> splits;
  std::vector<HeapSize> single;  ///< removals that leave at most one heap, ascending
  HeapSize least_rest = 1;       ///< the least number of tokens that such a removal leaves
  std::vector<HeapSize> whole;   ///< heaps that may be removed whole besides, ascending
  std::vector<HeapSize> halves;  ///< removals that leave two equal heaps

  /// The moves in tables of `count` heaps. Nothing if the rule leaves more than two heaps, or
  /// removes without bound and is not a subtraction set.
  static std::optional<PairMoves> from(const HeapRule& rule, HeapSize count);

  /// The largest number of tokens that a move removes; 0 without moves.
  [[nodiscard]] HeapSize largest_removal() const noexcept;
  /// Whether all splits remove an even number of tokens, or all an odd number.
  [[nodiscard]] bool one_parity() const noexcept;
};

}  // namespace grundy
