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
  struct Heaps {
    HeapIndex first, end;
  };

  /// @param least the least number of heaps in a part, a multiple of 64
  /// @param most the largest number of parts, unless they would be smaller
  FarParts(HeapSize block, HeapSize least, HeapSize most)
      : block_(block), size_(std::max(least, block / most / 64 * 64)) {}

  [[nodiscard]] std::size_t count() const noexcept { return (block_ + size_ - 1) / size_; }
  /// The heaps of one part of the block that begins at heap `begin`.
  [[nodiscard]] Heaps heaps(HeapIndex begin, std::size_t part) const noexcept {
    const HeapIndex first = begin + static_cast<HeapIndex>(part * size_);
    return {first, std::min(first + static_cast<HeapIndex>(size_),
                            begin + static_cast<HeapIndex>(block_))};
  }

 private:
  HeapSize block_, size_;
};

}  // namespace grundy::sparse
