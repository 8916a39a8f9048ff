/// @file
/// Sets of cells of a rectangular board as 64-bit words, and their symmetries.
///
/// Cell (row, column) is bit row * columns + column. The board has at least as many columns as
/// rows. So every set of cells, moved, turned or reflected, fits the board if its bounding box is
/// not taller than wide, and one frame serves all canonical forms.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace grundy::graph {

/// The number of ones. std::popcount would be a call, because not every x86-64 has the instruction.
constexpr std::uint32_t count_ones(std::uint64_t x) noexcept {
  x -= x >> 1 & 0x5555555555555555u;
  x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
  x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
  return static_cast<std::uint32_t>(x * 0x0101010101010101u >> 56);
}

class Board {
 public:
  static constexpr unsigned kMostCells = 64;

  /// Dominoes at one distance from the centre of a box in the corner of cell 0.
  struct Ring {
    std::uint64_t across = 0;  ///< left cells of horizontal dominoes
    std::uint64_t down = 0;    ///< upper cells of vertical dominoes
  };

  /// Rows and columns change places if there are more rows. @pre 1 <= rows * columns <= kMostCells
  Board(unsigned rows, unsigned columns);

  [[nodiscard]] unsigned rows() const noexcept { return rows_; }
  [[nodiscard]] unsigned columns() const noexcept { return columns_; }
  [[nodiscard]] unsigned cells() const noexcept { return rows_ * columns_; }
  [[nodiscard]] std::uint64_t all() const noexcept { return ones(cells()); }

  /// The cells that share a side with one of `cells`, and perhaps some of them.
  [[nodiscard]] std::uint64_t around(std::uint64_t cells) const noexcept {
    return right_of(cells) | left_of(cells) | above(cells) | below(cells);
  }
  /// The cells whose right neighbour is also in the set, and those whose lower one is.
  [[nodiscard]] std::uint64_t with_right(std::uint64_t cells) const noexcept {
    return cells & left_of(cells);
  }
  [[nodiscard]] std::uint64_t with_lower(std::uint64_t cells) const noexcept {
    return cells & above(cells);
  }

  /// The cells without those that do not matter where dominoes are taken. An end has one
  /// neighbour, a joint has an end beside it. A domino of a joint leaves the end without a move, so
  /// all cells at a joint that serve for nothing but a domino with it are alike: of several ends at
  /// a joint one remains, and a cell that is neither and has joints alone for neighbours goes.
  [[nodiscard]] std::uint64_t without_surplus(std::uint64_t cells) const noexcept {
    const std::uint64_t right = cells & left_of(cells), left = cells & right_of(cells);
    const std::uint64_t lower = cells & above(cells), upper = cells & below(cells);
    const std::uint64_t several =
        (left & right) | (upper & lower) | ((left | right) & (upper | lower));
    const std::uint64_t ends = (left | right | upper | lower) & ~several;
    std::uint64_t joints = left_of(ends & left);  // by the side where their end is
    std::uint64_t surplus = 0;
    const auto add = [&](std::uint64_t more, std::uint64_t ends_of_known) {
      surplus |= ends_of_known;
      joints |= more;
    };
    const std::uint64_t at_left = right_of(ends & right);
    add(at_left, left_of(at_left & joints));
    const std::uint64_t at_top = below(ends & lower);
    add(at_top, above(at_top & joints));
    const std::uint64_t at_bottom = above(ends & upper);
    add(at_bottom, below(at_bottom & joints));
    const std::uint64_t others = cells & ~joints;
    return cells & ~surplus & ~(others & ~ends & ~around(others));
  }

  /// Calls visit(cells of the domino) for every domino in a set of cells: those near the centre of
  /// its bounding box first, where distance across the longer side counts twice. A domino there
  /// cuts the set in two, so a search for the value of a position of Cram tries it first.
  template <class Visit>
  void for_each_domino(std::uint64_t cells, const Visit& visit) const {
    if (cells == 0) return;
    const Box box = fit(cells);
    const std::uint64_t across = with_right(box.cells), down = with_lower(box.cells);
    const unsigned shape = (box.height - 1) * columns_ + box.width - 1;
    for (std::uint32_t i = ring_end_[shape]; i < ring_end_[shape + 1]; ++i) {
      for (std::uint64_t rest = across & rings_[i].across; rest != 0; rest &= rest - 1) {
        visit((rest & (0 - rest)) * 3 << box.corner);
      }
      for (std::uint64_t rest = down & rings_[i].down; rest != 0; rest &= rest - 1) {
        const std::uint64_t upper = (rest & (0 - rest)) << box.corner;
        visit(upper | upper << columns_);
      }
    }
  }

  /// The least of the images of a set of cells under translations, rotations and reflections.
  [[nodiscard]] std::uint64_t canonical(std::uint64_t cells) const noexcept {
    if (cells == 0) return 0;
    Box box = fit(cells);
    if (box.height > box.width) box = transposed(box);
    std::uint64_t least = least_reflection(box);
    if (box.height == box.width) least = std::min(least, least_reflection(transposed(box)));
    return least;
  }

