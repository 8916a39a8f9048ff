// SPDX-License-Identifier: MIT
#include "engines/lattice/diagonal_tiles.hpp"

#include <algorithm>
#include <utility>

namespace grundy {

Flow TileArea::put(Values values, ValueSink& sink, std::uint64_t& handed) const {
  const Tile tile{.first_rank = {}, .origin = {x0, y0}, .extent = {nx, ny}};
  const Flow flow = sink.put({.begin = handed, .values = values, .table = {}, .tile = &tile});
  if (flow == Flow::kContinue) handed += values.size();
  return flow;
}

DiagonalTiles::DiagonalTiles(const LatticeShape& shape, std::uint32_t edge)
    : shape_(shape),
      edge_(edge),
      rows_((shape.extent[0] - 1) / edge + 1),
      columns_((shape.extent[1] - 1) / edge + 1) {}

std::size_t DiagonalTiles::tiles_in(std::uint64_t layer) const noexcept {
  const std::uint64_t last = shape_.sorted ? layer / 2 : std::min(layer, rows_ - 1);
  const std::uint64_t first = first_row(layer);
  return layer >= layers() || last < first ? 0 : last - first + 1;
}

TileArea DiagonalTiles::area(std::uint64_t layer, std::uint64_t row) const noexcept {
  const auto x0 = static_cast<std::uint32_t>(row * edge_);
  const auto y0 = static_cast<std::uint32_t>((layer - row) * edge_);
  return {x0, y0, std::min(edge_, shape_.extent[0] - x0), std::min(edge_, shape_.extent[1] - y0),
          shape_.sorted};
}

DiagonalOrder::DiagonalOrder(const LatticeShape& shape, std::uint32_t edge)
    : shape_(shape), tiles_(shape, edge), begins_{0} {
  begins_.reserve(tiles_.layers() + 1);
  for (std::uint64_t layer = 0; layer < tiles_.layers(); ++layer) {
    const std::uint64_t last = tiles_.first_row(layer) + tiles_.tiles_in(layer) - 1;
    begins_.push_back(begins_.back() + before(layer, last) + tiles_.area(layer, last).size());
  }
}

/// The number of values of an antidiagonal before those of a row of tiles. All tiles are whole
/// except the first and the last one.
std::uint64_t DiagonalOrder::before(std::uint64_t layer, std::uint64_t row) const noexcept {
  const std::uint64_t first = tiles_.first_row(layer);
  if (row == first) return 0;
  const std::uint64_t whole = std::uint64_t{tiles_.edge()} * tiles_.edge();
  return tiles_.area(layer, first).size() + (row - first - 1) * whole;
}

std::uint64_t DiagonalOrder::number_of(std::uint32_t x, std::uint32_t y) const noexcept {
  if (shape_.sorted && x > y) std::swap(x, y);
  const std::uint64_t row = x / tiles_.edge();
  const std::uint64_t layer = row + y / tiles_.edge();
  const TileArea tile = tiles_.area(layer, row);
  return begins_[layer] + before(layer, row) + std::uint64_t{x - tile.x0} * tile.ny + (y - tile.y0);
}

std::uint64_t DiagonalOrder::layer_of(std::uint64_t number) const noexcept {
  return static_cast<std::uint64_t>(std::ranges::upper_bound(begins_, number) - begins_.begin()) -
         1;
}

LatticePoint DiagonalOrder::position_at(std::uint64_t number) const noexcept {
  const std::uint64_t layer = layer_of(number);
  std::uint64_t rest = number - begins_[layer];
  std::uint64_t row = tiles_.first_row(layer);
  const std::uint64_t first = tiles_.area(layer, row).size();
  if (rest >= first) {
    row += 1 + (rest - first) / (std::uint64_t{tiles_.edge()} * tiles_.edge());
    rest -= before(layer, row);
  }
  const TileArea tile = tiles_.area(layer, row);
  return {tile.x0 + static_cast<std::uint32_t>(rest / tile.ny),
          tile.y0 + static_cast<std::uint32_t>(rest % tile.ny)};
}

LatticePoint DiagonalOrder::extent_of_first(std::uint64_t count) const noexcept {
  const std::uint64_t most = (layer_of(count - 1) + 1) * tiles_.edge();
  LatticePoint extent = shape_.extent;
  for (unsigned i = 0; i < 2; ++i) {
    extent[i] = static_cast<std::uint32_t>(std::min<std::uint64_t>(extent[i], most));
  }
  return extent;
}

}  // namespace grundy
