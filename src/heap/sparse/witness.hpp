/// @file
/// The proof that the rare values below a heap's value are reached.
///
/// The value of a heap was found as the least one of the common type that no option has. What is
/// left is that each smaller value of the rare type is some option's. For one such value and many
/// heaps at once: OR the bit rows of pairs of common heaps that reach it.
/// Which pairs is learned (heap/sparse/learned_plans.hpp). The heaps that remain are looked at one
/// by one: pairs of codes, many at a time, and all their options if need be.
///
/// This works on blocks that are complete, so it runs late, beside the search for the next values;
/// a heap that fails is a new rare heap, and what was computed after it is discarded.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include <grundy/types.hpp>

#include "heap/sparse/plan.hpp"
#include "heap/sparse/window.hpp"

namespace grundy::sparse {

/// `limits` of a heap: how many rare codes, from 0 on, stand for values below the heap's.
template <class T>
class WitnessCheck {
 public:
  /// @param plans by rare code
  WitnessCheck(const SparseTable& table, const PhaseShape& shape, const SparseKernels& kernels,
               const std::vector<RowPlan>& plans, const SlidingWindow<T>& codes,
               const BitRows& rows);

  /// Checks `heaps` heaps (a multiple of 64) from `first` on; limits[i] belongs to first + i.
  /// Looks at the rare codes `share`, share + shares, ... only. Returns the first heap with a
  /// smaller value among these that no option has, or first + heaps.
  [[nodiscard]] HeapIndex check(HeapIndex first, const T* limits, std::size_t heaps,
                                std::size_t share, std::size_t shares) const noexcept;

 private:
  [[nodiscard]] bool reached(HeapIndex n, Nimber code) const noexcept;

  const SparseTable& table_;
  const PhaseShape shape_;
  const SparseKernels& kernels_;
  const std::vector<RowPlan>& plans_;
  const SlidingWindow<T>& codes_;
  const BitRows& rows_;
  std::vector<T> small_;              ///< codes of the heaps small_.size(), ..., 2, 1
  std::vector<std::uint8_t> common_;  ///< likewise: whether the heap is common
};

}  // namespace grundy::sparse
