/// @file
/// Which entries a table has, and their order: the one in which values are stored, exported,
/// counted and digested, whatever the parts in which an engine finds them.
///
/// A table of a heap game has one axis: entry n is a heap of n tokens. A table of a lattice game is
/// a box of positions in row-major order, the last heap fastest; or it is *sorted* and has one
/// position for each multiset of heaps, in the order of ranks (lattice/rank.hpp). The values of a
/// position, one for each plane of the rule, follow each other.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include <grundy/lattice/rank.hpp>
#include <grundy/lattice/tile.hpp>
#include <grundy/types.hpp>

namespace grundy {

namespace detail {

/// Puts the heaps into ascending order, by insertion, because they are few (kMaxLatticeHeaps).
constexpr void sort_heaps(unsigned heaps, LatticePoint& p) noexcept {
  for (unsigned i = 1; i < heaps; ++i) {
    for (unsigned j = i; j > 0 && p[j - 1] > p[j]; --j) std::swap(p[j - 1], p[j]);
  }
}

}  // namespace detail

/// The layout of several heaps is made from a LatticeShape, where the reason for two types stands.
struct Layout {
  unsigned heaps = 1;  ///< heaps of a position: 1 in a table of a heap game
  /// Heap i has 0 .. extent[i] - 1 tokens; the extents of a sorted table are equal.
  std::array<std::uint64_t, kMaxLatticeHeaps> extent{};
  bool sorted = false;
  unsigned planes = 1;  ///< values per position: LatticeRule::planes()

  /// The heaps below `count`.
  static constexpr Layout of_heaps(HeapSize count) noexcept {
    return {.heaps = 1, .extent = {count}};
  }
  /// The positions of `shape`.
  static constexpr Layout of(const LatticeShape& shape, unsigned planes) noexcept {
    Layout layout{.heaps = shape.heaps, .sorted = shape.sorted, .planes = planes};
    for (unsigned i = 0; i < shape.heaps; ++i) layout.extent[i] = shape.extent[i];
    return layout;
  }

  /// Positions have several heaps.
  [[nodiscard]] constexpr bool is_lattice() const noexcept { return heaps > 1; }
  /// The positions. @pre is_lattice()
  [[nodiscard]] constexpr LatticeShape shape() const noexcept {
    LatticeShape shape{heaps, {}, sorted};
    for (unsigned i = 0; i < heaps; ++i) shape.extent[i] = static_cast<std::uint32_t>(extent[i]);
    return shape;
  }

  /// The box of all positions has fewer than 2^60 entries; no table of a lattice game is larger.
  /// Ask this first of a shape that comes from a file or a caller.
  [[nodiscard]] constexpr bool is_countable() const noexcept {
    std::uint64_t entries = planes;
    for (unsigned i = 0; i < heaps; ++i) {
      if (extent[i] == 0) return false;
      if (entries > ((std::uint64_t{1} << 60) - 1) / extent[i]) return false;
      entries *= extent[i];
    }
    return true;
  }
  /// @pre is_countable() if is_lattice()
  [[nodiscard]] constexpr std::uint64_t positions() const noexcept {
    if (sorted) return sorted_count(heaps, extent[0]);
    std::uint64_t count = 1;
    for (unsigned i = 0; i < heaps; ++i) count *= extent[i];
    return count;
  }
  [[nodiscard]] constexpr std::uint64_t entries() const noexcept { return positions() * planes; }

  /// Every heap is in the table; the order of the heaps is free in a sorted one.
  [[nodiscard]] constexpr bool contains(const LatticePoint& p) const noexcept {
    for (unsigned i = 0; i < heaps; ++i) {
      if (p[i] >= extent[i]) return false;
    }
    return true;
  }
  /// The number of an entry. @pre contains(p), plane < planes
  [[nodiscard]] constexpr std::uint64_t entry_of(LatticePoint p,
                                                 unsigned plane = 0) const noexcept {
    if (sorted) {
      detail::sort_heaps(heaps, p);
      return rank_of(heaps, p) * planes + plane;
    }
    std::uint64_t index = 0;
    for (unsigned i = 0; i < heaps; ++i) index = index * extent[i] + p[i];
    return index * planes + plane;
  }
  /// The position of an entry. @pre entry < entries(), and heaps have fewer than 2^32 tokens
  [[nodiscard]] constexpr LatticePoint position_at(std::uint64_t entry) const noexcept {
    std::uint64_t index = entry / planes;
    if (sorted) return position_of(heaps, index);
    LatticePoint p{};
    for (unsigned i = heaps; i-- > 0; index /= extent[i]) {
      p[i] = static_cast<std::uint32_t>(index % extent[i]);
    }
    return p;
  }
  [[nodiscard]] constexpr unsigned plane_of(std::uint64_t entry) const noexcept {
    return static_cast<unsigned>(entry % planes);
  }
  /// Steps to the next position in the order of entries; much faster than position_at() for each.
  /// After the last position of a box comes the first one.
  constexpr void step(LatticePoint& p) const noexcept {
    if (sorted) {
      unsigned turned = 0;
      while (turned + 1 < heaps && p[turned] == p[turned + 1]) p[turned++] = 0;
      ++p[turned];
      return;
    }
    for (unsigned i = heaps; i-- > 0 && ++p[i] == extent[i];) p[i] = 0;
  }

  /// The first entry of a slab, and the end of the one before it. The positions of a slab have the
  /// same size of the heap that changes slowest: the first heap, or the largest of a sorted table.
  [[nodiscard]] constexpr std::uint64_t slab_begin(std::uint64_t size) const noexcept {
    if (sorted) return sorted_count(heaps, size) * planes;
    std::uint64_t begin = size * planes;
    for (unsigned i = 1; i < heaps; ++i) begin *= extent[i];
    return begin;
  }

  friend bool operator==(const Layout&, const Layout&) = default;
};

}  // namespace grundy
