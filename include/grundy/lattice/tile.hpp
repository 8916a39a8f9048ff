/// @file
/// The shape of a lattice table, and the places of its parts.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include <grundy/lattice/rule.hpp>
#include <grundy/types.hpp>

namespace grundy {

/// The positions of a table: what one asks for, and what engines compute.
///
/// A Layout (grundy/layout.hpp) is made from a shape and the planes of the rule. There are two
/// types for two reasons. A shape belongs to several rules, while the entries of a table are
/// numbered with the planes of one. The extents of a shape have the type of heaps in a position,
/// with which engines compare them, while a table of one heap has an extent of 48 bits.
struct LatticeShape {
  unsigned heaps = 2;
  LatticePoint extent{};  ///< heap i has 0 .. extent[i] - 1 tokens; extent[i] >= 1
  bool sorted = false;    ///< only x1 <= x2 <= .. (all extents are equal); needs a symmetric rule

  /// The cube of heaps below `size`.
  static LatticeShape cube(unsigned heaps, std::uint32_t size, bool sorted = false) noexcept {
    LatticeShape shape{heaps, {}, sorted};
    for (unsigned i = 0; i < heaps; ++i) shape.extent[i] = size;
    return shape;
  }
  /// The tokens of the largest position. No play has more moves, but for a pass.
  [[nodiscard]] std::uint64_t most_tokens() const noexcept {
    std::uint64_t tokens = 0;
    for (unsigned i = 0; i < heaps; ++i) tokens += extent[i] - 1;
    return tokens;
  }
  friend bool operator==(const LatticeShape&, const LatticeShape&) = default;
};

/// The place of a stretch of values in a table: a box of positions, in row-major order with the
/// last heap fastest; or, for a sorted table, a run of consecutive ranks (lattice/rank.hpp). The
/// values of the planes of a position (LatticeRule::planes) stand next to each other.
///
/// A box of a sorted table of two heaps that crosses the diagonal is filled on both sides of it.
struct Tile {
  std::optional<std::uint64_t> first_rank;  ///< set: a run of ranks; origin and extent are empty
  LatticePoint origin{}, extent{};
};

}  // namespace grundy
