/// @file
/// The moves of a rule that leaves at most two heaps, as the proofs of this room read them.
///
/// The engines have readings of their own. This one is kept apart from them on purpose: it goes
/// from the bits of the digits to moves without their code, so that a rule which an engine reads
/// wrongly is not read wrongly in the same way here.
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
    HeapSize least = 1;    ///< 0: to leave one heap is allowed too; it is a pair with a = 0
    bool unequal = false;  ///< the two heaps must differ

    /// The pairs of heap n have least <= a < end(n); there are none if end(n) <= least.
    [[nodiscard]] HeapSize end(HeapSize n) const noexcept {
      return n <= removed ? 0 : (n - removed + (unequal ? 1 : 2)) / 2;
    }
  };

  std::vector<Split> splits;
  std::vector<HeapSize> single;  ///< removals that leave at most one heap, ascending
  HeapSize least_rest = 1;       ///< what such a removal leaves at least
  std::vector<HeapSize> whole;   ///< heaps that may be removed whole beside those, ascending
  std::vector<HeapSize> halves;  ///< removals that leave two equal heaps

  /// The moves in tables of `count` heaps; nothing if the rule leaves more than two heaps or
  /// removes without bound, subtraction sets apart.
  static std::optional<PairMoves> from(const HeapRule& rule, HeapSize count);

  /// The largest number of tokens that a move removes; 0 without moves.
  [[nodiscard]] HeapSize largest_removal() const noexcept;
  /// Every split removes an even number of tokens, or every split an odd one.
  [[nodiscard]] bool one_parity() const noexcept;
};

}  // namespace grundy
