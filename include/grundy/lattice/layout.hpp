/// @file
/// The entries of a lattice table and their order: the one in which values are stored, exported,
/// counted and digested, whatever the tiles in which an engine finds them.
///
/// A table of a box has its positions in row-major order, the last heap fastest. A sorted table has
/// one position for each multiset of heaps, in the order of ranks (lattice/rank.hpp). The values of
/// a position, one for each plane of the rule, follow each other.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <utility>

#include <grundy/lattice/rank.hpp>
#include <grundy/lattice/tile.hpp>

namespace grundy {

/// Puts the heaps into ascending order, by insertion: there are six at most.
constexpr void sort_heaps(unsigned heaps, Point& p) noexcept {
  for (unsigned i = 1; i < heaps; ++i) {
    for (unsigned j = i; j > 0 && p[j - 1] > p[j]; --j) std::swap(p[j - 1], p[j]);
  }
}

/// Which entries a table has, and where.
struct LatticeLayout {
  LatticeShape shape{};
  unsigned planes = 1;  ///< LatticeRule::planes()

  /// The box of all positions has fewer than 2^60 entries. What a file or a caller says of a shape
  /// is to be asked first; no table is larger.
  [[nodiscard]] constexpr bool is_countable() const noexcept {
    std::uint64_t entries = planes;
    for (unsigned i = 0; i < shape.heaps; ++i) {
      if (shape.extent[i] == 0) return false;
      if (entries > ((std::uint64_t{1} << 60) - 1) / shape.extent[i]) return false;
      entries *= shape.extent[i];
    }
    return true;
  }
  /// @pre is_countable()
  [[nodiscard]] std::uint64_t positions() const noexcept {
    if (shape.sorted) return sorted_count(shape.heaps, shape.extent[0]);
    std::uint64_t count = 1;
    for (unsigned i = 0; i < shape.heaps; ++i) count *= shape.extent[i];
    return count;
  }
  [[nodiscard]] std::uint64_t entries() const noexcept { return positions() * planes; }

  /// Every heap is in the table; the order of the heaps is free in a sorted one.
  [[nodiscard]] bool contains(const Point& p) const noexcept {
    for (unsigned i = 0; i < shape.heaps; ++i) {
      if (p[i] >= shape.extent[i]) return false;
    }
    return true;
  }
  /// The number of an entry. @pre contains(p), plane < planes
  [[nodiscard]] std::uint64_t entry_of(Point p, unsigned plane = 0) const noexcept {
    if (shape.sorted) {
      sort_heaps(shape.heaps, p);
      return rank_of(shape.heaps, p) * planes + plane;
    }
    std::uint64_t index = 0;
    for (unsigned i = 0; i < shape.heaps; ++i) index = index * shape.extent[i] + p[i];
    return index * planes + plane;
  }
  /// The position of an entry. @pre entry < entries()
  [[nodiscard]] Point position_at(std::uint64_t entry) const noexcept {
    std::uint64_t index = entry / planes;
    if (shape.sorted) return position_of(shape.heaps, index);
    Point p{};
    for (unsigned i = shape.heaps; i-- > 0; index /= shape.extent[i]) {
      p[i] = static_cast<std::uint32_t>(index % shape.extent[i]);
    }
    return p;
  }

  friend bool operator==(const LatticeLayout&, const LatticeLayout&) = default;
};

}  // namespace grundy
