/// @file
/// The split of Grundy values into rare and common ones, on which the sparse-space method rests.
///
/// A split is a linear form f over GF(2): the parity of the bits that value and mask have in
/// common, plus, if the rule allows it, the parity of the heap's size. A heap is *common* if f has
/// the chosen value and *rare* otherwise. Because f is linear, an option of two common heaps, or of
/// two rare ones, has a value of the rare type, and an option of one rare and one common heap has a
/// value of the common type (Winning Ways, ch. 4; Gangolli and Plambeck 1989). Any split gives
/// correct tables; a good one has few rare heaps.
///
/// Given the type, one bit of the mask is redundant. squeeze() drops the lowest bit of the mask. It
/// is linear, and it preserves the order of values of one type at one heap.
///
/// Proofs of tables find splits with code of their own (verify/heap/value_split.hpp). The code is
/// written twice on purpose: a proof must not repeat a mistake made here.
// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <grundy/heap/rule.hpp>
#include <grundy/types.hpp>

#include "engines/heap/two_heap_moves.hpp"

namespace grundy::sparse {

struct Split {
  Nimber mask = 0;      ///< 0: every value is of the rare type
  bool parity = false;  ///< whether the parity of the heap's size takes part
  bool common = true;   ///< f of common heaps

  /// Whether `value` at heap n is of the common type.
  [[nodiscard]] bool is_common(Nimber value, HeapSize n) const noexcept {
    return form(value, n) == common;
  }
  /// `value` without the lowest bit of the mask. @pre mask != 0
  [[nodiscard]] Nimber squeeze(Nimber value) const noexcept {
    const Nimber below = (mask & (0 - mask)) - 1;
    return (value & below) | ((value >> 1) & ~below);
  }
  /// The value of the common (or rare) type at heap n that has this code. @pre mask != 0
  [[nodiscard]] Nimber expand(Nimber code, bool common_type, HeapSize n) const noexcept {
    const Nimber lowest = mask & (0 - mask);
    const Nimber value = (code & (lowest - 1)) | ((code & ~(lowest - 1)) << 1);
    return is_common(value, n) == common_type ? value : value | lowest;
  }

  friend bool operator==(const Split&, const Split&) = default;

 private:
  [[nodiscard]] bool form(Nimber value, HeapSize n) const noexcept {
    std::uint32_t bits = value & mask;  // folded: a call of popcount costs more without POPCNT
    bits ^= bits >> 16;
    bits ^= bits >> 8;
    bits ^= bits >> 4;
    return ((0x6996u >> (bits & 15) ^ (parity ? n : 0)) & 1) != 0;
  }
};

/// The moves of a rule that the sparse-space method covers: at least one splits a heap, and none
/// leaves more than two heaps, or must leave two equal ones. Nothing for other rules.
std::optional<TwoHeapMoves> splitting_moves(const HeapRule& rule);

/// The split with a mask, with or without the parity. The moves determine the value of f for
/// common heaps. @pre moves.one_parity() if `parity`
Split make_split(const TwoHeapMoves& moves, Nimber mask, bool parity) noexcept;

/// The rare heaps among heaps 1 .. values.size() - 1, ascending.
std::vector<HeapSize> rare_heaps(const Split& split, Values values);

/// The number of rare heaps (`rare` is ascending) in the later half of heaps 0 .. heaps - 1.
HeapSize recent_rare(std::span<const HeapSize> rare, HeapSize heaps) noexcept;

/// Whether too many heaps of the later half are rare for a sparse space to be useful: more than one
/// in 8.
bool too_many_rare(HeapSize recent, HeapSize heaps) noexcept;

/// The number of heaps of even and of odd size that have each value. The choice of a split needs no
/// more.
class ValueCounts {
 public:
  /// Counts heaps begin .. begin + values.size() - 1. Heap 0 does not count.
  void add(HeapSize begin, Values values);
  void add(const ValueCounts& other);

  [[nodiscard]] HeapSize heaps() const noexcept { return heaps_; }
  /// A power of two above all values.
  [[nodiscard]] Nimber value_limit() const noexcept {
    return static_cast<Nimber>(counts_.size() / 2);
  }
  /// The number of heaps that are rare under the split.
  [[nodiscard]] HeapSize rare(const Split& split) const noexcept;
  /// Entry 2 v + b: the number of heaps of parity b with value v.
  [[nodiscard]] const std::vector<std::int64_t>& entries() const noexcept { return counts_; }

 private:
  std::vector<std::int64_t> counts_ = {0, 0};
  HeapSize heaps_ = 0;
};

/// A split, and the number of heaps in the choice that are rare under it.
struct SplitChoice {
  Split split;
  HeapSize rare = 0;
};

/// The split with the fewest rare heaps among the counted ones, by a Walsh-Hadamard transform of
/// the counts. Takes O(V log V) for values below V.
SplitChoice choose_split(const TwoHeapMoves& moves, const ValueCounts& counts);
/// The same for heaps 1 .. values.size() - 1.
SplitChoice choose_split(const TwoHeapMoves& moves, Values values);

}  // namespace grundy::sparse
