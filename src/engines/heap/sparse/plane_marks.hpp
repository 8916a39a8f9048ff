/// @file
/// The codes that taps from offset 64 on reach, in planes (kernels/tap_kernels.hpp), for the heaps
/// of two blocks: the block that is chained and the one after it.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <grundy/types.hpp>

#include "engines/heap/sparse/far_parts.hpp"
#include "engines/heap/sparse/phase_shape.hpp"
#include "engines/heap/sparse/sliding_window.hpp"
#include "engines/heap/sparse/taps.hpp"

namespace grundy::sparse {

template <class T>
class PlaneMarks {
 public:
  /// @param marked the planes hold all codes below it
  /// @param taps those that mark, from offset 64 on
  PlaneMarks(const PhaseShape& shape, const TapKernels& kernels, const std::vector<Tap>& taps,
             Nimber marked, const SlidingWindow<T>& codes)
      : block_(shape.block),
        kernels_(kernels.of<T>()),
        codes_(codes),
        parts_(kLeastPart, kMostParts),
        count_(std::max<std::size_t>(1, planes_for(marked))),
        ring_(std::bit_ceil(2 * block_)),
        planes_(ring_ * count_) {
    std::vector<Tap> far, near;
    for (const Tap& tap : taps) (tap.offset >= 2 * block_ ? far : near).push_back(tap);
    far_ = TapList(far);
    near_ = TapList(near);
  }

  /// Number of planes of a heap.
  [[nodiscard]] std::size_t count() const noexcept { return count_; }
  /// Number of independent parts of the far work of a block.
  [[nodiscard]] std::size_t far_parts(const HeapRange& block) const noexcept {
    return parts_.count(block);
  }
  /// Marks one part of a block with the far taps.
  void far(const HeapRange& block, std::size_t part) noexcept {
    const auto [first, end] = parts_.part(block, part);
    for (HeapIndex n = first; n < end; n += 64) {
      std::fill_n(at(n), 64 * count_, std::uint8_t{0});
      kernels_.mark_planes(codes_.at(n), far_.view(), at(n), count_);
    }
  }
  /// Also marks the 64 heaps from n on with the other taps. Returns their planes: plane p of heap
  /// n + j is [64 * p + j].
  const std::uint8_t* near(HeapIndex n) noexcept {
    kernels_.mark_planes(codes_.at(n), near_.view(), at(n), count_);
    return at(n);
  }

 private:
  static constexpr HeapSize kLeastPart = 256;  ///< number of heaps in a part of the far work
  static constexpr HeapSize kMostParts = 4;

  std::uint8_t* at(HeapIndex n) noexcept {
    return planes_.data() + (static_cast<HeapSize>(n) & (ring_ - 1)) * count_;
  }

  const HeapSize block_;
  const TypedTapKernels<T>& kernels_;
  TapList far_;   ///< partners are two blocks back or more
  TapList near_;  ///< the others
  const SlidingWindow<T>& codes_;
  const FarParts parts_;
  const std::size_t count_;
  const HeapSize
      ring_;  ///< number of heaps with planes: a power of two, because a division takes longer
  std::vector<std::uint8_t> planes_;
};

}  // namespace grundy::sparse
