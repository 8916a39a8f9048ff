/// @file
/// The independent parts of the far work of a block.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>

#include <grundy/types.hpp>

#include "engines/heap/sparse/sliding_window.hpp"

namespace grundy::sparse {

class FarParts {
 public:
  /// @param least the least number of heaps in a part, a multiple of 64
  /// @param most the largest number of parts, unless they would be smaller
  FarParts(HeapSize least, HeapSize most) : least_(least), most_(most) {}

  [[nodiscard]] std::size_t count(const HeapRange& block) const noexcept {
    return (block.heaps() + size(block) - 1) / size(block);
  }
  /// The heaps of one part of a block.
  [[nodiscard]] HeapRange part(const HeapRange& block, std::size_t i) const noexcept {
    const HeapIndex begin = block.begin + static_cast<HeapIndex>(i * size(block));
    return {begin, std::min(begin + static_cast<HeapIndex>(size(block)), block.end)};
  }

 private:
  [[nodiscard]] HeapSize size(const HeapRange& block) const noexcept {
    return std::max(least_, block.heaps() / most_ / 64 * 64);
  }

  HeapSize least_, most_;
};

}  // namespace grundy::sparse
