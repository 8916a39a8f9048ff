/// @file
/// The table of a lattice game in memory: tiles go in, entries in order come out.
// SPDX-License-Identifier: MIT
#pragma once

#include <grundy/layout.hpp>

#include "table/chunk_assembler.hpp"
#include "table/tile_scatter.hpp"

namespace grundy {

/// A ValueSink that keeps all values, at a width that holds them.
class LatticeArray final : public ValueSink {
 public:
  /// @param sorted_tiles the tiles are those of the sorted shape, whether the table is sorted or
  ///   not
  /// @param width of the values that are expected. The array is copied if wider ones come.
  LatticeArray(const Layout& layout, bool sorted_tiles, ValueWidth width = ValueWidth::kU8);

  Flow put(const Stretch& tile) override;

  [[nodiscard]] const Layout& layout() const noexcept { return layout_; }
  /// The entries, in their order. @pre all tiles were put
  [[nodiscard]] Values values() const noexcept {
    return {bytes_.data(), layout_.entries(), assembler_.width()};
  }
  [[nodiscard]] Nimber at(const LatticePoint& p, unsigned plane = 0) const noexcept {
    return values()[layout_.entry_of(p, plane)];
  }

 private:
  Layout layout_;
  Bytes bytes_;
  ChunkAssembler assembler_;
  TileScatter scatter_;
};

}  // namespace grundy
