// SPDX-License-Identifier: MIT
#include "graph/games/board.hpp"

#include <fmt/format.h>

#include <grundy/error.hpp>

#include "core/text.hpp"

namespace grundy::graph {

std::string Board::text(std::uint64_t cells) const {
  std::string text;
  for (unsigned cell = 0; cell < this->cells(); ++cell) {
    if (cell > 0 && cell % columns_ == 0) text += '/';
    text += (cells >> cell & 1) != 0 ? 'o' : '.';
  }
  return text;
}

std::uint64_t Board::parse(std::string_view text) const {
  std::uint64_t cells = 0;
  unsigned row = 0, column = 0;
  for (const char c : text) {
    if (c == '/') {
      ++row;
      column = 0;
      continue;
    }
    if ((c != 'o' && c != '.') || row >= rows_ || column >= columns_) {
      throw Error(ErrorCode::kUsage,
                  fmt::format("{} is not a position; write at most {} rows of at most {} cells, "
                              "each `o` (there) or `.` (gone), with `/` between the rows",
                              in_quotes(text), rows_, columns_));
    }
    if (c == 'o') cells |= std::uint64_t{1} << (row * columns_ + column);
    ++column;
  }
  return cells;
}

}  // namespace grundy::graph
