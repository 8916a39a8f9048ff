/// @file
/// Sets of cells of a rectangular board as 64-bit words, and their symmetries.
///
/// Cell (row, column) is bit row * columns + column. The board has at least as many columns as
/// rows; then every set of cells whose bounding box is not taller than wide fits, however it is
/// moved, turned or reflected, so one frame serves for all canonical forms.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace grundy::graph {

/// The number of ones; without the instruction, which not every x86-64 has, std::popcount is a
/// call.
constexpr std::uint32_t count_ones(std::uint64_t x) noexcept {
  x -= x >> 1 & 0x5555555555555555u;
  x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
  x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
  return static_cast<std::uint32_t>(x * 0x0101010101010101u >> 56);
}

class Board {
 public:
  static constexpr unsigned kMostCells = 64;

  /// Rows and columns change places if there are more rows. @pre 1 <= rows * columns <= kMostCells
  Board(unsigned rows, unsigned columns) noexcept
      : rows_(std::min(rows, columns)), columns_(std::max(rows, columns)), row_(ones(columns_)) {
    for (unsigned row = 0; row < rows_; ++row) {
      last_column_ |= std::uint64_t{1} << ((row + 1) * columns_ - 1);
      for (unsigned column = 0; column < rows_; ++column) {
        transposed_[row * columns_ + column] = std::uint64_t{1} << (column * columns_ + row);
      }
    }
  }

  [[nodiscard]] unsigned rows() const noexcept { return rows_; }
  [[nodiscard]] unsigned columns() const noexcept { return columns_; }
  [[nodiscard]] unsigned cells() const noexcept { return rows_ * columns_; }
  [[nodiscard]] std::uint64_t all() const noexcept { return ones(cells()); }

  /// The cells that share a side with one of `cells`, and perhaps some of them.
  [[nodiscard]] std::uint64_t around(std::uint64_t cells) const noexcept {
    return ((cells & ~last_column_) << 1) | (cells >> 1 & ~last_column_) |
           (columns_ == 64 ? 0 : cells << columns_ | cells >> columns_);
  }
  /// The cells whose right neighbour is also in the set, and those whose lower one is.
  [[nodiscard]] std::uint64_t with_right(std::uint64_t cells) const noexcept {
    return cells & cells >> 1 & ~last_column_;
  }
  [[nodiscard]] std::uint64_t with_lower(std::uint64_t cells) const noexcept {
    return columns_ == 64 ? 0 : cells & cells >> columns_;
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

  /// Rows from the top, joined by `/`: `o` is a cell of the set, `.` is none.
  [[nodiscard]] std::string text(std::uint64_t cells) const;
  /// The inverse; rows and columns may be fewer than the board has.
  /// @throws Error(kUsage)
  [[nodiscard]] std::uint64_t parse(std::string_view text) const;

 private:
  /// A set in the corner of cell 0, and its bounding box.
  struct Box {
    std::uint64_t cells;
    unsigned height, width;
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
    while ((cells & row_) == 0) cells >>= columns_;
    std::uint64_t used = cells & row_;  // columns
    unsigned height = 1;
    for (std::uint64_t rest = columns_ == 64 ? 0 : cells >> columns_; rest != 0; ++height) {
      used |= rest & row_;
      rest >>= columns_;
    }
    const auto left = static_cast<unsigned>(std::countr_zero(used));
    return {cells >> left, height, static_cast<unsigned>(std::bit_width(used)) - left};
  }

  [[nodiscard]] Box transposed(const Box& box) const noexcept {
    std::uint64_t out = 0;
    for (std::uint64_t rest = box.cells; rest != 0; rest &= rest - 1) {
      out |= transposed_[static_cast<unsigned>(std::countr_zero(rest))];
    }
    return {out, box.width, box.height};
  }

  [[nodiscard]] std::uint64_t upside_down(const Box& box) const noexcept {
    std::uint64_t out = 0;
    for (unsigned row = 0; row < box.height; ++row) {
      out |= (box.cells >> (row * columns_) & row_) << ((box.height - 1 - row) * columns_);
    }
    return out;
  }

  [[nodiscard]] std::uint64_t least_reflection(const Box& box) const noexcept {
    const unsigned last = (box.height - 1) * columns_ + box.width - 1;
    const Box turned{reversed(box.cells) >> (63 - last), box.height, box.width};
    return std::min({box.cells, turned.cells, upside_down(box), upside_down(turned)});
  }

  unsigned rows_, columns_;
  std::uint64_t row_;  ///< the cells of row 0
  std::uint64_t last_column_ = 0;
  /// The cell that changes places with each one; only boxes that fit turned are transposed.
  std::array<std::uint64_t, kMostCells> transposed_{};
};

}  // namespace grundy::graph
