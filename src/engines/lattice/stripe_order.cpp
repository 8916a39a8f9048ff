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
  return count * layout_.planes;
}

LatticePoint StripeOrder::position_at(std::uint64_t number) const {
  LatticePoint position{};
  number /= layout_.planes;
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

std::uint64_t StripeOrder::number_of(const LatticePoint& p, unsigned plane) const noexcept {
  return place_of(p) * layout_.planes + plane;
}

/// The number of a position among the positions of one plane.
std::uint64_t StripeOrder::place_of(const LatticePoint& p) const noexcept {
  const auto edge_from = [this](std::uint64_t first, std::uint32_t extent) {
    return std::min<std::uint64_t>(edge_, extent - first);
  };
  if (!shape_.sorted) {
    const std::uint64_t y0 = p[1] / edge_ * edge_;
    return y0 * (end_ - begin_) + (p[0] - begin_) * edge_from(y0, shape_.extent[1]) + (p[1] - y0);
  }
  const std::uint64_t x = std::min(p[0], p[1]);
  const std::uint64_t y = std::max(p[0], p[1]);
  const std::uint64_t x0 = x / edge_ * edge_;
  const std::uint64_t y0 = y / edge_ * edge_;
  std::uint64_t number = 0;
  for (std::uint64_t before = 0; before < x0; before += edge_) {
    number += edge_ * (end_ - std::max<std::uint64_t>(begin_, before));
  }
  number += (y0 - std::max<std::uint64_t>(begin_, x0)) * edge_from(x0, shape_.extent[0]);
  return number + (x - x0) * edge_from(y0, shape_.extent[1]) + (y - y0);
}

}  // namespace grundy
