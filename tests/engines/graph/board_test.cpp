/// @file
/// Sets of cells of a board against the definition: images, dominoes, neighbours.
// SPDX-License-Identifier: MIT
#include "games/graph/board.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace grundy::graph {
namespace {

using Cell = std::pair<int, int>;

std::vector<Cell> cells_of(const Board& board, std::uint64_t set) {
  std::vector<Cell> cells;
  for (unsigned i = 0; i < board.cells(); ++i) {
    if ((set >> i & 1) != 0) cells.emplace_back(i / board.columns(), i % board.columns());
  }
  return cells;
}

/// In the corner of cell 0, as a word; nothing if it does not fit.
std::optional<std::uint64_t> placed(const Board& board, const std::vector<Cell>& cells) {
  int top = 64, left = 64;
  for (const auto& [row, column] : cells) {
    top = std::min(top, row);
    left = std::min(left, column);
  }
  std::uint64_t set = 0;
  for (const auto& [row, column] : cells) {
    const int y = row - top, x = column - left;
    if (y >= static_cast<int>(board.rows()) || x >= static_cast<int>(board.columns())) return {};
    set |= std::uint64_t{1} << (y * static_cast<int>(board.columns()) + x);
  }
  return set;
}

/// The least of the images that are not taller than wide, one by one.
std::uint64_t least_image(const Board& board, std::uint64_t set) {
  std::uint64_t least = ~std::uint64_t{0};
  for (int image = 0; image < 8; ++image) {
    std::vector<Cell> cells = cells_of(board, set);
    int top = 64, bottom = -64, left = 64, right = -64;
    for (auto& [row, column] : cells) {
      if ((image & 1) != 0) row = -row;
      if ((image & 2) != 0) column = -column;
      if ((image & 4) != 0) std::swap(row, column);
      top = std::min(top, row);
      bottom = std::max(bottom, row);
      left = std::min(left, column);
      right = std::max(right, column);
    }
    if (bottom - top > right - left) continue;
    if (const auto word = placed(board, cells)) least = std::min(least, *word);
  }
  return least;
}

std::pair<Board, std::uint64_t> any_position() {
  const auto rows = *rc::gen::inRange(1u, 9u);
  const auto columns = *rc::gen::inRange(1u, 64 / rows + 1);
  const Board board(rows, columns);
  // Few or many cells, so that small boxes occur as well as full ones.
  const auto a = *rc::gen::arbitrary<std::uint64_t>(), b = *rc::gen::arbitrary<std::uint64_t>();
  const std::uint64_t set = (*rc::gen::arbitrary<bool>() ? a & b : a | b) & board.all();
  return {board, set == 0 ? 1 : set};
}

RC_GTEST_PROP(Board, CanonicalIsTheLeastImage, ()) {
  const auto [board, set] = any_position();
  RC_ASSERT(board.canonical(set) == least_image(board, set));
}

RC_GTEST_PROP(Board, EveryDominoIsVisitedOnce, ()) {
  const auto [board, set] = any_position();
  std::set<std::uint64_t> expected;
  const std::vector<Cell> cells = cells_of(board, set);
  for (const auto& [row, column] : cells) {
    for (const auto& [y, x] : cells) {
      if (std::abs(row - y) + std::abs(column - x) != 1) continue;
      const int width = static_cast<int>(board.columns());
      expected.insert(std::uint64_t{1} << (row * width + column) | std::uint64_t{1}
                                                                       << (y * width + x));
    }
  }
  std::vector<std::uint64_t> visited;
  board.for_each_domino(set, [&](std::uint64_t domino) { visited.push_back(domino); });
  RC_ASSERT(visited.size() == expected.size());
  RC_ASSERT(std::set<std::uint64_t>(visited.begin(), visited.end()) == expected);
}

// On 3 x 5 the centre is a cell; the dominoes that cover it lengthwise are nearest to it.
TEST(Board, DominoesNearTheCentreComeFirst) {
  const Board board(3, 5);
  std::vector<std::uint64_t> visited;
  board.for_each_domino(board.all(), [&](std::uint64_t domino) { visited.push_back(domino); });
  ASSERT_EQ(visited.size(), 22u);
  EXPECT_EQ(visited[0] | visited[1], std::uint64_t{7} << 6);
  EXPECT_EQ(visited[2] | visited[3], std::uint64_t{1 | 1 << 5 | 1 << 10} << 2);
}

}  // namespace
}  // namespace grundy::graph
