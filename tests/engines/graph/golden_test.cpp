/// @file
/// Every row of tests/golden/state_spaces_graph.csv (and the rows of Chomp in
/// state_spaces_lattice.csv) that takes less than a few seconds.
// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <grundy/nim.hpp>

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
using testing_support::value_at;

/// Compares the rows of a game on boards with at most `most` cells.
void expect_boards(const std::string& game, const std::string& prefix, unsigned most,
                   std::size_t least_rows) {
  std::size_t compared = 0;
  for (const GoldenRow& row : golden_rows(game)) {
    if (cells(row.position) > most) continue;
    EXPECT_EQ(std::to_string(root_of(prefix + joined(row.position, 'x'))), row.value)
        << game << ' ' << row.position;
    ++compared;
  }
  EXPECT_GE(compared, least_rows) << game;
}

TEST(GraphGolden, Cram) {
  expect_boards("cram", "cram:", 36, 34);
}

TEST(GraphGolden, NodeKaylesOnGrids) {
  expect_boards("node-kayles-grid", "node-kayles:", 48, 44);
}
TEST(GraphGolden, NodeKaylesOnKingsGraphs) {
  expect_boards("node-kayles-kings", "node-kayles:kings:", 48, 33);
}
TEST(GraphGolden, NodeKaylesOnKnightsGraphs) {
  expect_boards("node-kayles-knights", "node-kayles:knights:", 25, 9);
}
TEST(GraphGolden, NodeKaylesOnQueensGraphs) {
  expect_boards("node-kayles-queens", "node-kayles:queens:", 64, 18);
}

TEST(GraphGolden, NodeKaylesOnOneParameterFamilies) {
  for (const GoldenRow& row : golden_rows("node-kayles-path")) {
    EXPECT_EQ(std::to_string(root_of("node-kayles:path:" + row.position)), row.value);
  }
  for (const GoldenRow& row : golden_rows("node-kayles-cycle")) {
    EXPECT_EQ(std::to_string(root_of("node-kayles:cycle:" + row.position)), row.value);
  }
  for (const GoldenRow& row : golden_rows("node-kayles-petersen")) {
    EXPECT_EQ(std::to_string(root_of("node-kayles:petersen:" + row.position + ",2")), row.value);
  }
  for (const GoldenRow& row : golden_rows("node-kayles-hypercube")) {
    EXPECT_EQ(std::to_string(root_of("node-kayles:hypercube:" + row.position)), row.value);
  }
  for (const GoldenRow& row : golden_rows("arc-kayles-path")) {
    EXPECT_EQ(std::to_string(root_of("arc-kayles:path:" + row.position)), row.value);
  }
}

TEST(GraphGolden, Chomp) {
  for (const GoldenRow& row : golden_rows("chomp-rect", "state_spaces_lattice.csv")) {
    EXPECT_EQ(std::to_string(table_of("chomp:" + joined(row.position, 'x')).root_value()),
              row.value)
        << row.position;
  }
  for (const GoldenRow& row : golden_rows("chomp-shape", "state_spaces_lattice.csv")) {
    EXPECT_EQ(std::to_string(table_of("chomp:" + joined(row.position, ',')).root_value()),
              row.value)
        << row.position;
  }
}

TEST(GraphGolden, Welter) {
  for (const GoldenRow& row : golden_rows("welter")) {
    EXPECT_EQ(std::to_string(root_of("welter:" + joined(row.position, ','))), row.value);
  }
}

TEST(GraphGolden, CoinTurning) {
  for (const GoldenRow& row : golden_rows("mock-turtles")) {
    EXPECT_EQ(std::to_string(root_of("mock-turtles:" + row.position)), row.value);
  }
  for (const GoldenRow& row : golden_rows("ruler")) {
    EXPECT_EQ(std::to_string(root_of("ruler:" + row.position)), row.value);
  }
  std::size_t played = 0;
  for (const GoldenRow& row : golden_rows("nim-product")) {
    std::uint64_t x = 0, y = 0;
    ASSERT_EQ(std::sscanf(row.position.c_str(), "%lu %lu", &x, &y), 2);
    EXPECT_EQ(std::to_string(nim_product(x, y)), row.value) << row.position;
    if (x > 15 || y > 15) continue;
    EXPECT_EQ(std::to_string(root_of("turning-corners:" + joined(row.position, '.'))), row.value);
    ++played;
  }
  EXPECT_GE(played, 8u);
}

TEST(GraphGolden, Hexad) {
  const auto game = graph_game("hexad");
  const GraphTable table = table_of(*game);
  for (const GoldenRow& row : golden_rows("hexad-blackjack")) {
    if (row.position == "count") continue;  // tests/engines/graph/theorems_test.cpp
    EXPECT_EQ(std::to_string(value_at(*game, table, joined(row.position, ','))), row.value);
  }
}

TEST(GraphGolden, SubsetTakeaway) {
  for (const GoldenRow& row : golden_rows("subset-takeaway")) {
    EXPECT_EQ(std::to_string(root_of("subset-takeaway:" + row.position)), row.value);
  }
}

TEST(GraphGolden, ImpartialCannibalClobberIsOfficers) {
  const auto rows = golden_rows("impartial-cannibal-clobber-1xn");
  EXPECT_GE(rows.size(), 10u);
  for (const GoldenRow& row : rows) {
    EXPECT_EQ(std::to_string(root_of("heaps:0.6:" + row.position)), row.value);
  }
}

TEST(GraphGolden, SumsOfKaylesHeaps) {
  for (const GoldenRow& row : golden_rows("kayles-sum")) {
    Nimber sum = 0;
    std::istringstream heaps(row.position);
    bool small = true;
    for (unsigned heap = 0; heaps >> heap;) {
      if (heap > 30) small = false;
      if (small) sum ^= root_of(fmt::format("heaps:kayles:{}", heap));
    }
    if (small) {
      EXPECT_EQ(std::to_string(sum), row.value) << row.position;
    }
  }
}

TEST(GraphGolden, CramPositionsWithoutSymmetry) {
  for (const GoldenRow& row : golden_rows("cram-position-count")) {
    const auto game = graph_game("cram:" + joined(row.position, 'x'), Reduction::kNone);
    EXPECT_EQ(std::to_string(table_of(*game).size()), row.value) << row.position;
  }
}

TEST(GraphGolden, MisereCram) {
  for (const GoldenRow& row : golden_rows("cram-misere-grundy")) {
    const auto game = graph_game("cram:" + joined(row.position, 'x'), Reduction::kSymmetry);
    const GraphTable table = table_of(*game, "auto", 1, true);
    ASSERT_EQ(table.start.size(), 1u);
    EXPECT_EQ(std::to_string(table.misere[table.start[0]]), row.value) << row.position;
  }
}

}  // namespace
}  // namespace grundy
