/// @file
/// Maps values to positions: in the order in which a table keeps its values, or in the order in
/// which an engine hands them over and a run seals them.
///
/// Every order is topological: the options of a position come before it. The order of a table is
/// its Layout. It is wrapped here together with the others, so that proofs of values need not know
/// whether the values come from a table or from a run.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include <grundy/lattice/rule.hpp>
#include <grundy/layout.hpp>

#include "engines/lattice/diagonal_tiles.hpp"

namespace grundy {

/// Values of LatticeEngine::tile_order(): for engines that hand over slab by slab, and for tiles by
/// antidiagonals.
inline constexpr const char* kTableOrder = "the order of the table";
std::string diagonal_order_name(std::uint32_t edge);

class ValueOrder {
 public:
  /// The order of the entries of a table.
  explicit ValueOrder(const Layout& layout) : layout_(layout) {}
  /// The order that LatticeEngine::tile_order() calls `name`. @throws Error(kCorrupt) if the layout
  /// has no order of that name
  ValueOrder(const Layout& layout, const std::string& name);

  /// The layout of the positions, in any order.
  [[nodiscard]] const Layout& layout() const noexcept { return layout_; }
  /// Whether the numbers are those of the entries of the layout.
  [[nodiscard]] bool is_of_table() const noexcept { return !tiles_; }
  [[nodiscard]] std::uint64_t count() const noexcept {
    return tiles_ ? tiles_->count() * layout_.planes : layout_.entries();
  }
  /// @pre layout().contains(p)
  [[nodiscard]] std::uint64_t number_of(const LatticePoint& p, unsigned plane) const noexcept {
    return tiles_ ? tiles_->number_of(p[0], p[1]) * layout_.planes + plane
                  : layout_.entry_of(p, plane);
  }
  /// @pre number < count()
  [[nodiscard]] LatticePoint position_at(std::uint64_t number) const noexcept {
    return tiles_ ? tiles_->position_at(number / layout_.planes) : layout_.position_at(number);
  }
  [[nodiscard]] unsigned plane_of(std::uint64_t number) const noexcept {
    return static_cast<unsigned>(number % layout_.planes);
  }
  /// A smallest shape that holds the positions of the first `count` values. In the order of a
  /// table, an entry has the same number in that shape. @pre 1 <= count <= this->count()
  [[nodiscard]] LatticeShape shape_of_first(std::uint64_t count) const noexcept;

 private:
  Layout layout_;
  std::optional<DiagonalOrder> tiles_;
};

/// Calls `visit` with the number of every option of a position; options may repeat. The pass is
/// included: it may be used once, from a position that has another option.
void for_each_option(const LatticeRule& rule, const ValueOrder& order, std::uint64_t number,
                     const std::function<void(std::uint64_t)>& visit);

/// The most options that for_each_option() looks at.
double option_bound(const LatticeRule& rule, const ValueOrder& order, std::uint64_t number);

/// `(3, 5)`, and whether a pass is left if the rule has one.
std::string position_name(const Layout& layout, const LatticePoint& p, unsigned plane);
/// The name of the position of a value in a ValueOrder or a StripeOrder.
template <class Order>
std::string position_name(const Order& order, std::uint64_t number) {
  return position_name(order.layout(), order.position_at(number), order.plane_of(number));
}

}  // namespace grundy
