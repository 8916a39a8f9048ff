/// @file
/// The moves of a rule that leaves at most two heaps, as the provers loop over them. They are read
/// from the digits here, not by the code of the engines, so that a proof shares no reading of a
/// rule with what it checks.
///
/// Every option of a heap of n tokens is the value of a *pair* of heaps a <= c with a + c = n - k:
/// G(a) xor G(c). One heap is a pair with a = 0, because G(0) = 0, so a digit that allows one or
/// two heaps is one run of pairs from a = 0, and a digit that allows two only is one from a = 1.
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include <grundy/heap/rule.hpp>

namespace grundy {

/// All pairs after `removed` tokens: least <= a <= (n - removed) / 2, without the middle pair of
/// two equal heaps if `unequal`.
struct PairRun {
  HeapSize removed = 0;
  HeapSize least = 0;  ///< 0: one heap is allowed too; else 1
  bool unequal = false;

  /// The end of the run for heap n: pairs have least <= a < end; none if end <= least.
  [[nodiscard]] HeapSize end(HeapSize n) const noexcept {
    if (n <= removed) return 0;
    return (n - removed + (unequal ? 1 : 2)) / 2;
  }
};

/// Moves that leave at most two heaps.
struct PairMoves {
  std::vector<PairRun> runs;     ///< splits
  std::vector<HeapSize> single;  ///< removals that leave at most one heap, ascending
  HeapSize least_rest = 1;       ///< what such a removal leaves at least
  std::vector<HeapSize> whole;   ///< heaps that may be removed whole beside those
  std::vector<HeapSize> halves;  ///< removals that leave two equal heaps

  /// The moves in tables of `count` heaps; nothing if the rule leaves more than two heaps or
  /// removes without bound.
  static std::optional<PairMoves> from(const HeapRule& rule, HeapSize count);
};

}  // namespace grundy
