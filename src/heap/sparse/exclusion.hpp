/// @file
/// How a fast phase finds the least value of the common type that no option has: the mex as far as
/// rare heaps decide it. Two forms; both exact.
///
/// *Guess and eliminate* (any number of codes): learned bit rows leave a few candidates per heap,
/// and every tap is compared with all of them. 16 heaps x 4 candidates meet a tap in one vector
/// operation, so R taps cost R / 16 of them a heap; the guess costs (codes x rows) / 512.
///
/// *Sets* (codes below 64): the reached codes of a heap are the bits of one word; a tap is a
/// variable shift for eight heaps at once, R / 8 a heap. Better for few taps, most of them near.
///
/// far() needs heaps up to two blocks back only and may run in parallel with chain() of the block
/// before; chain() is the sequential part.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include <grundy/types.hpp>

#include "heap/sparse/plan.hpp"
#include "heap/sparse/window.hpp"

namespace grundy::sparse {

template <class T>
class Exclusion {
 public:
  virtual ~Exclusion() = default;

  /// Number of independent parts of the far work of a block.
  [[nodiscard]] virtual std::size_t far_parts() const noexcept = 0;
  /// Does one part of it for the block that begins at heap `begin`.
  virtual void far(HeapIndex begin, std::size_t part) noexcept = 0;
  /// Writes the codes of the heaps of the block to the window. Returns the end of the block, or the
  /// first heap whose code is not below `cap` (its code is not written).
  virtual HeapIndex chain(HeapIndex begin, Nimber cap) noexcept = 0;
  /// Moves what the form keeps for itself along with the windows.
  virtual void advance(HeapIndex end) = 0;
};

/// @param guess plans by code
template <class T>
std::unique_ptr<Exclusion<T>> make_guess_exclusion(const SparseTable& table,
                                                   const PhaseShape& shape,
                                                   const SparseKernels& kernels,
                                                   const std::vector<RowPlan>& guess,
                                                   SlidingWindow<T>& codes, const BitRows& rows);

/// @pre shape.code_limit <= 64
std::unique_ptr<Exclusion<std::uint8_t>> make_set_exclusion(const SparseTable& table,
                                                            const PhaseShape& shape,
                                                            const SparseKernels& kernels,
                                                            SlidingWindow<std::uint8_t>& codes,
                                                            HeapIndex begin);

}  // namespace grundy::sparse
