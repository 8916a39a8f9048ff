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

/// The most sets for one call of a function of BoardKernels.
inline constexpr std::size_t kMostSets = 16;

/// The output of take_apart().
struct BoardParts {
  std::array<std::uint64_t, kMostSets * 32> parts;  ///< set after set
  std::array<std::uint32_t, kMostSets> ends;        ///< end of the parts of each set
  std::array<std::uint8_t, kMostSets> values;       ///< the nim-sum of the small parts of each set
};

/// The planes of bits that make a colour.
inline constexpr std::size_t kColourPlanes = 8;

/// The output of colour(). Cell c of set i has the bits c of planes[..][i] as its colour.
struct BoardColours {
  std::array<std::array<std::uint64_t, kMostSets>, kColourPlanes> planes;
};

/// The number of times that colour() looks at the neighbours of each cell.
inline constexpr int kColourRounds = 5;

struct BoardKernels {
  /// Drops the cells that do not matter from each of `count` sets, like Board::without_surplus().
  /// Then finds their connected parts of two cells and more. Gives the values of the small parts,
  /// and the canonical forms (Board::canonical()) of the other parts. @pre count <= kMostSets
  void (*take_apart)(const BoardShape& shape, const std::uint64_t* sets, std::size_t count,
                     BoardParts& out) noexcept;

  /// Gives each cell of `count` sets a colour, a hash of the graph around the cell. An isomorphism
  /// of the graphs that sets are keeps colours. Each round makes new colours from each cell's own
  /// and the numbers of its neighbours with each bit; the last two rounds are the planes. The
  /// colours of other cells are 0. @pre count <= kMostSets
  void (*colour)(const BoardShape& shape, const std::uint64_t* sets, std::size_t count,
                 BoardColours& out) noexcept;

  /// For each of `count` sets, a hash of the numbers of its cells with each colour.
  /// @pre count <= kMostSets
  void (*hash_colours)(const BoardColours& colours, std::size_t count,
                       std::uint64_t* hashes) noexcept;

  /// The functions for one target (kernels/targets.hpp); null if there are none.
  static const BoardKernels* of_target(std::int64_t target) noexcept;
};

}  // namespace grundy
