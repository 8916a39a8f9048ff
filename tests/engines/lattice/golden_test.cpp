/// @file
/// Every row of tests/golden/state_spaces_lattice.csv, except the rows of large_test.cpp.
// SPDX-License-Identifier: MIT
#include <set>

#include <gtest/gtest.h>

#include <grundy/lattice/row_period.hpp>

#include "engines/lattice/golden_positions.hpp"
#include "engines/lattice/golden_tables.hpp"

namespace grundy {
namespace {

using namespace testing_support;

std::size_t count_rows(RowKind kind) {
  return static_cast<std::size_t>(
      std::ranges::count(golden_rows(), kind, [](const GoldenRow& row) { return kind_of(row); }));
}

TEST(LatticeGolden, NoRowIsForgotten) {
  EXPECT_EQ(golden_rows().size(), 681U);
  EXPECT_EQ(count_rows(RowKind::kPosition), 518U);
  EXPECT_EQ(count_rows(RowKind::kTable), 65U);
  EXPECT_EQ(count_rows(RowKind::kPeriod), 82U);
  EXPECT_EQ(count_rows(RowKind::kOpening), 16U);
}

TEST(LatticeGolden, Positions) {
  EXPECT_EQ(check_positions(0, kSmallHeap), 512U);
}

TEST(LatticeGolden, WholeTables) {
  EXPECT_EQ(check_tables(0, kFewPositions), 47U);
}

/// A. Dress, A. Flammenkamp, N. Pink (1999): G(row, n + p) = G(row, n) + p from a preperiod on.
TEST(LatticeGolden, PeriodsOfRowsOfWythoff) {
  std::vector<GoldenRow> rows;
  std::uint32_t last = 0;
  for (const GoldenRow& row : golden_rows()) {
    if (kind_of(row) != RowKind::kPeriod) continue;
    rows.push_back(row);
    last = std::max(last, static_cast<std::uint32_t>(std::stoul(row.position)));
  }
  const auto found = find_row_periods(resolve_game("wythoff", GameKind::kLattice).lattice(), last,
                                      std::uint64_t{1} << 18);
  ASSERT_TRUE(found);
  for (const GoldenRow& row : rows) {
    const RowPeriod& period = found->rows[std::stoul(row.position)];
    EXPECT_EQ(period.saltus, period.period);
    EXPECT_EQ(row.game == "wythoff-row-period" ? period.period : period.preperiod,
              std::stoul(row.value))
        << row.line;
  }
}

/// The winning bite of a bar of 3 x n leaves rows (n, n, r) or (n, q, q).
TEST(LatticeGolden, OpeningsOfChomp) {
  const auto table = cube_of("chomp(3)", 40);
  for (const GoldenRow& row : golden_rows()) {
    if (kind_of(row) != RowKind::kOpening) continue;
    const auto n = static_cast<std::uint32_t>(std::stoul(row.position));
    const auto left = static_cast<std::uint32_t>(std::stoul(row.value));
    const bool one_row = row.parameters.ends_with("(n n r)");
    EXPECT_EQ(table.at({left, one_row ? n : left, n}), 0U) << row.line;
  }
}

}  // namespace
}  // namespace grundy
