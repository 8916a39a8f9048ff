/// @file
/// A game of two heaps in square tiles, antidiagonal after antidiagonal: the order in which the
/// engines `wavefront` and `quotients` hand values over.
///
/// Antidiagonal k has the tiles (r, c) with r + c = k, by ascending r. The positions of a tile are
/// row-major. A sorted table has only the tiles with r <= c; a tile with r = c has the positions on
/// both sides of the diagonal.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <grundy/lattice/tile.hpp>
#include <grundy/sink.hpp>

namespace grundy {

/// A tile of a table of two heaps, or a part of one: x0 <= x < x0 + nx, y0 <= y < y0 + ny.
struct TileArea {
  std::uint32_t x0, y0, nx, ny;
  bool sorted;  ///< only x <= y is computed; the values of y > x are copied from (y, x)

  [[nodiscard]] std::uint64_t size() const noexcept { return std::uint64_t{nx} * ny; }
  /// The number of positions that are computed.
  [[nodiscard]] std::uint64_t positions() const noexcept {
    return sorted && x0 == y0 ? nx * (nx + 1ull) / 2 : size();
  }
  /// Hands its values to `sink`, which has received `handed` values so far.
  Flow put(Values values, ValueSink& sink, std::uint64_t& handed) const;
};

class DiagonalTiles {
 public:
  /// The largest extent that these engines accept, so that a list of all antidiagonals stays small.
  static constexpr std::uint32_t kLargestExtent = 1u << 24;
  static constexpr std::uint32_t kLeastEdge = 8;

  /// @pre shape.heaps == 2, edge >= 1
  DiagonalTiles(const LatticeShape& shape, std::uint32_t edge);

  [[nodiscard]] std::uint32_t edge() const noexcept { return edge_; }
  /// The number of antidiagonals.
  [[nodiscard]] std::uint64_t layers() const noexcept { return rows_ + columns_ - 1; }
  /// The least row r of an antidiagonal.
  [[nodiscard]] std::uint64_t first_row(std::uint64_t layer) const noexcept {
    return layer < columns_ ? 0 : layer - columns_ + 1;
  }
  /// The number of tiles in an antidiagonal; 0 after the last one.
  [[nodiscard]] std::size_t tiles_in(std::uint64_t layer) const noexcept;
  /// The tile (row, layer - row).
  [[nodiscard]] TileArea area(std::uint64_t layer, std::uint64_t row) const noexcept;

 private:
  const LatticeShape shape_;
  const std::uint32_t edge_;
  const std::uint64_t rows_, columns_;  ///< numbers of rows and columns of tiles
};

/// Maps positions to their numbers in this order, and numbers to positions.
class DiagonalOrder {
 public:
  DiagonalOrder(const LatticeShape& shape, std::uint32_t edge);

  [[nodiscard]] std::uint64_t count() const noexcept { return begins_.back(); }
  /// The number of a position. In a sorted table, (x, y) and (y, x) have that of the one with
  /// x <= y.
  [[nodiscard]] std::uint64_t number_of(std::uint32_t x, std::uint32_t y) const noexcept;
  /// @pre number < count()
  [[nodiscard]] LatticePoint position_at(std::uint64_t number) const noexcept;
  /// The least extents that contain the first `count` positions. @pre count >= 1
  [[nodiscard]] LatticePoint extent_of_first(std::uint64_t count) const noexcept;

 private:
  [[nodiscard]] std::uint64_t layer_of(std::uint64_t number) const noexcept;
  [[nodiscard]] std::uint64_t before(std::uint64_t layer, std::uint64_t row) const noexcept;

  const LatticeShape shape_;
  const DiagonalTiles tiles_;
  std::vector<std::uint64_t>
      begins_;  ///< number of the first position of each antidiagonal, then the end
};

}  // namespace grundy
