/// @file
/// Positions of Cram, several at a time: sets of cells of a board of at most 64 cells, as words.
/// Cell (row, column) is bit row * columns + column (games/graph/board.hpp).
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace grundy {

/// A board with rows <= columns < 64.
struct BoardShape {
  unsigned rows, columns;
  std::uint64_t row;            ///< the cells of row 0
  std::uint64_t last_column;    ///< the cells of the last column
  const std::uint64_t* spread;  ///< 256 sets: the cells of a row, moved to column 0
  /// The values of all positions in the first kSmallSide rows and columns. The index of a position
  /// has bit kSmallSide * row + column for each of its cells. Up to 7 bytes after the last value
  /// are read, too.
  const std::uint8_t* small_values;
};

/// Positions that fit in a square of this side have their values in BoardShape::small_values.
inline constexpr unsigned kSmallSide = 4;

/// The most sets for one call of BoardKernels::take_apart().
inline constexpr std::size_t kMostSets = 16;

/// The output of take_apart().
struct BoardParts {
  std::array<std::uint64_t, kMostSets * 32> parts;  ///< set after set
  std::array<std::uint32_t, kMostSets> ends;        ///< end of the parts of each set
  std::array<std::uint8_t, kMostSets> values;       ///< the nim-sum of the small parts of each set
};

struct BoardKernels {
  /// Drops the cells that do not matter from each of `count` sets, like Board::without_surplus().
  /// Then finds their connected parts of two cells and more. Gives the values of the small parts,
  /// and the canonical forms (Board::canonical()) of the other parts. @pre count <= kMostSets
  void (*take_apart)(const BoardShape& shape, const std::uint64_t* sets, std::size_t count,
                     BoardParts& out) noexcept;

  /// The functions for one target (kernels/targets.hpp); null if there are none.
  static const BoardKernels* of_target(std::int64_t target) noexcept;
};

}  // namespace grundy
