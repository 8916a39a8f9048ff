/// @file
/// From tiles, as engines hand them over, to the entries of a stored table.
///
/// A symmetric game is computed for sorted positions only. Their values go to the rank of the
/// position if the table is sorted, else to every position that has the same heaps in another
/// order. Positions that differ in the smallest heap only have consecutive ranks, so values are
/// moved in runs along that heap.
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <grundy/lattice/layout.hpp>

#include "table/entry_sink.hpp"

namespace grundy {

/// Extents of the array of a table: of the heaps or of the rank, then of the planes if there are
/// several.
std::vector<std::uint64_t> array_extent(const LatticeLayout& layout);
/// How that array is cut into chunks in a file.
ChunkGrid lattice_grid(const LatticeLayout& layout);

class TileScatter {
 public:
  /// @param sorted_tiles the tiles are those of the sorted shape. @pre so, if the table is sorted
  TileScatter(const LatticeLayout& layout, bool sorted_tiles, EntrySink& out)
      : layout_(layout), sorted_tiles_(sorted_tiles), out_(out) {}

  void put(const Tile& tile);

 private:
  void put_box(const Tile& tile);
  void put_ranks(const Tile& tile);
  void put_sorted_box(const Tile& tile);
  void put_mirrored(const Tile& tile);
  void put_sorted(const Point& p, Values values);
  void put_images(const Point& p, Values values);

  LatticeLayout layout_;
  bool sorted_tiles_;
  EntrySink& out_;
  std::vector<std::byte> gathered_;
};

}  // namespace grundy
