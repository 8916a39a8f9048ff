/// @file
/// Larger boards of tests/golden/state_spaces_graph.csv, and tables against searches.
// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "engines/graph/graph_testing.hpp"

namespace grundy {
namespace {

using testing_support::cells;
using testing_support::golden_rows;
using testing_support::GoldenRow;
using testing_support::graph_game;
using testing_support::joined;
using testing_support::root_of;
using testing_support::table_of;

TEST(GraphGoldenSlow, CramUpToFortyFourCells) {
  std::size_t compared = 0;
  for (const GoldenRow& row : golden_rows("cram")) {
    if (cells(row.position) <= 36 || cells(row.position) > 44) continue;
    EXPECT_EQ(std::to_string(root_of("cram:" + joined(row.position, 'x'))), row.value)
        << row.position;
    ++compared;
  }
  EXPECT_EQ(compared, 1u);
}

TEST(GraphGoldenSlow, EveryRowOfNodeKaylesOnKingsAndGrids) {
  for (const std::string kind : {"grid", "kings"}) {
    for (const GoldenRow& row : golden_rows("node-kayles-" + kind)) {
      EXPECT_EQ(std::to_string(root_of("node-kayles:" + kind + ":" + joined(row.position, 'x'))),
                row.value)
          << kind << ' ' << row.position;
    }
  }
}

// Gale and Neyman: lost also with six elements; 7828352 families, one for each monotone function
// but two (Dedekind 1897: 7828354).
TEST(GraphGoldenSlow, SubsetTakeawayWithSixElements) {
  const auto game = graph_game("subset-takeaway:6", Reduction::kSymmetry);
  const GraphTable table = table_of(*game, "layered", 2);
  EXPECT_EQ(table.size(), 7828352u);
  EXPECT_EQ(table.root_value(), 0u);
}

// A shape and the complement of another have 144 squares together, so shapes have 72 on average;
// each square but the poison is a move.
TEST(GraphGoldenSlow, EveryShapeOfChompTwelveByTwelve) {
  const GraphTable table = table_of(*graph_game("chomp:12x12"), "auto", 2);
  EXPECT_EQ(table.size(), 2704155u);
  EXPECT_EQ(table.stats().moves, 72u * 2704156u - 2704155u);
}

}  // namespace
}  // namespace grundy
