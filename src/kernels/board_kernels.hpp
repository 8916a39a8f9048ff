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
  const std::uint64_t* spread;  ///< 256 sets: the cells of a row, as cells of column 0
  /// By the cells in the first kSmallSide rows and columns, bit kSmallSide * row + column: the
  /// value of this position, which is 0 where there are none. 7 bytes behind the last value are
  /// read, too.
  const std::uint8_t* small_values;
};

/// Positions in a square of this side have the values that a shape names.
inline constexpr unsigned kSmallSide = 4;

/// Sets at a time in BoardKernels::take_apart().
inline constexpr std::size_t kMostSets = 16;

/// What take_apart() writes.
struct BoardParts {
  std::array<std::uint64_t, kMostSets * 32> parts;  ///< those of the sets, one behind the other
  std::array<std::uint32_t, kMostSets> ends;        ///< of the parts of each set
  std::array<std::uint8_t, kMostSets> values;       ///< the nim-sum of the parts that are small
};

struct BoardKernels {
  /// Drops the cells that do not matter from each of `count` sets, as Board::without_surplus()
  /// does. Then gives their connected parts of two cells and more: for the small ones their values,
  /// for the others their canonical forms (Board::canonical()). @pre count <= kMostSets
  void (*take_apart)(const BoardShape& shape, const std::uint64_t* sets, std::size_t count,
                     BoardParts& out) noexcept;

  /// The functions for one target (kernels/targets.hpp); null if there are none.
  static const BoardKernels* of_target(std::int64_t target) noexcept;
};

}  // namespace grundy
