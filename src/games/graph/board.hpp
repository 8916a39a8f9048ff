/// @file
/// Sets of cells of a rectangular board as words of 64 or 128 bits, and their symmetries.
///
/// Cell (row, column) is bit row * columns + column. The board has at least as many columns as
/// rows. So a set of cells fits the board after any translation, rotation or reflection if its
/// bounding box is not taller than wide, and one frame serves all canonical forms.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "games/graph/bits.hpp"
#include "kernels/board_kernels.hpp"

namespace grundy::graph {

/// Bits: a word, one bit a cell.
template <class Bits>
class BasicBoard {
 public:
  static constexpr unsigned kMostCells = kBits<Bits>;

  /// Dominoes at one distance from the centre of a box that has a corner at cell 0.
  struct Ring {
    Bits across = 0;  ///< left cells of horizontal dominoes
    Bits down = 0;    ///< upper cells of vertical dominoes
  };

  /// Swaps rows and columns if there are more rows. @pre 1 <= rows * columns <= kMostCells
  BasicBoard(unsigned rows, unsigned columns);

  [[nodiscard]] unsigned rows() const noexcept { return rows_; }
  [[nodiscard]] unsigned columns() const noexcept { return columns_; }
  [[nodiscard]] unsigned cells() const noexcept { return rows_ * columns_; }
  [[nodiscard]] Bits all() const noexcept { return ones(cells()); }

  /// The cells that share a side with a cell of the set. They may belong to the set themselves.
  [[nodiscard]] Bits around(Bits cells) const noexcept {
    return right_of(cells) | left_of(cells) | above(cells) | below(cells);
  }
  /// The cells of the set whose right neighbour is also in the set; with_lower(): whose lower one
  /// is.
  [[nodiscard]] Bits with_right(Bits cells) const noexcept { return cells & left_of(cells); }
  [[nodiscard]] Bits with_lower(Bits cells) const noexcept { return cells & above(cells); }

  /// Removes cells that do not change the value when dominoes are taken. An end is a cell with one
  /// neighbour; a joint is a cell with an end beside it. A domino on a joint leaves the end without
  /// a move, so all cells whose only use is a domino with a given joint are alike. Of several ends
  /// at a joint one remains. A cell that is neither an end nor a joint is removed if all its
  /// neighbours are joints.
  [[nodiscard]] Bits without_surplus(Bits cells) const noexcept {
    const Bits right = cells & left_of(cells), left = cells & right_of(cells);
    const Bits lower = cells & above(cells), upper = cells & below(cells);
    const Bits several = (left & right) | (upper & lower) | ((left | right) & (upper | lower));
    const Bits ends = (left | right | upper | lower) & ~several;
    Bits joints = left_of(ends & left);  // by the side on which their end is
    Bits surplus = 0;
    const auto add = [&](Bits more, Bits ends_of_known) {
      surplus |= ends_of_known;
      joints |= more;
    };
    const Bits at_left = right_of(ends & right);
    add(at_left, left_of(at_left & joints));
    const Bits at_top = below(ends & lower);
    add(at_top, above(at_top & joints));
    const Bits at_bottom = above(ends & upper);
    add(at_bottom, below(at_bottom & joints));
    const Bits others = cells & ~joints;
    return cells & ~surplus & ~(others & ~ends & ~around(others));
  }

  /// The board in the form that kernels use; it must outlive the shape. @pre it has more than one
  /// row
  /// @param small_values null for kernels that do not read them
  template <class Cells = Bits>
  requires std::same_as<Cells, std::uint64_t>
  [[nodiscard]] BoardShape shape(const std::uint8_t* small_values) const noexcept {
    return {rows_, columns_, row_, last_column_, spread_.data(), small_values};
  }

  /// Calls visit(cells of the domino) for every domino in a set of cells, those near the centre of
  /// its bounding box first; distance at right angles to the longer side counts twice. A domino
  /// near the centre cuts the set in two, so a search for the value of a position of Cram tries it
  /// first.
  template <class Visit>
  void for_each_domino(Bits cells, const Visit& visit) const {
    if (cells == 0) return;
    const Box box = fit(cells);
    const Bits across = with_right(box.cells), down = with_lower(box.cells);
    const unsigned shape = (box.height - 1) * columns_ + box.width - 1;
    for (std::uint32_t i = ring_end_[shape]; i < ring_end_[shape + 1]; ++i) {
      for (Bits rest = across & rings_[i].across; rest != 0; rest &= rest - 1) {
        visit((rest & (0 - rest)) * 3 << box.corner);
      }
      for (Bits rest = down & rings_[i].down; rest != 0; rest &= rest - 1) {
        const Bits upper = (rest & (0 - rest)) << box.corner;
        visit(upper | upper << columns_);
      }
    }
  }

  /// The least of the images of a set of cells under translations, rotations and reflections.
  [[nodiscard]] Bits canonical(Bits cells) const noexcept {
    if (cells == 0) return 0;
    Box box = fit(cells);
    if (box.height > box.width) box = transposed(box);
    Bits least = least_reflection(box);
    if (box.height == box.width) least = std::min(least, least_reflection(transposed(box)));
    return least;
  }

