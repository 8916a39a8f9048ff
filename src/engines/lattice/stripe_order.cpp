// SPDX-License-Identifier: MIT
#include "engines/lattice/stripe_order.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace grundy {

TileArea tile_of_slab(const LatticeShape& shape, std::uint32_t edge, std::uint64_t slab,
                      std::uint64_t place) noexcept {
  const auto x0 = static_cast<std::uint32_t>((shape.sorted ? place : slab) * edge);
  const auto y0 = static_cast<std::uint32_t>((shape.sorted ? slab : place) * edge);
  return {x0, y0, std::min(edge, shape.extent[0] - x0), std::min(edge, shape.extent[1] - y0),
          shape.sorted};
}

std::uint64_t places_of_slab(const LatticeShape& shape, std::uint32_t edge,
                             std::uint64_t slab) noexcept {
  return shape.sorted ? slab + 1 : (shape.extent[1] - 1) / edge + 1;
}

std::string StripeOrder::name() const {
  return fmt::format("slabs {} to {}, place by place of tiles of {}", begin_, end_ - 1, edge_);
}

void StripeOrder::for_each_tile(const std::function<bool(const TileArea&)>& visit) const {
  const std::uint64_t first = begin_ / edge_;
  const std::uint64_t last = (end_ - 1) / edge_;
  for (std::uint64_t place = 0; place < places_of_slab(shape_, edge_, last); ++place) {
    for (std::uint64_t slab = first; slab <= last; ++slab) {
      if (place >= places_of_slab(shape_, edge_, slab)) continue;
      if (!visit(tile_of_slab(shape_, edge_, slab, place))) return;
    }
  }
}

std::uint64_t StripeOrder::count() const {
  std::uint64_t count = 0;
  for_each_tile([&](const TileArea& tile) {
    count += tile.size();
    return true;
  });
  return count;
}

LatticePoint StripeOrder::position_at(std::uint64_t number) const {
  LatticePoint position{};
  for_each_tile([&](const TileArea& tile) {
    if (number < tile.size()) {
      position = {tile.x0 + static_cast<std::uint32_t>(number / tile.ny),
                  tile.y0 + static_cast<std::uint32_t>(number % tile.ny)};
      return false;
    }
    number -= tile.size();
    return true;
  });
  return position;
}

}  // namespace grundy
