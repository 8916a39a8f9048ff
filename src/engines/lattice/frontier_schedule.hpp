/// @file
/// The order of work of the frontier engine: groups of slabs, tiles, and layers of tiles that are
/// independent of each other.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <grundy/lattice/rule.hpp>

#include "engines/lattice/set_plan.hpp"

namespace grundy {

/// The sizes of the pieces into which a shape is cut.
struct FrontierCut {
  std::uint32_t thickness;  ///< number of slabs in a group
  std::uint32_t active;     ///< the most groups that are worked on at the same time
  LatticePoint edge{};      ///< of a tile, for heaps 1 and up in slab order

  /// @param thin whether slabs must come one by one
  /// @param tile edge of a tile along the last heap; if unset, make() chooses
  static FrontierCut make(const LatticeShape& shape, bool thin, std::optional<std::uint32_t> tile,
                          std::size_t threads);
  /// The number of slabs that can be worked on at the same time, plus one group.
  [[nodiscard]] std::uint32_t window() const noexcept { return (active + 1) * thickness; }
};

/// The layers. Group g takes the layers start(g) to start(g) + length(g) - 1. Number s of these
/// layers has the tiles whose tile numbers have the sum s. The layer after the last one hands the
/// group over.
class FrontierSchedule {
 public:
  using TileNumber = std::array<std::uint32_t, kMaxLatticeHeaps>;  ///< [0] is not used

  FrontierSchedule(const SetPlan& plan, const FrontierCut& cut);

  [[nodiscard]] std::uint64_t groups() const noexcept { return start_.size(); }
  [[nodiscard]] std::uint64_t layers() const noexcept { return start_.back() + length_.back() + 1; }
  [[nodiscard]] std::uint64_t start(std::uint64_t group) const noexcept { return start_[group]; }
  [[nodiscard]] std::uint64_t length(std::uint64_t group) const noexcept { return length_[group]; }
  /// Appends the tiles of a group whose tile numbers have this sum.
  void tiles(std::uint64_t group, std::uint64_t sum, std::vector<TileNumber>& out) const;

 private:
  void extend(std::uint64_t sum, unsigned heap, TileNumber& tile,
              std::vector<TileNumber>& out) const;
  /// One more than the largest tile number of a heap, given the tile numbers before it.
  [[nodiscard]] std::uint32_t tile_end(unsigned heap, const TileNumber& tile) const noexcept;
  /// The largest size of the first heap in the group.
  [[nodiscard]] std::uint32_t largest(std::uint64_t group) const noexcept;

  const SetPlan& plan_;
  const FrontierCut& cut_;
  std::vector<std::uint64_t> start_, length_;
};

}  // namespace grundy
