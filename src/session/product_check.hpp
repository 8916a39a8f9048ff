/// @file
/// The table in the file is the one that was computed and sealed.
///
/// Tiles pass here first, then they are sealed, then they are put into chunks, which may take hours
/// until a chunk is whole. What has turned in memory meanwhile has a digest of its own only
/// afterwards. So the sums of all entries by their places (table/place_sums.hpp) are taken before a
/// tile is sealed and again when the file is read back. If they agree, and the tile had the digest
/// that was sealed with it, each value of the file is the sealed one.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include <grundy/lattice/layout.hpp>
#include <grundy/lattice/tile.hpp>
#include <grundy/sink.hpp>

#include "table/place_sums.hpp"
#include "table/tile_scatter.hpp"

namespace grundy {

class ProductCheck final : public TileSink {
 public:
  /// @param sorted_tiles as TileScatter has it
  /// @param next where tiles go, to be sealed and stored
  ProductCheck(const LatticeLayout& stored, bool sorted_tiles, TileSink& next)
      : stored_(stored),
        computed_(stored),
        read_(stored),
        scatter_(stored, sorted_tiles, computed_),
        next_(next) {}

  Flow put(const Tile& tile) override {
    scatter_.put(tile);
    return next_.put(tile);
  }

  /// Takes the entries in their order, as they are read back, and hands them on.
  class Reader final : public BlockSink {
   public:
    Reader(ProductCheck& check, BlockSink& next) : check_(check), next_(next) {}
    Flow put(const Block& block) override {
      check_.read_.put_in_order(block.begin, block.values);
      return next_.put(block);
    }

   private:
    ProductCheck& check_;
    BlockSink& next_;
  };

  /// @pre all tiles came, and a Reader has taken all entries
  /// @throws Error(kFailure) naming the first part of the table that is not as it was computed
  void compare(const std::filesystem::path& table) const;

 private:
  const LatticeLayout stored_;
  PlaceSums computed_;
  PlaceSums read_;
  TileScatter scatter_;
  TileSink& next_;
};

}  // namespace grundy
