/// @file
/// The lines of a table of two heaps that cross a border between two slabs of positions.
///
/// A rank sends a line to the rank with the next slabs when the line has left its own slabs. Every
/// line crosses a border at most once, because no step is negative.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include <grundy/lattice/tile.hpp>

#include "engines/lattice/line_sets.hpp"

namespace grundy {

class LineBorder {
 public:
  /// @param slab the first slab after the border; the end of the table also counts as a border
  LineBorder(const LatticeShape& shape, const std::vector<LineAccess>& accesses, std::uint32_t slab)
      : shape_(shape), accesses_(accesses), slab_(slab) {}

  [[nodiscard]] std::uint32_t slab() const noexcept { return slab_; }
  /// The lines whose last position before the border is at one of the places begin .. end-1 of its
  /// slab. They are ascending, each once. Cost: (longest step) * (end - begin) for each ray.
  [[nodiscard]] std::vector<std::uint64_t> lines(std::uint32_t begin, std::uint32_t end) const;

 private:
  LatticeShape shape_;
  std::vector<LineAccess> accesses_;
  std::uint32_t slab_;
};

}  // namespace grundy
