/// @file
/// A part of a dense run in which only the length of the table changes: the width, the bound of the
/// values and the block size are fixed.
///
/// Blocks are solved in two layers. far(j) runs the far phase of block j, in parallel groups,
/// against all heaps below block j - 1; it overlaps near(j - 1). near(j) is sequential: heap by
/// heap it filters the pairs that were not far and settles the value.
/// Dependencies: far(j) on near(j - 2); near(j) on far(j) and near(j - 1).
///
/// With B heaps in a block, far(j) takes O(B n / N) over all threads and near(j) takes O(B^2 / N)
/// on one.
///
/// Ranks that compute together (company.hpp) intersect the open sets of a block before near(j).
///
/// An open set covers a slice of the values. If no value of the slice is open for a heap, the heap
/// is filtered again through the next slice: in far(j) if far pairs alone show it, and in near(j)
/// otherwise.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <vector>

#include <grundy/heap/engine.hpp>

#include "core/value_buffer.hpp"
#include "engines/heap/dense/company.hpp"
#include "engines/heap/dense/far.hpp"
#include "engines/heap/two_heap_moves.hpp"
#include "parallel/layers.hpp"

namespace grundy {

/// The values that are fixed during an epoch.
struct EpochShape {
  HeapSize begin = 0;        ///< every heap below it is final
  HeapSize end = 0;          ///< the latest end of the epoch
  HeapSize block = 0;        ///< number of heaps in a block
  HeapSize group = kGroup;   ///< number of heaps in a group of a block, at most kGroup
  std::size_t bound = 64;    ///< values stay below it; a power of two >= 64
  Nimber largest_value = 0;  ///< the largest value that may be stored
};

/// The reason for the end of an epoch.
enum class EpochEnd { kReachedEnd, kNeedsRoom, kStoppedBySink, kCancelled };

/// Hands the heaps from `begin` to the end of the table over, and reports progress; false if the
/// sink wants no more. @pre there are some
bool hand_over(const HeapTask& task, const TwoHeapMoves& moves, const ValueBuffer& table,
               HeapSize begin, ValueSink& sink);

/// @pre kWidthOf<T> == table.width(), bound - 1 fits T, and the table has room for shape.end values
template <class T>
class DenseEpoch final : public LayerPlan {
 public:
  DenseEpoch(const HeapTask& task, const TwoHeapMoves& moves, const EpochShape& shape,
             Company& company, ValueBuffer& table, ValueSink& sink);

  /// Computes from shape.begin on. The table ends with the last final heap. kNeedsRoom means that
  /// the next value does not fit below the bound or exceeds the largest value.
  EpochEnd run();

  [[nodiscard]] std::uint64_t layer_count() const override;
  void dependencies(std::uint64_t layer, std::vector<std::uint64_t>& out) const override;
  [[nodiscard]] std::uint64_t lookback() const override { return 3; }
  std::size_t prepare(std::uint64_t layer) override;
  void task(std::uint64_t layer, std::size_t index) override;
  bool finish(std::uint64_t layer) override;

 private:
  struct BlockRange {
    HeapSize begin;
    HeapSize end;
  };
  [[nodiscard]] BlockRange block(std::uint64_t layer) const noexcept;
  void settle_block(std::uint64_t layer);
  bool settle(HeapSize n, FarGroup& group);
  void filter_near(HeapSize n, const FarGroup& group, OpenSet& open) const;
  void filter_all(HeapSize n, OpenSet& open) const;
  void filter_others(HeapSize n, OpenSet& open) const;

  const HeapTask& task_;
  const TwoHeapMoves& moves_;
  const EpochShape shape_;
  Company& company_;
  ValueBuffer& table_;
  ValueSink& sink_;
  T* const values_;
  ValueBytes bytes_;
  const FarPhase<T> far_;
  std::array<std::vector<FarGroup>, 2> groups_;  ///< of the blocks of even and odd number
  HeapSize settled_;                             ///< every heap below it has its value
  EpochEnd ending_ = EpochEnd::kReachedEnd;
};

}  // namespace grundy
