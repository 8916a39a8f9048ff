/// @file
/// From blocks and tiles, as engines hand them over, to the entries of a stored table.
///
/// A symmetric game is computed for sorted positions only. If the table is sorted, a value goes to
/// the rank of its position; if not, to every position with the same heaps in another order. Values
/// are moved in runs along the smallest heap: positions that differ only in that heap have
/// consecutive ranks.
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <grundy/layout.hpp>
#include <grundy/sink.hpp>

#include "table/chunk_grid.hpp"

namespace grundy {

/// Takes the entries of a table, in any order.
class EntrySink {
 public:
  virtual ~EntrySink() = default;
  /// Takes the entries from `at` along `axis`; with planes, one for each plane at each place of the
  /// axis. Every entry comes once. @pre they are in the array
  virtual void put(ChunkGrid::Axes at, unsigned axis, Values values) = 0;
};

/// Hands entries in their order to `out`, line by line along the last axis of the positions.
/// @pre `begin` is the first entry of a position, and the last value is the last one of a position
void put_in_order(const Layout& layout, std::uint64_t begin, Values values, EntrySink& out);

class TileScatter {
 public:
  /// @param sorted_tiles the tiles, and the numbers of stretches without a tile, are those of the
  ///   sorted shape. @pre true if the table is sorted
  TileScatter(const Layout& layout, bool sorted_tiles, EntrySink& out)
      : layout_(layout), sorted_tiles_(sorted_tiles), out_(out) {}

  /// @pre as for put_in_order() if the stretch is no tile
  void put(const Stretch& stretch);

 private:
  void put_box(const Tile& tile, Values values);
  void put_ranks(std::uint64_t first, Values values);
  void put_sorted_box(const Tile& tile, Values values);
  void put_mirrored(const Tile& tile, Values values);
  void put_sorted(const LatticePoint& p, Values values);
  void put_images(const LatticePoint& p, Values values);

  Layout layout_;
  bool sorted_tiles_;
  EntrySink& out_;
  std::vector<std::byte> gathered_;
};

}  // namespace grundy
