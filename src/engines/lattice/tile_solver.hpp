/// @file
/// Solves one tile of a table of two heaps: exact Grundy values of B x B positions.
///
/// The living words of the lines of the tile are copied side by side (line_packing.hpp). The tile
/// is solved in strips of kStrip rows, so that the sets in use stay in the cache, and a strip is
/// solved antidiagonal by antidiagonal. The positions of an antidiagonal have no line in common, so
/// the least gaps of their lines are found for a vector of positions at once. The words in which a
/// gap can be are listed for some antidiagonals and cells together. Cost
/// of a position: (lines of the tile) * words / (positions of the tile) for packing, and the listed
/// words up to the last gap of a vector.
///
/// A band is a diagonal that takes more than its own values: those of the last positions of the row
/// and of the column (line_sets.hpp). Two stores for each further unit of width.
///
/// Vectors (rays with finitely many multiples) are look-ups, and so is a pass. Their values join
/// the lines of a position as one more packed set. A rule with vectors only needs no sets, but one
/// bit for each value.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <grundy/types.hpp>

#include "core/mex.hpp"
#include "engines/lattice/diagonal_tiles.hpp"
#include "engines/lattice/line_packing.hpp"
#include "engines/lattice/line_sets.hpp"
#include "kernels/line_kernels.hpp"

namespace grundy {

/// The values of a tile, row-major, after a rim of earlier values that vectors and bands reach. The
/// owner sets the rim and the entries outside the table.
struct TileValues {
  std::uint32_t rim = 0;
  std::uint32_t pitch = 0;
  std::vector<Nimber> values;

  static constexpr Nimber kOutside = ~Nimber{0};

  /// With an odd number of cache lines, the values of an antidiagonal do not all fall into one
  /// cache way.
  static constexpr std::uint32_t pitch_of(std::uint32_t width) noexcept {
    constexpr std::uint32_t kLine = 64 / sizeof(Nimber);
    return ((width + kLine - 1) / kLine | 1) * kLine;
  }
  void resize(std::uint32_t rim_width, std::uint32_t nx, std::uint32_t ny) {
    rim = rim_width;
    pitch = pitch_of(rim_width + ny);
    values.resize(std::size_t{rim_width + nx} * pitch);
  }
  /// The value at (x0 + i, y0 + j), where i, j >= -rim.
  [[nodiscard]] Nimber& at(std::int64_t i, std::int64_t j) noexcept {
    return values[static_cast<std::size_t>((i + rim) * pitch + j + rim)];
  }
};

/// Solves tiles of one plane. Belongs to one thread and is reused from tile to tile.
class TileSolver {
 public:
  using Vector2 = std::pair<std::uint32_t, std::uint32_t>;
  /// The most vectors of a rule without lines; a pass counts as one.
  static constexpr std::size_t kMaxVectors = 63;

  /// @param band the width of the band of the rule; 0 if it has none
  TileSolver(LineSets& lines, unsigned plane, const std::vector<Vector2>& vectors,
             std::uint32_t band, const LineKernels& kernels)
      : lines_(lines),
        plane_(plane),
        accesses_(lines.accesses(plane)),
        vectors_(vectors),
        band_(band),
        diagonal_(static_cast<std::size_t>(std::ranges::find_if(accesses_, is_diagonal) -
                                           accesses_.begin())),
        kernels_(kernels),
        packing_(lines, plane, kernels) {}

  /// Computes the tile and enters its values into the lines.
  /// @param passed the values of the tile in the plane where the pass has been used; null if there
  /// is none
  /// @pre every position of the tile has an option, or there is no pass and normal play
  void solve(const TileArea& area, TileValues& out, TileValues* passed);
  /// Enters the known values of a tile into the lines. Arguments are those of solve().
  void mark(const TileArea& area, TileValues& values, TileValues* passed);
  /// Solves the tile position by position. For a tile with positions without options, which get the
  /// value `terminal`.
  void solve_terminals(const TileArea& area, Nimber terminal, TileValues& out, TileValues* passed);
  [[nodiscard]] unsigned plane() const noexcept { return plane_; }
  /// Room for a tile whose values are not looked up later.
  [[nodiscard]] TileValues& scratch() noexcept { return scratch_; }

 private:
  static constexpr std::uint32_t kStrip = 64;
  /// Numbers of antidiagonals that share a look at what is full, and lists of words.
  static constexpr std::int64_t kNoted = 96, kListed = 32;

  static bool is_diagonal(const LineAccess& access) noexcept {
    return access.a == 1 && access.b == 1 && access.g == 1;
  }
  /// Calls `take` with the values that a band gives to the diagonal of a position, besides its own.
  template <class Take>
  void for_each_in_band(TileValues& values, std::int64_t i, std::int64_t j, const Take& take) const;
  /// Enters them into the diagonals of an antidiagonal: cells by ascending rows from `first` on.
  void widen(const TileArea& area, TileValues& values, std::int64_t total, std::int64_t first,
             std::size_t cells);
  [[nodiscard]] bool looks_up() const noexcept { return !vectors_.empty() || passed_ != nullptr; }
  /// Makes an entry of sets_ for each direction.
  void begin_sets();
  /// Finds the sets of `cells` cells of antidiagonal `total`, by ascending rows from `first` on.
  void find_sets(const TileArea& area, std::int64_t total, std::int64_t first, std::size_t cells);
  /// Solves rows i0 .. i0 + nx - 1 of the tile, or enters their known values.
  void solve_strip(const TileArea& area, std::uint32_t i0, std::uint32_t nx, TileValues& out);
  void mark_strip(const TileArea& area, std::uint32_t i0, std::uint32_t nx, TileValues& values);
  /// Enters the values that vectors and the pass of a position reach into a set, or clears it.
  void look_up(TileValues& out, std::int64_t i, std::int64_t j, std::uint64_t set, bool clear);
  void solve_vectors(const TileArea& area, TileValues& out) const;
  [[nodiscard]] std::size_t growth(const TileArea& area) const noexcept;

  LineSets& lines_;
  const unsigned plane_;
  const std::span<const LineAccess> accesses_;
  const std::vector<Vector2>& vectors_;
  const std::uint32_t band_;
  const std::size_t diagonal_;  ///< the access that a band widens
  const LineKernels& kernels_;
  LinePacking packing_;

  TileValues scratch_;
  std::vector<CellSets> sets_;                        ///< sets of the positions of an antidiagonal
  std::vector<std::vector<std::int64_t>> lists_;      ///< lists of sets that are not consecutive
  std::vector<std::vector<std::uint32_t>> words_;     ///< of each group of cells, where gaps can be
  std::vector<const std::uint32_t*> lists_of_words_;  ///< the same, as kernels take them
  Mex reached_;                                       ///< values of the options of one position
  TileValues* passed_ = nullptr;                      ///< the argument of solve()
};

}  // namespace grundy