  /// Whether half a turn of its bounding box leaves the set as it is.
  [[nodiscard]] bool is_point_symmetric(std::uint64_t cells) const noexcept {
    if (cells == 0) return true;
    const Box box = fit(cells);
    return turned(box) == box.cells;
  }
  /// The cells that touch the centre of the bounding box of a set, there or not: one, two or four.
  [[nodiscard]] std::uint64_t centre(std::uint64_t cells) const noexcept {
    if (cells == 0) return 0;
    const Box box = fit(cells);
    const unsigned row = (box.height - 1) / 2, column = (box.width - 1) / 2;
    std::uint64_t centre = std::uint64_t{1} << (row * columns_ + column);
    if (box.width % 2 == 0) centre |= centre << 1;
    if (box.height % 2 == 0) centre |= centre << columns_;
    return centre << box.corner;
  }

  /// Rows from the top, joined by `/`: `o` is a cell of the set, `.` is none.
  [[nodiscard]] std::string text(std::uint64_t cells) const;
  /// The inverse; rows and columns may be fewer than the board has.
  /// @throws Error(kUsage)
  [[nodiscard]] std::uint64_t parse(std::string_view text) const;

 private:
  /// The neighbours on one side of each cell, as far as they are on the board or below it.
  [[nodiscard]] std::uint64_t right_of(std::uint64_t cells) const noexcept {
    return (cells & ~last_column_) << 1;
  }
  [[nodiscard]] std::uint64_t left_of(std::uint64_t cells) const noexcept {
    return cells >> 1 & ~last_column_;
  }
  [[nodiscard]] std::uint64_t above(std::uint64_t cells) const noexcept {
    return columns_ == 64 ? 0 : cells >> columns_;
  }
  [[nodiscard]] std::uint64_t below(std::uint64_t cells) const noexcept {
    return columns_ == 64 ? 0 : cells << columns_;
  }

  void add_rings(unsigned height, unsigned width);

  /// A set in the corner of cell 0, and its bounding box.
  struct Box {
    std::uint64_t cells;
    unsigned height, width;
    unsigned corner;  ///< the cell that was moved to cell 0
  };

  static constexpr std::uint64_t ones(unsigned count) noexcept {
    return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
  }

  static constexpr std::uint64_t reversed(std::uint64_t x) noexcept {
    x = (x >> 1 & 0x5555555555555555u) | (x & 0x5555555555555555u) << 1;
    x = (x >> 2 & 0x3333333333333333u) | (x & 0x3333333333333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0f0f0f0f0fu) | (x & 0x0f0f0f0f0f0f0f0fu) << 4;
    return __builtin_bswap64(x);
  }

  [[nodiscard]] Box fit(std::uint64_t cells) const noexcept {
    const unsigned top = row_of_[static_cast<unsigned>(std::countr_zero(cells))];
    const unsigned bottom = row_of_[static_cast<unsigned>(std::bit_width(cells)) - 1];
    cells >>= top * columns_;
    std::uint64_t used = cells;  // columns, in row 0
    for (const unsigned shift : folds_) used |= used >> shift;
    used &= row_;
    const auto left = static_cast<unsigned>(std::countr_zero(used));
    return {cells >> left, bottom - top + 1, static_cast<unsigned>(std::bit_width(used)) - left,
            top * columns_ + left};
  }

  /// @pre no side of the box exceeds the rows of the board
  [[nodiscard]] Box transposed(const Box& box) const noexcept {
    std::uint64_t out = 0;
    for (unsigned row = 0; row < box.height; ++row) {
      out |= spread_[box.cells >> (row * columns_) & (kSpread - 1) & row_] << row;
    }
    return {out, box.width, box.height, box.corner};
  }

  /// The cells after half a turn.
  [[nodiscard]] std::uint64_t turned(const Box& box) const noexcept {
    return reversed(box.cells) >> (64 - (box.height - 1) * columns_ - box.width);
  }

  [[nodiscard]] std::uint64_t upside_down(const Box& box) const noexcept {
    std::uint64_t out = 0;
    for (unsigned row = 0; row < box.height; ++row) {
      out |= (box.cells >> (row * columns_) & row_) << ((box.height - 1 - row) * columns_);
    }
    return out;
  }

  /// The least of the box and its three reflections. The last row decides: only images that share
  /// the least one are compared.
  [[nodiscard]] std::uint64_t least_reflection(const Box& box) const noexcept {
    const unsigned last_row = (box.height - 1) * columns_;
    const Box half_turn{turned(box), box.height, box.width, box.corner};
    const std::uint64_t as_is = box.cells >> last_row, as_turned = half_turn.cells >> last_row;
    const std::uint64_t flipped = box.cells & row_, both = half_turn.cells & row_;
    const std::uint64_t row = std::min({as_is, as_turned, flipped, both});
    std::uint64_t least = ~std::uint64_t{0};
    if (as_is == row) least = box.cells;
    if (as_turned == row) least = std::min(least, half_turn.cells);
    if (flipped == row) least = std::min(least, upside_down(box));
    if (both == row) least = std::min(least, upside_down(half_turn));
    return least;
  }

  static constexpr unsigned kMostRows = 8;  // there are not more rows than columns
  static constexpr std::size_t kSpread = 1u << kMostRows;

  unsigned rows_, columns_;
  std::uint64_t row_;  ///< the cells of row 0
  std::uint64_t last_column_ = 0;
  std::array<unsigned, 3> folds_{};  ///< shifts that together move every row to row 0
  std::array<std::uint8_t, kMostCells> row_of_{};
  std::array<std::uint64_t, kSpread> spread_{};  ///< cells of a row, as cells of a column
  std::vector<Ring> rings_;                      ///< from the centre of each box outwards
  std::vector<std::uint32_t> ring_end_;          ///< by (height - 1) * columns + width - 1
};

}  // namespace grundy::graph
