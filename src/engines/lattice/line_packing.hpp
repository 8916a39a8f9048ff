/// @file
/// The lines through an area of a table of two heaps, packed to the values that are alive there.
///
/// Every position lies on one line of each direction. So a value that all lines of one direction
/// hold is *dead* in the area: each position there has an option of this value. So is a value that
/// no position can reach. The living values get consecutive indices in their order, and each line
/// is packed to a set of indices. A packing is made from the sets of all lines, or from the packing
/// of a larger area: then it packs indices of that.
///
///     values                0  1  2  3  4  5  6  7  8  9      a line holds bits of these
///     living in the tile          0  1     2     3  4  5      a packed line of the tile
///     living in its part             0           1  2         a packed line of the part
///
/// Cost: the words of all lines of the area between those that are full and those that are empty,
/// read twice when it is made and written once when it is given back.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engines/lattice/diagonal_tiles.hpp"
#include "engines/lattice/line_sets.hpp"
#include "kernels/line_kernels.hpp"

namespace grundy {

/// Reused from area to area.
class LinePacking {
 public:
  LinePacking(const LineSets& lines, unsigned plane, const LineKernels& kernels)
      : lines_(lines), accesses_(lines.accesses(plane)), kernels_(kernels) {}

  /// Packs the lines of the area from the sets of all lines.
  /// @param growth how far a position of the area may exceed all indices that its lines hold;
  ///   TileSolver::growth() says why there is a bound
  void pack(const TileArea& area, const LineBits& all, std::size_t growth);
  /// Packs them from the packing of an area that contains this one.
  void pack(const TileArea& area, const LinePacking& outer, std::size_t growth);
  /// Adds what the packed lines have taken to the sets that they were packed from.
  void unpack();

  /// The packed sets. Behind the last line is an empty set, for the owner's use.
  [[nodiscard]] const LineBits& bits() const noexcept { return bits_; }
  [[nodiscard]] std::uint64_t spare_set() const noexcept { return low_.size() - 1; }
  /// The set of a line that entry k of LineSets::accesses(plane) finds.
  [[nodiscard]] std::uint64_t set_of(std::size_t k, std::uint64_t line) const noexcept {
    const Run& run = runs_[run_of_[k]];
    return run.set + (line - run.first);
  }
  /// What index i is where the lines were packed from: a value, or an index of the outer packing.
  [[nodiscard]] std::uint32_t living(std::size_t i) const noexcept { return living_[i]; }
  [[nodiscard]] std::size_t living_count() const noexcept { return living_.size(); }

 private:
  /// Consecutive lines of a family, all that go through the area. Those of a ray and of its mirror
  /// image are one run where they overlap: a line must have one copy only.
  struct Run {
    std::uint64_t first = 0, last = 0;
    std::uint64_t set = 0;   ///< of the first line
    std::uint64_t from = 0;  ///< the set that it is packed from
  };

  void find_runs(const TileArea& area);
  void find_living(std::size_t growth);
  void pack_runs();
  /// Starts to load the living words of a set of the outer ones, which comes next. Long sets of a
  /// large table are not in a cache.
  void load_ahead(std::uint64_t set) const noexcept;

  const LineSets& lines_;
  const std::span<const LineAccess> accesses_;
  const LineKernels& kernels_;
  LineBits from_, bits_;

  std::vector<Run> runs_;
  std::vector<std::size_t> run_of_;    ///< for every access
  std::vector<std::uint64_t> common_;  ///< what all lines of one direction hold
  std::vector<std::uint64_t> dead_;
  std::vector<std::uint32_t> living_word_;  ///< words with a living bit, and their living bits
  std::vector<std::uint64_t> living_mask_;
  std::vector<std::uint32_t> living_;
  std::vector<std::uint64_t> words_;
  std::vector<std::uint32_t> low_, high_;
};

}  // namespace grundy
