// SPDX-License-Identifier: MIT
#include "table/lattice_array.hpp"

#include <utility>

#include "core/huge_pages.hpp"
#include "core/value_copy.hpp"

namespace grundy {
namespace {

ChunkGrid whole(const Layout& layout) {
  const auto extent = array_extent(layout);
  return {extent, extent};
}

/// Tiles write to many places of the array at a time.
Bytes memory_of(std::size_t bytes) {
  Bytes memory;
  memory.reserve(bytes);
  ask_for_huge_pages(memory.data(), bytes);
  memory.resize(bytes);
  return memory;
}

}  // namespace

LatticeArray::LatticeArray(const Layout& layout, bool sorted_tiles, ValueWidth width)
    : layout_(layout),
      assembler_(
          whole(layout), layout.planes, width, [](std::size_t bytes) { return memory_of(bytes); },
          [this](std::uint64_t, Bytes bytes) { bytes_ = std::move(bytes); }),
      scatter_(layout, sorted_tiles, assembler_) {}

Flow LatticeArray::put(const Stretch& stretch) {
  const ValueWidth needed = storable_width(stretch.values);
  if (needed > assembler_.width()) assembler_.widen(needed);
  scatter_.put(stretch);
  return Flow::kContinue;
}

}  // namespace grundy
