// SPDX-License-Identifier: MIT
#include "games/graph/coins.hpp"

#include <fmt/format.h>

#include <grundy/error.hpp>

#include "core/text.hpp"
#include "games/graph/small_graph.hpp"

namespace grundy::graph {

std::string squares_text(std::uint64_t squares) {
  std::string text;
  for (; squares != 0; squares &= squares - 1) {
    text += (text.empty() ? "" : ",") + std::to_string(std::countr_zero(squares));
  }
  return text.empty() ? "-" : text;
}

std::uint64_t parse_squares(std::string_view text, unsigned count) {
  std::uint64_t squares = 0;
  if (text == "-") return squares;
  for (const std::uint64_t square : parse_counts(text)) {
    if (square >= count) {
      throw Error(ErrorCode::kUsage, fmt::format("there is no place {} here; the places are 0 to "
                                                 "{}",
                                                 square, count - 1));
    }
    if ((squares >> square & 1) != 0) {
      throw Error(ErrorCode::kUsage, fmt::format("the place {} occurs twice", square));
    }
    squares |= std::uint64_t{1} << square;
  }
  return squares;
}

Hexad::Position Hexad::parse(std::string_view text) const {
  const Position p = SquareSet::parse(text);
  if (!contains(p)) {
    throw Error(ErrorCode::kUsage,
                fmt::format("{} is not 6 cards of 0 to 11 whose sum is at least {}",
                            in_quotes(text), kLeastSum));
  }
  return p;
}

}  // namespace grundy::graph
