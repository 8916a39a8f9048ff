/// @file
/// A plane in square tiles, antidiagonal after antidiagonal: the order in which the engine
/// `wavefront` hands values over.
///
/// Antidiagonal k has the tiles (r, c) with r + c = k, by ascending r. Values of a tile are
/// row-major. Of a sorted plane there are the tiles with r <= c, and those with r = c are filled on
/// both sides of the diagonal.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <grundy/lattice/tile.hpp>

namespace grundy {

/// A tile of a plane: x0 <= x < x0 + nx, y0 <= y < y0 + ny.
struct TileArea {
  std::uint32_t x0, y0, nx, ny;
  bool sorted;  ///< only x <= y is computed; the values of y > x are copied from (y, x)

  [[nodiscard]] std::uint64_t size() const noexcept { return std::uint64_t{nx} * ny; }
};

class DiagonalTiles {
 public:
  /// Planes that the engine takes, so that a list of all antidiagonals takes little memory.
  static constexpr std::uint32_t kLargestExtent = 1u << 24;
  static constexpr std::uint32_t kLeastEdge = 8;

  /// @pre shape.heaps == 2, edge >= 1
  DiagonalTiles(const LatticeShape& shape, std::uint32_t edge);

  [[nodiscard]] std::uint32_t edge() const noexcept { return edge_; }
  /// Antidiagonals.
  [[nodiscard]] std::uint64_t layers() const noexcept { return rows_ + columns_ - 1; }
  /// The least r of an antidiagonal.
  [[nodiscard]] std::uint64_t first_row(std::uint64_t layer) const noexcept {
    return layer < columns_ ? 0 : layer - columns_ + 1;
  }
  /// Tiles in an antidiagonal; none behind the last.
  [[nodiscard]] std::size_t tiles_in(std::uint64_t layer) const noexcept;
  /// The tile (row, layer - row).
  [[nodiscard]] TileArea area(std::uint64_t layer, std::uint64_t row) const noexcept;

 private:
  const LatticeShape shape_;
  const std::uint32_t edge_;
  const std::uint64_t rows_, columns_;  ///< of tiles
};

/// The values of such tiles by their numbers.
class DiagonalOrder {
 public:
  DiagonalOrder(const LatticeShape& shape, std::uint32_t edge);

  [[nodiscard]] std::uint64_t count() const noexcept { return begins_.back(); }
  /// The number of a position's value; in a sorted plane the one with x <= y.
  [[nodiscard]] std::uint64_t number_of(std::uint32_t x, std::uint32_t y) const noexcept;
  /// The position of a value. @pre number < count()
  [[nodiscard]] Point position_at(std::uint64_t number) const noexcept;
  /// The extents that the first `count` values need. @pre count >= 1
  [[nodiscard]] Point extent_of_first(std::uint64_t count) const noexcept;

 private:
  [[nodiscard]] std::uint64_t layer_of(std::uint64_t number) const noexcept;
  [[nodiscard]] std::uint64_t before(std::uint64_t layer, std::uint64_t row) const noexcept;

  const LatticeShape shape_;
  const DiagonalTiles tiles_;
  std::vector<std::uint64_t> begins_;  ///< number of the first value of each antidiagonal; the end
};

}  // namespace grundy
