// SPDX-License-Identifier: MIT
#include "table/lattice_array.hpp"

#include <utility>

#include "core/value_copy.hpp"

namespace grundy {
namespace {

ChunkGrid whole(const Layout& layout) {
  const auto extent = array_extent(layout);
  return {extent, extent};
}

}  // namespace

LatticeArray::LatticeArray(const Layout& layout, bool sorted_tiles)
    : layout_(layout),
      assembler_(
          whole(layout), layout.planes, ValueWidth::kU8,
          [](std::size_t bytes) { return Bytes(bytes); },
          [this](std::uint64_t, Bytes bytes) { bytes_ = std::move(bytes); }),
      scatter_(layout, sorted_tiles, assembler_) {}

Flow LatticeArray::put(const Stretch& stretch) {
  const ValueWidth needed = storable_width(stretch.values);
  if (needed > assembler_.width()) assembler_.widen(needed);
  scatter_.put(stretch);
  return Flow::kContinue;
}

}  // namespace grundy
