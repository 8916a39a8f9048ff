// SPDX-License-Identifier: MIT
#include "games/graph/board.hpp"

#include <map>

#include <fmt/format.h>

#include "core/text_cursor.hpp"

namespace grundy::graph {

template <class Bits>
BasicBoard<Bits>::BasicBoard(unsigned rows, unsigned columns)
    : rows_(std::min(rows, columns)), columns_(std::max(rows, columns)), row_(ones(columns_)) {
  for (unsigned cell = 0; cell < cells(); ++cell) {
    row_of_[cell] = static_cast<std::uint8_t>(cell / columns_);
  }
  for (unsigned row = 0; row < rows_; ++row) {
    last_column_ |= Bits{1} << ((row + 1) * columns_ - 1);
  }
  for (unsigned i = 0; i < folds_.size(); ++i) {
    const unsigned shift = columns_ * (1U << (folds_.size() - 1) >> i);
    folds_[i] = shift < kMostCells ? shift : 0;  // no row is this far away
  }
  for (std::size_t part = 0; part < kSpread; ++part) {
    for (unsigned i = 0; i < rows_; ++i) {
      if ((part >> i & 1) != 0) spread_[part] |= Bits{1} << (i * columns_);
    }
  }
  for (unsigned height = 1; height <= rows_; ++height) {
    for (unsigned width = 1; width <= columns_; ++width) {
      ring_end_.push_back(static_cast<std::uint32_t>(rings_.size()));
      add_rings(height, width);
    }
  }
  ring_end_.push_back(static_cast<std::uint32_t>(rings_.size()));
}

template <class Bits>
void BasicBoard<Bits>::add_rings(unsigned height, unsigned width) {
  std::map<unsigned, Ring> rings;  // by twice the distance
  // Twice the distance of a domino from the centre, for the sum of the rows of its two cells and
  // the sum of their columns.
  const auto distance = [&](unsigned row_sum, unsigned column_sum) {
    const unsigned y = row_sum > height - 1 ? row_sum - (height - 1) : height - 1 - row_sum;
    const unsigned x = column_sum > width - 1 ? column_sum - (width - 1) : width - 1 - column_sum;
    return height > width ? y + 2 * x : x + 2 * y;
  };
  for (unsigned row = 0; row < height; ++row) {
    for (unsigned column = 0; column < width; ++column) {
      const Bits cell = Bits{1} << (row * columns_ + column);
      rings[distance(2 * row, 2 * column + 1)].across |= cell;
      rings[distance(2 * row + 1, 2 * column)].down |= cell;
    }
  }
  for (const auto& entry : rings) rings_.push_back(entry.second);
}

template <class Bits>
std::string BasicBoard<Bits>::text(Bits cells) const {
  std::string text;
  for (unsigned cell = 0; cell < this->cells(); ++cell) {
    if (cell > 0 && cell % columns_ == 0) text += '/';
    text += (cells >> cell & 1) != 0 ? 'o' : '.';
  }
  return text;
}

template <class Bits>
Bits BasicBoard<Bits>::parse(std::string_view text) const {
  Bits cells = 0;
  unsigned row = 0, column = 0;
  for (TextCursor cursor(text); !cursor.done();) {
    const char c = cursor.peek();
    const bool is_cell = (c == 'o' || c == '.') && row < rows_ && column < columns_;
    if (!is_cell && (c != '/' || row + 1 >= rows_)) {
      cursor.fail(
          fmt::format("this is not a position; write at most {} rows of at most {} cells, each `o` "
                      "(there) or `.` (gone), with `/` between the rows",
                      rows_, columns_));
    }
    if (c == 'o') cells |= Bits{1} << (row * columns_ + column);
    ++column;
    if (c == '/') ++row, column = 0;
    cursor.step();
  }
  return cells;
}

template class BasicBoard<std::uint64_t>;
template class BasicBoard<WideBits>;

}  // namespace grundy::graph
