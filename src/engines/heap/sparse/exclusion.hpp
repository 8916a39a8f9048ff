/// @file
/// The search of a fast phase for the least value of the common type that no option has, in the set
/// of codes that taps reach. It is exact, because only rare heaps lead to values of the common
/// type.
///
/// Work is done in two stages. far() looks at the taps whose partners lie two blocks back or more;
/// it may run in parallel with chain() of the block before. chain() is the sequential stage: it
/// adds the nearer taps for 64 heaps at a time and then decides heap after heap. There are two
/// ways:
///
/// - *planes*: vectors with 8 codes of a heap hold the sets of 64 heaps. With P
///   planes, R taps cost R * P / 64 three-way operations for each heap, and fewer table look-ups
///   (engines/heap/sparse/plane_marks.hpp), or R stores if there are many planes. The taps that
///   find few more codes do not mark: the codes that the others leave open are compared with them
///   by chain(), 4 of 16 heaps at a time.
/// - *words* (codes below 64, few taps): the planes of a heap form one word. A tap is a variable
///   shift for eight heaps at once. This is the fastest way from one heap to the next.
///
/// The least codes that planes do not reach are listed as *candidates*. One vector operation
/// compares 4 candidates of 16 heaps (8 heaps, if a code has two bytes) with a tap within 64, and
/// the nearest taps decide heap after heap. Codes beyond the planes are rare; a heap that may have
/// one is decided with all its taps, one by one.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include <grundy/types.hpp>

#include "engines/heap/sparse/phase_shape.hpp"
#include "engines/heap/sparse/sliding_window.hpp"
#include "engines/heap/sparse/table.hpp"
#include "engines/heap/sparse/taps.hpp"
#include "kernels/tap_kernels.hpp"

namespace grundy::sparse {

template <class T>
class Exclusion {
 public:
  virtual ~Exclusion() = default;

  /// Number of independent parts of the far work of a block. A block has at most as many heaps as
  /// the shape says, a multiple of 64, and follows the one before.
  [[nodiscard]] virtual std::size_t far_parts(const HeapRange& block) const noexcept = 0;
  /// Does one part of the far work for a block.
  virtual void far(const HeapRange& block, std::size_t part) noexcept = 0;
  /// Writes the codes of a block to the window, from heap `from` on. Returns the end of the block,
  /// or the first heap whose code is not below `cap`; this code is not written.
  virtual HeapIndex chain(const HeapRange& block, HeapIndex from, Nimber cap) noexcept = 0;
};

/// The number of heaps before heap `from` among the `heaps` heaps from n on.
inline std::size_t known_of_group(HeapIndex n, std::size_t heaps, HeapIndex from) noexcept {
  return static_cast<std::size_t>(
      std::clamp<HeapIndex>(from - n, 0, static_cast<HeapIndex>(heaps)));
}

/// Makes the exclusion with candidates from planes.
/// @tparam T std::uint8_t or std::uint16_t
/// @param marking the taps that mark, sorted by place; the others meet candidates
/// @param common codes below it get planes
template <class T>
std::unique_ptr<Exclusion<T>> make_plane_exclusion(const SparseTable& table,
                                                   const PhaseShape& shape,
                                                   const TapKernels& kernels,
                                                   const std::vector<Tap>& marking, Nimber common,
                                                   SlidingWindow<T>& codes);

/// @pre shape.code_limit <= 64
std::unique_ptr<Exclusion<std::uint8_t>> make_word_exclusion(const SparseTable& table,
                                                             const PhaseShape& shape,
                                                             const KernelSet& kernels,
                                                             SlidingWindow<std::uint8_t>& codes);

}  // namespace grundy::sparse
