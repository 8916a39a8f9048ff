/// @file
/// The proof that the rare values below a heap's value are reached.
///
/// The value of a heap was found as the least one of the common type that no option has. What is
/// left to show is that each smaller value of the rare type is some option's. A *witness* is such
/// an option.
///
/// *Rows* (codes of a byte): for one such value and many heaps at once, OR the bit rows of pairs of
/// common heaps that reach it. Which pairs is learned (engines/heap/sparse/learned_plans.hpp).
///
/// *Marks* (codes of two bytes): for one heap and all such values at once, mark what pairs of
/// common heaps reach, the pairs that are worth it (engines/heap/sparse/learned_taps.hpp).
///
/// What rows or marks leave meets pairs of codes, many at a time, and all options of the heap if
/// need be.
///
/// The proof works on blocks that are complete, so it runs late, beside the search for the next
/// values. A heap that fails is a new rare heap, and what was computed after it is discarded.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <grundy/types.hpp>

#include "engines/heap/sparse/phase_shape.hpp"
#include "engines/heap/sparse/row_plan.hpp"
#include "engines/heap/sparse/sliding_window.hpp"
#include "engines/heap/sparse/table.hpp"
#include "engines/heap/sparse/tap_ranking.hpp"

namespace grundy::sparse {

/// @tparam T type of a code
template <class T>
class Witness {
 public:
  virtual ~Witness() = default;

  /// Takes the codes of the heaps first .. first + heaps - 1 of the block that begins at `first`,
  /// so that they can be partners. Earlier heaps may be checked at the same time.
  virtual void publish(HeapIndex first, std::size_t heaps) noexcept = 0;

  /// Checks `heaps` heaps (a multiple of 64) from `first` on: limits[i] belongs to first + i and
  /// says how many rare codes, from 0 on, stand for values below the heap's. Does the part `share`
  /// of `shares` of the work. Returns the first heap with a smaller value that no option has, as
  /// far as this part of the work shows, or first + heaps.
  virtual HeapIndex check(HeapIndex first, const T* limits, std::size_t heaps, std::size_t share,
                          std::size_t shares) noexcept = 0;

  /// Makes room for heaps below `end` and a block. The last two blocks before can still be checked.
  virtual void advance(HeapIndex end) = 0;
};

/// @param plans by rare code
/// @param begin the first heap that is checked
std::unique_ptr<Witness<std::uint8_t>> make_row_witness(
    const SparseTable& table, const PhaseShape& shape, const KernelSet& kernels,
    const std::vector<RowPlan>& plans, const SlidingWindow<std::uint8_t>& codes, HeapIndex begin);

/// @param ranked pairs of common heaps
/// @param begin the first heap that is checked
/// @param shares tasks that may call check() at the same time, each with a share of its own
std::unique_ptr<Witness<std::uint16_t>> make_mark_witness(const SparseTable& table,
                                                          const PhaseShape& shape,
                                                          const KernelSet& kernels,
                                                          const RankedTaps& ranked,
                                                          const SlidingWindow<std::uint16_t>& codes,
                                                          HeapIndex begin, std::size_t shares);

}  // namespace grundy::sparse
