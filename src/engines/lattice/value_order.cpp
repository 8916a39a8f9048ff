// SPDX-License-Identifier: MIT
#include "engines/lattice/value_order.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <grundy/error.hpp>
#include <grundy/lattice/options.hpp>

#include "core/text.hpp"

namespace grundy {
namespace {

constexpr std::string_view kDiagonalPrefix = "antidiagonals of tiles of ";

}  // namespace

std::string diagonal_order_name(std::uint32_t edge) {
  return fmt::format("{}{}", kDiagonalPrefix, edge);
}

ValueOrder::ValueOrder(const Layout& layout, const std::string& name) : layout_(layout) {
  if (name == kTableOrder) return;
  std::uint32_t edge = 0;
  if (std::string_view(name).starts_with(kDiagonalPrefix)) {
    std::from_chars(name.data() + kDiagonalPrefix.size(), name.data() + name.size(), edge);
  }
  const auto& extent = layout.extent;
  if (edge < DiagonalTiles::kLeastEdge || name != diagonal_order_name(edge) || layout.heaps != 2 ||
      std::max(extent[0], extent[1]) > DiagonalTiles::kLargestExtent) {
    throw Error(ErrorCode::kCorrupt,
                fmt::format("{} is no order of the values of this game", in_quotes(name)));
  }
  tiles_.emplace(layout.shape(), edge);
}

LatticeShape ValueOrder::shape_of_first(std::uint64_t count) const noexcept {
  LatticeShape shape = layout_.shape();
  if (tiles_) {
    shape.extent = tiles_->extent_of_first((count - 1) / layout_.planes + 1);
  } else if (shape.sorted) {
    const LatticePoint last = layout_.position_at(count - 1);
    shape = LatticeShape::cube(shape.heaps, last[shape.heaps - 1] + 1, true);
  } else {
    shape.extent[0] = layout_.position_at(count - 1)[0] + 1;
  }
  return shape;
}

void for_each_option(const LatticeRule& rule, const ValueOrder& order, std::uint64_t number,
                     const std::function<void(std::uint64_t)>& visit) {
  for_each_option(
      rule, order.position_at(number), order.plane_of(number),
      [&](const LatticePoint& option, unsigned plane) { visit(order.number_of(option, plane)); });
}

double option_bound(const LatticeRule& rule, const ValueOrder& order, std::uint64_t number) {
  return option_bound(rule, order.position_at(number)) + order.plane_of(number);
}

std::string position_name(const Layout& layout, const LatticePoint& p, unsigned plane) {
  const std::string text =
      fmt::format("({})", fmt::join(p.begin(), p.begin() + layout.heaps, ", "));
  if (layout.planes == 1) return text;
  return text + (plane == 0 ? " without a pass" : " with a pass");
}

}  // namespace grundy
