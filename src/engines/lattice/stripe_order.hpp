/// @file
/// The tiles of a stripe of a table of two heaps, in the order in which they are handed over: place
/// by place, and by slabs within a place (stripe_run.hpp). The values of a tile are row-major; the
/// values of a position in the planes are next to each other.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include <grundy/lattice/tile.hpp>
#include <grundy/layout.hpp>

#include "engines/lattice/diagonal_tiles.hpp"

namespace grundy {

/// The tile at a place of a slab of tiles.
TileArea tile_of_slab(const LatticeShape& shape, std::uint32_t edge, std::uint64_t slab,
                      std::uint64_t place) noexcept;

/// The number of tiles in a slab of tiles.
std::uint64_t places_of_slab(const LatticeShape& shape, std::uint32_t edge,
                             std::uint64_t slab) noexcept;

class StripeOrder {
 public:
  /// The stripe of the slabs begin .. end-1. @pre begin is a multiple of the edge, begin < end
  StripeOrder(const Layout& layout, std::uint32_t edge, std::uint32_t begin,
              std::uint32_t end) noexcept
      : layout_(layout), shape_(layout.shape()), edge_(edge), begin_(begin), end_(end) {}

  /// Two orders of the values of a table are equal if their names are.
  [[nodiscard]] std::string name() const;
  /// The number of values; a tile on the diagonal of a sorted table has the values of both sides.
  [[nodiscard]] std::uint64_t count() const;
  /// The position of a value. Cost: proportional to the number of tiles before it.
  /// @pre number < count()
  [[nodiscard]] LatticePoint position_at(std::uint64_t number) const;
  /// The number of the value of a position; in a sorted table the position is the one with x <= y.
  /// @pre the position is in one of the slabs
  [[nodiscard]] std::uint64_t number_of(const LatticePoint& p, unsigned plane) const noexcept;
  [[nodiscard]] unsigned plane_of(std::uint64_t number) const noexcept {
    return static_cast<unsigned>(number % layout_.planes);
  }
  [[nodiscard]] const Layout& layout() const noexcept { return layout_; }
  /// Calls `visit` with each tile in order until it returns false.
  void for_each_tile(const std::function<bool(const TileArea&)>& visit) const;

 private:
  [[nodiscard]] std::uint64_t place_of(const LatticePoint& p) const noexcept;

  Layout layout_;
  LatticeShape shape_;
  std::uint32_t edge_, begin_, end_;
};

}  // namespace grundy
