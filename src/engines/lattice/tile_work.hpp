/// @file
/// Computes the tiles of a table of two heaps, in any order that the caller chooses.
///
/// Every step is non-negative, so a line is a chain of the product order, and two tiles that share
/// a line, or its mirror image, are comparable. So tiles that are not comparable may be computed at
/// the same time. They never touch the same set, no atomics are needed, and the result does not
/// depend on the threads.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include <grundy/lattice/engine.hpp>

#include "engines/lattice/diagonal_tiles.hpp"
#include "engines/lattice/line_sets.hpp"
#include "engines/lattice/tile_solver.hpp"

namespace grundy {

/// The edge of the tiles of a table. No move takes more tokens than this from a heap.
std::uint32_t tile_edge(const LatticeRule& rule, const LatticeShape& shape,
                        std::optional<std::uint32_t> wanted);

/// How far before a tile its positions look values up: the longest reach of vectors and of bands.
std::uint32_t rim_of(const LatticeRule& rule);

/// The steps t v of all rays with finitely many multiples, in order.
std::vector<TileSolver::Vector2> vectors_of(const LatticeRule& rule);

/// A tile that is kept. The values of a position in the planes are next to each other.
struct TileSlot {
  bool is_known = false;            ///< the values are in `wide` before the tile is computed
  std::array<TileValues, 2> tiles;  ///< of each plane, if there is a rim; empty otherwise
  std::vector<std::uint16_t> narrow;
  std::vector<Nimber> wide;  ///< the values are here if `narrow` is empty

  [[nodiscard]] Values values() const noexcept {
    return wide.empty() ? Values(std::span(narrow)) : Values(std::span(wide));
  }
  /// The most bytes that a slot for tiles of this edge takes, if no value exceeds `largest`.
  static std::uint64_t bytes(const LatticeRule& rule, const LatticeShape& shape, std::uint32_t edge,
                             Nimber largest);
};

class TileWork {
 public:
  /// The value of an earlier position; TileValues::kOutside for a position outside of the table.
  using Earlier = std::function<Nimber(unsigned plane, std::int64_t x, std::int64_t y)>;

  /// @param reached the table, or the part of it that has all computed positions and all positions
  /// before them
  TileWork(const LatticeTask& task, const LatticeShape& reached);

  [[nodiscard]] LineSets& lines() noexcept { return lines_; }
  /// rim_of() the rule; at most an edge.
  [[nodiscard]] std::uint32_t rim() const noexcept { return rim_; }
  [[nodiscard]] unsigned planes() const noexcept { return task_.rule.planes(); }

  /// Computes the tile and enters it into the lines, or only enters its values if they are known.
  /// @param earlier gives the values of the positions in the rim of the tile
  void compute(const TileArea& area, TileSlot& slot, const Earlier& earlier);

 private:
  std::unique_ptr<TileSolver> borrow(unsigned plane);
  void give_back(std::unique_ptr<TileSolver> solver);
  void solve(TileSolver& solver, const TileArea& area, TileValues& out, TileValues* passed);

  /// Copies a tile as the sink gets it. False if a value has more than 16 bits.
  [[nodiscard]] bool copy_narrow(const TileArea& tile, std::span<TileValues* const> planes,
                                 std::vector<std::uint16_t>& to) const;
  static void copy_wide(const TileArea& tile, std::span<TileValues* const> planes,
                        std::vector<Nimber>& to);

  const LatticeTask& task_;
  const std::vector<TileSolver::Vector2> vectors_;
  const std::uint32_t rim_;
  LineSets lines_;
  std::mutex mutex_;
  std::array<std::vector<std::unique_ptr<TileSolver>>, 2> idle_;  ///< by plane
};

}  // namespace grundy