  /// Whether the set stays the same under half a turn of its bounding box.
  [[nodiscard]] bool is_point_symmetric(Bits cells) const noexcept {
    if (cells == 0) return true;
    const Box box = fit(cells);
    return turned(box) == box.cells;
  }
  /// The one, two or four cells that touch the centre of the bounding box, whether in the set or
  /// not.
  [[nodiscard]] Bits centre(Bits cells) const noexcept {
    if (cells == 0) return 0;
    const Box box = fit(cells);
    const unsigned row = (box.height - 1) / 2, column = (box.width - 1) / 2;
    Bits centre = Bits{1} << (row * columns_ + column);
    if (box.width % 2 == 0) centre |= centre << 1;
    if (box.height % 2 == 0) centre |= centre << columns_;
    return centre << box.corner;
  }

  /// Rows from the top, joined by `/`: `o` is a cell of the set, `.` is a cell outside it.
  [[nodiscard]] std::string text(Bits cells) const;
  /// The inverse of text(); `text` may have fewer rows and columns than the board.
  /// @throws Error(kUsage)
  [[nodiscard]] Bits parse(std::string_view text) const;

 private:
  /// The neighbours on one side of each cell. Some may lie on rows beyond the last one.
  [[nodiscard]] Bits right_of(Bits cells) const noexcept { return (cells & ~last_column_) << 1; }
  [[nodiscard]] Bits left_of(Bits cells) const noexcept { return cells >> 1 & ~last_column_; }
  [[nodiscard]] Bits above(Bits cells) const noexcept {
    return columns_ == kMostCells ? 0 : cells >> columns_;
  }
  [[nodiscard]] Bits below(Bits cells) const noexcept {
    return columns_ == kMostCells ? 0 : cells << columns_;
  }

  void add_rings(unsigned height, unsigned width);

  /// A set moved into the corner of cell 0, and its bounding box.
  struct Box {
    Bits cells;
    unsigned height, width;
    unsigned corner;  ///< the cell that moved to cell 0
  };

  static constexpr Bits ones(unsigned count) noexcept {
    return count >= kMostCells ? ~Bits{0} : (Bits{1} << count) - 1;
  }

  [[nodiscard]] Box fit(Bits cells) const noexcept {
    const unsigned top = row_of_[lowest_one(cells)];
    const unsigned bottom = row_of_[highest_one(cells)];
    cells >>= top * columns_;
    Bits used = cells;  // columns that have a cell, as cells of row 0
    for (const unsigned shift : folds_) used |= used >> shift;
    used &= row_;
    const auto left = lowest_one(used);
    return {cells >> left, bottom - top + 1, highest_one(used) + 1 - left, top * columns_ + left};
  }

  /// @pre no side of the box exceeds the rows of the board
  [[nodiscard]] Box transposed(const Box& box) const noexcept {
    Bits out = 0;
    for (unsigned row = 0; row < box.height; ++row) {
      out |= spread_[static_cast<std::size_t>(box.cells >> (row * columns_) & (kSpread - 1) & row_)]
             << row;
    }
    return {out, box.width, box.height, box.corner};
  }

  /// The cells after half a turn.
  [[nodiscard]] Bits turned(const Box& box) const noexcept {
    return reversed(box.cells) >> (kMostCells - (box.height - 1) * columns_ - box.width);
  }

  [[nodiscard]] Bits upside_down(const Box& box) const noexcept {
    Bits out = 0;
    for (unsigned row = 0; row < box.height; ++row) {
      out |= (box.cells >> (row * columns_) & row_) << ((box.height - 1 - row) * columns_);
    }
    return out;
  }

  /// The least of the box and its three reflections. Only images whose last row is the least one
  /// are compared in full.
  [[nodiscard]] Bits least_reflection(const Box& box) const noexcept {
    const unsigned last_row = (box.height - 1) * columns_;
    const Box half_turn{turned(box), box.height, box.width, box.corner};
    const Bits as_is = box.cells >> last_row, as_turned = half_turn.cells >> last_row;
    const Bits flipped = box.cells & row_, both = half_turn.cells & row_;
    const Bits row = std::min({as_is, as_turned, flipped, both});
    Bits least = ~Bits{0};
    if (as_is == row) least = box.cells;
    if (as_turned == row) least = std::min(least, half_turn.cells);
    if (flipped == row) least = std::min(least, upside_down(box));
    if (both == row) least = std::min(least, upside_down(half_turn));
    return least;
  }

  // A board has at most as many rows as columns.
  static constexpr unsigned kMostRows = kMostCells == 64 ? 8 : 11;
  static constexpr std::size_t kSpread = 1u << kMostRows;

  unsigned rows_, columns_;
  Bits row_;  ///< the cells of row 0
  Bits last_column_ = 0;
  std::array<unsigned, kMostCells == 64 ? 3 : 4>
      folds_{};  ///< shifts that together move every row to row 0
  std::array<std::uint8_t, kMostCells> row_of_{};
  std::array<Bits, kSpread> spread_{};   ///< cells of a row, as cells of a column
  std::vector<Ring> rings_;              ///< from the centre of each box outwards
  std::vector<std::uint32_t> ring_end_;  ///< by (height - 1) * columns + width - 1
};

using Board = BasicBoard<std::uint64_t>;
using WideBoard = BasicBoard<WideBits>;

extern template class BasicBoard<std::uint64_t>;
extern template class BasicBoard<WideBits>;

}  // namespace grundy::graph
