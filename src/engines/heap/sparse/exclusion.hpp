/// @file
/// How a fast phase finds the least value of the common type that no option has: the mex as far as
/// rare heaps decide it, from the set of codes that taps reach. Exact.
///
/// The sets of 64 heaps lie in planes: vectors with 8 codes a heap. With P of them, R taps cost
/// R * P / 64 three-way operations a heap, and fewer table look-ups (engines/heap/sparse/plane_marks.hpp).
/// More codes than a byte holds are marked one by one (engines/heap/sparse/mark_lists.hpp). That is dearer
/// for a tap, but few taps have to be: what they leave open meets all others by comparison.
///
/// Taps whose partners lie two blocks back or more are looked at in parallel with the block before;
/// then 64 heaps at a time get their nearer taps. The taps within 64 have two forms.
///
/// *Candidates* (any number of codes): the least codes that are not reached are listed; 16 heaps x
/// 4 candidates meet a tap in one vector operation, and the nearest decide heap after heap. Codes
/// beyond the planes are rare; a heap that may have one is decided with all its taps, one by one.
///
/// *Words* (codes below 64, few taps): the sets become words; a tap is a variable shift for eight
/// heaps at once. This is the faster way from one heap to the next, which is what counts here.
///
/// far() needs heaps up to two blocks back only and may run in parallel with chain() of the block
/// before; chain() is the sequential part.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>

#include <grundy/types.hpp>

#include "engines/heap/sparse/plan.hpp"
#include "engines/heap/sparse/tap_ranking.hpp"
#include "engines/heap/sparse/window.hpp"
#include "kernels/mark_kernels.hpp"

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

/// Candidates from planes.
/// @param guessed codes below it get planes
std::unique_ptr<Exclusion<std::uint8_t>> make_plane_exclusion(const SparseTable& table,
                                                              const PhaseShape& shape,
                                                              const SparseKernels& kernels,
                                                              Nimber guessed,
                                                              SlidingWindow<std::uint8_t>& codes);

/// Candidates from marks.
/// @param guessed codes below it are candidates
std::unique_ptr<Exclusion<std::uint16_t>> make_mark_exclusion(
    const SparseTable& table, const PhaseShape& shape, const SparseKernels& kernels,
    const MarkKernels& marks, const RankedTaps& ranked, Nimber guessed,
    SlidingWindow<std::uint16_t>& codes);

/// @pre shape.code_limit <= 64
std::unique_ptr<Exclusion<std::uint8_t>> make_word_exclusion(const SparseTable& table,
                                                             const PhaseShape& shape,
                                                             const SparseKernels& kernels,
                                                             SlidingWindow<std::uint8_t>& codes,
                                                             HeapIndex begin);

}  // namespace grundy::sparse
