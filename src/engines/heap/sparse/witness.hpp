/// @file
/// The proof that the rare values below a heap's value are reached.
///
/// The value of a heap was found as the least one of the common type that no option has. What is
/// left is that each smaller value of the rare type is some option's.
///
/// *Rows* (codes of a byte): for one such value and many heaps at once, OR the bit rows of pairs of
/// common heaps that reach it. Which pairs is learned (engines/heap/sparse/learned_plans.hpp).
///
/// *Marks* (more codes): for one heap and all such values at once, mark what pairs of common heaps
/// reach, the pairs that are worth it (engines/heap/sparse/learned_taps.hpp).
///
/// What remains open meets pairs of codes, many at a time, and all options of the heap if need be.
///
/// This works on blocks that are complete, so it runs late, beside the search for the next values;
/// a heap that fails is a new rare heap, and what was computed after it is discarded.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include <grundy/types.hpp>

#include "engines/heap/sparse/pair_filter.hpp"
#include "engines/heap/sparse/plan.hpp"
#include "engines/heap/sparse/tap_ranking.hpp"
#include "engines/heap/sparse/window.hpp"
#include "kernels/mark_kernels.hpp"

namespace grundy::sparse {

/// The smaller heap of a pair of common heaps that rows, marks or codes tell of is at most this:
/// its partner lies in their windows, and it is far below half of any heap that is checked.
[[nodiscard]] HeapSize witness_reach(const SparseTable& table, const PhaseShape& shape) noexcept;

// check() of both forms checks `heaps` heaps (a multiple of 64) from `first` on; limits[i] belongs
// to first + i and says how many rare codes, from 0 on, stand for values below the heap's. It does
// the part `share` of `shares` of the work and returns the first heap with a smaller value, as far
// as this part is concerned, that no option has, or first + heaps.

class RowWitness {
 public:
  /// @param plans by rare code
  RowWitness(const SparseTable& table, const PhaseShape& shape, const SparseKernels& kernels,
             const std::vector<RowPlan>& plans, const SlidingWindow<std::uint8_t>& codes,
             const BitRows& rows);

  [[nodiscard]] HeapIndex check(HeapIndex first, const std::uint8_t* limits, std::size_t heaps,
                                std::size_t share, std::size_t shares) const noexcept;

 private:
  [[nodiscard]] bool reached(HeapIndex n, Nimber code) const noexcept;

  const SparseTable& table_;
  const Nimber code_limit_;
  const SparseKernels& kernels_;
  const std::vector<RowPlan>& plans_;
  const SlidingWindow<std::uint8_t>& codes_;
  const BitRows& rows_;
  std::vector<std::uint8_t> small_;   ///< codes of the heaps small_.size(), ..., 2, 1
  std::vector<std::uint8_t> common_;  ///< likewise: whether the heap is common
};

class MarkWitness {
 public:
  /// @param begin the first heap that is checked
  /// @param shares tasks that may call check() at the same time, each with a share of its own
  MarkWitness(const SparseTable& table, const PhaseShape& shape, const KernelSet& kernels,
              const RankedTaps& ranked, const SlidingWindow<std::uint16_t>& codes, HeapIndex begin,
              std::size_t shares);

  [[nodiscard]] HeapIndex check(HeapIndex first, const std::uint16_t* limits, std::size_t heaps,
                                std::size_t share, std::size_t shares) noexcept;

  /// For heaps that are not yet checked; at the same time as check() of others.
  void set(HeapIndex first, const std::uint16_t* codes, std::size_t heaps) noexcept {
    filter_.set(first, codes, heaps);
  }
  void advance(HeapIndex end) noexcept { filter_.advance(end); }

 private:
  /// What one task needs for itself.
  struct Part {
    std::vector<std::uint8_t> marks;  ///< of kMarkHeaps heaps
    std::vector<std::uint64_t> open;  ///< their open codes, a bit each
  };
  [[nodiscard]] bool reached(HeapIndex n, const std::uint64_t* open, Nimber limit) noexcept;

  const SparseTable& table_;
  const MarkKernels& mark_kernels_;
  const SlidingWindow<std::uint16_t>& codes_;
  const std::size_t words_;
  const std::size_t stride_;
  std::vector<std::uint64_t> offsets_;
  std::vector<std::uint16_t> tap_codes_;
  std::vector<Part> parts_;
  PairFilter filter_;
};

}  // namespace grundy::sparse
