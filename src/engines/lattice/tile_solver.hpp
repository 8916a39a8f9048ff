/// @file
/// Solves one tile of a table of two heaps: exact Grundy values of B x B positions.
///
/// **Compaction.** A value that all lines of one direction hold is *dead* in the tile: no position
/// of the tile can take it. The living values, a few thousand, get consecutive indices in their
/// order, and all lines through the tile are packed to these indices. The least index that no line
/// of a position holds gives its value. It is found in a few words, and the sets stay in the cache.
/// Cost of a position: (lines of the tile) * words / B^2 for packing, and 2 to 7 words.
///
/// Vectors (rays with finitely many multiples) are look-ups. Their values join the lines of a
/// position as one more packed set. A rule that has only vectors needs no sets, but one bit a
/// value.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <grundy/types.hpp>

#include "engines/lattice/diagonal_tiles.hpp"
#include "engines/lattice/line_sets.hpp"
#include "kernels/line_kernels.hpp"

namespace grundy {

/// The values of a tile, row-major, behind a rim of earlier values that vectors reach. The owner
/// sets the rim and the entries outside the table.
struct TileValues {
  std::uint32_t rim = 0;
  std::uint32_t pitch = 0;
  std::vector<Nimber> values;

  static constexpr Nimber kOutside = ~Nimber{0};

  void resize(std::uint32_t rim_width, std::uint32_t nx, std::uint32_t ny) {
    rim = rim_width;
    pitch = rim_width + ny;
    values.resize(std::size_t{rim_width + nx} * pitch);
  }
  /// The value at (x0 + i, y0 + j), -rim <= i, j.
  [[nodiscard]] Nimber& at(std::int64_t i, std::int64_t j) noexcept {
    return values[static_cast<std::size_t>((i + rim) * pitch + j + rim)];
  }
};

/// Enters the known values of a tile into the lines.
void mark_lines(LineSets& lines, const TileArea& area, TileValues& values) noexcept;

/// Scratch of one thread. Reused from tile to tile.
class TileSolver {
 public:
  using Vector2 = std::pair<std::uint32_t, std::uint32_t>;
  /// The most vectors of a rule without lines.
  static constexpr std::size_t kMaxVectors = 63;

  TileSolver(LineSets& lines, const std::vector<Vector2>& vectors, const LineKernels& kernels)
      : lines_(lines), vectors_(vectors), kernels_(kernels) {}

  /// Computes the tile and enters its values into the lines.
  /// @param words words of the sets that can hold a value of the tile
  void solve(const TileArea& area, std::size_t words, TileValues& out);

 private:
  /// The lines of one family that go through the tile. Slots number all packed lines.
  struct Run {
    std::uint64_t first, last;
    std::size_t slot;
  };

  void find_runs(const TileArea& area);
  void find_alive(std::size_t words);
  void pack();
  void solve_lines(const TileArea& area, TileValues& out);
  void look_up(TileValues& out, std::int64_t i, std::int64_t j);
  void unpack();
  void solve_vectors(const TileArea& area, TileValues& out) const;
  [[nodiscard]] std::uint64_t* packed(std::size_t slot) noexcept {
    return packed_.data() + slot * packed_stride_;
  }

  LineSets& lines_;
  const std::vector<Vector2>& vectors_;
  const LineKernels& kernels_;

  std::vector<Run> runs_;
  std::vector<std::size_t> run_of_;    ///< for every access
  std::vector<std::uint64_t> common_;  ///< values that all lines of one direction hold
  std::vector<std::uint64_t> dead_;
  std::vector<std::uint32_t> alive_word_;  ///< words with a living value, and their living bits
  std::vector<std::uint64_t> alive_mask_;
  std::vector<Nimber> alive_;            ///< values by index
  std::vector<std::uint32_t> index_of_;  ///< indices by value; only if there are vectors
  std::size_t packed_words_ = 0, packed_stride_ = 0;
  std::vector<std::uint64_t> packed_;
  std::vector<std::uint32_t> low_;    ///< first word of a packed line that is not full
  std::vector<std::uint32_t> slots_;  ///< of the lines of the cells of an antidiagonal
  std::vector<std::uint32_t> found_;  ///< their indices
};

}  // namespace grundy
