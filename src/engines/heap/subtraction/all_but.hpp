/// @file
/// All-but subtraction games: any number of tokens may be removed except the numbers in a finite
/// set X.
///
/// A smaller heap is *blocked* for heap n if its distance is in X. A value is free for n if every
/// heap below n with this value is blocked; G(n) is the least free value. A free value is either
/// new (used values are always 0 .. k-1, so the least new one is k) or the value of one of the |X|
/// blocked heaps. In the second case the heaps with that value, linked from the latest to the
/// earliest, must all be blocked. Any two heaps with equal values have a distance in X, so a chain
/// spans at most max(X) heaps, and a ring of that many links is all that is remembered. Takes
/// O(|X|) for a heap in practice, O(|X|^2) at worst, however large the values grow. With X empty
/// the game is Nim, G(n) = n.
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "engines/heap/subtraction/solver.hpp"

namespace grundy {

class AllButSolver final : public SubtractionSolver {
 public:
  /// `excluded`: ascending, those that matter below `count`.
  AllButSolver(const SubtractionRule& rule, HeapSize count, HeapSize block);

  [[nodiscard]] HeapSize block(HeapSize) const noexcept override { return scratch_.size(); }
  void adopt(HeapSize begin, HeapSize end, const ValueBuffer& table) override;
  void solve(HeapSize begin, ValueBuffer& table) override;

  /// Bytes besides the table.
  static std::uint64_t memory_bytes(const SubtractionRule& rule, HeapSize count);

 private:
  /// One of the last max(X) + 1 heaps.
  struct Heap {
    Nimber value = 0;
    bool latest = false;      ///< no later heap has this value
    HeapSize to_earlier = 0;  ///< distance to the next earlier heap with this value; 0: none
  };

  [[nodiscard]] Heap& heap(HeapSize n) noexcept { return ring_[n & ring_mask_]; }
  /// Whether all heaps with the value of heap n - distance are blocked for n. @pre heap(..).latest
  [[nodiscard]] bool all_blocked(HeapSize n, HeapSize distance) noexcept;
  Nimber next_value(HeapSize n);
  /// Stores heap n, which has the value of heap n - from, or a new value if `from` is 0.
  void remember(HeapSize n, Nimber value, HeapSize from) noexcept;

  std::vector<HeapSize> excluded_;
  std::vector<bool> is_excluded_;
  std::vector<Heap> ring_;
  HeapSize ring_mask_ = 0;
  HeapSize used_ = 0;  ///< values 0 .. used_-1 occur
  std::vector<Nimber> scratch_;
};

}  // namespace grundy
