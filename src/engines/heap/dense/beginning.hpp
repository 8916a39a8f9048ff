/// @file
/// The beginning of a dense table, where values and pairs are few: every pair marks.
///
/// A *plane* has a bit for each of 8 values, for a group of 64 heaps. The smaller heap of a pair is
/// a tap (kernels/tap_kernels.hpp): it marks the nim-sums of its value and those of 64 partners in
/// an operation or two for each plane. Pairs that not all heaps of the group have, and those whose
/// partner is in the group, mark one by one, in the order of the heaps. So all options are marked,
/// and the first value without a mark is that of the heap.
///
/// Cost of heap n with V values: n V / 1024 operations of vectors for each split. The filter
/// (far.hpp) takes less for each pair, and more for each heap.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include <grundy/heap/engine.hpp>

#include "core/value_buffer.hpp"
#include "engines/heap/dense/epoch.hpp"
#include "engines/heap/two_heap_moves.hpp"
#include "kernels/tap_kernels.hpp"

namespace grundy {

class DenseBeginning {
 public:
  /// The heaps before it are found by an epoch.
  static constexpr HeapSize kFirst = 64;

  /// The arguments must outlive this. @pre fits(moves)
  DenseBeginning(const HeapTask& task, const TwoHeapMoves& moves) : task_(task), moves_(moves) {}

  /// Whether beginnings are found here. They are not if a move takes many tokens, or if there are
  /// many splits.
  [[nodiscard]] static bool fits(const TwoHeapMoves& moves) noexcept;
  /// Whether heaps from `begin` on are found here if no value before exceeds `largest`.
  [[nodiscard]] bool suits(HeapSize begin, Nimber largest) const noexcept;
  /// Computes heaps from the end of the table on, as long as this suits. kNeedsRoom means that the
  /// next value exceeds `most`. @pre values up to `most` fit into the table
  EpochEnd run(ValueBuffer& table, Nimber most, ValueSink& sink);

 private:
  /// Finds the values of a group, first .. end - 1. Returns its end, or the first heap whose value
  /// exceeds `most`.
  HeapSize solve(HeapSize first, HeapSize end, Nimber most);
  /// Lists what all heaps of the group reach.
  void list_taps(HeapSize first);
  /// Returns false if the value of a heap has no plane.
  bool find_values(HeapSize first, HeapSize end, std::size_t planes);
  /// The smaller heaps of the pairs that all heaps of a group have are 1 .. last_tap().
  [[nodiscard]] static HeapSize last_tap(const SplitMove& split, HeapSize first) noexcept {
    return split.pairs(first);
  }
  /// A power of two above all values so far, and so above their nim-sums.
  [[nodiscard]] std::size_t bound() const noexcept;

  const HeapTask& task_;
  const TwoHeapMoves& moves_;
  Nimber largest_ = 0;                ///< of all values so far
  std::vector<std::uint16_t> codes_;  ///< the values
  std::vector<std::uint8_t> marks_;   ///< the planes of a group
  std::vector<TapRun> runs_;          ///< its taps, by the value of the smaller heap
  std::vector<std::uint64_t> offsets_;
  std::vector<std::uint32_t> places_;  ///< scratch, by value: where its taps go
};

}  // namespace grundy
