/// @file
/// Periods of rows: known ones of Wythoff's game, formulas, and tables that go on as proved.
// SPDX-License-Identifier: MIT
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <grundy/error.hpp>
#include <grundy/lattice/row_period.hpp>

#include "engines/lattice/lattice_testing.hpp"
#include "engines/lattice/wythoff_record.hpp"

namespace grundy {
namespace {

RowPeriods periods_of(std::string_view game, std::uint32_t last_row) {
  const LatticeRule rule = resolve_game(game, GameKind::kLattice).lattice();
  const auto found = find_row_periods(rule, last_row, 1u << 14);
  EXPECT_TRUE(found.has_value()) << game;
  return found.value_or(RowPeriods{});
}

/// Periods and preperiods of rows of Wythoff's game, found in tables by an independent program;
/// those of rows 3 and 4 agree with OEIS A004484 and A004485.
TEST(RowPeriods, Wythoff) {
  const std::vector<RowPeriod> known = {
      {0, 1, 0, 1},        {1, 3, 0, 3},      {2, 3, 0, 3},        {3, 6, 8, 6},
      {4, 12, 9, 12},      {5, 24, 27, 24},   {6, 12, 37, 12},     {7, 24, 92, 24},
      {8, 24, 102, 24},    {9, 24, 127, 24},  {10, 24, 224, 24},   {11, 48, 277, 48},
      {12, 48, 347, 48},   {13, 96, 382, 96}, {16, 192, 771, 192}, {18, 384, 919, 384},
      {21, 768, 1252, 768}};
  const RowPeriods found = periods_of("wythoff", 21);
  for (const RowPeriod& row : known) EXPECT_EQ(found.rows[row.row], row) << row.row;
}

/// The first rows of the record of rows 0 to 511.
TEST(RowPeriods, WythoffRecord) {
  std::vector<RowPeriod> record = testing_support::recorded_wythoff_rows();
  ASSERT_EQ(record.size(), 512U);
  const LatticeRule rule = resolve_game("wythoff", GameKind::kLattice).lattice();
  const auto found = find_row_periods(rule, 60, 1u << 17);
  ASSERT_TRUE(found.has_value());
  record.resize(61);
  EXPECT_EQ(found->rows, record);
}

/// Nim: G(x, n) = x xor n repeats with the least power of two above x.
TEST(RowPeriods, Nim) {
  for (const RowPeriod& row : periods_of("nim(2)", 40).rows) {
    const std::uint64_t period = std::bit_ceil(std::uint64_t{row.row} + 1);
    EXPECT_EQ(row, (RowPeriod{row.row, period, 0, period}));
  }
}

/// Without an unbounded move in a row its values are bounded: the saltus is 0.
TEST(RowPeriods, FiniteSubtractionInARow) {
  const RowPeriods found = periods_of("2: (1,0)* + (0,1)*1..3", 5);
  for (const RowPeriod& row : found.rows) {
    EXPECT_EQ(row.saltus, 0U);
    EXPECT_EQ(row.period, 4U) << row.row;  // subtract 1 to 3
    EXPECT_EQ(row.preperiod, 0U);
  }
}

/// Every rule: the table, made by an engine, goes on as was proved, and the period is the least.
TEST(RowPeriods, TablesGoOnAsProved) {
  for (const std::string game :
       {"wythoff", "a-wythoff(3)", "2: (1,0)* + (0,2)*", "2: sym (1,0)* + sym (1,2)*",
        "2: (1,0)*{1,3} + (0,1)* + (2,1)", "2: (0,1)* + box(1,2)", "moore(2,2)",
        "2: box(1,2) + (1,0)", "2: (0,2)* + (0,3)* + (1,1)", "cyclic-nimhoff(2,4)",
        "2: (1,2) + (2,1) + (0,3)", "2: (1,0)*", "2: (1,1)* + (0,1)*", "2: (2,1)* + (0,1)* + (1,0)",
        "2: (3,0)* + (0,2)* + (2,3)*", "2: box(1,2) + (0,1)* + (2,0)* + (1,1)*{2,3}",
        "2: (4,2)* + (0,3)* + (1,0)*", "2: (7,1)* + (0,1)*"}) {
    constexpr std::uint32_t kLastRow = 5;
    const LatticeRule rule = resolve_game(game, GameKind::kLattice).lattice();
    const RowPeriods found = periods_of(game, kLastRow);
    const auto columns =
        static_cast<std::uint32_t>(std::max<std::uint64_t>(300, found.column + 3 * found.period));
    ASSERT_LT(columns, 30000U) << game;
    LatticeShape shape{.heaps = 2, .extent = {kLastRow + 1, columns}, .sorted = false};
    const auto table = testing_support::table_by("auto", rule, shape);
    for (const RowPeriod& row : found.rows) {
      const auto value = [&](std::uint64_t n) {
        return std::uint64_t{table.at({row.row, static_cast<std::uint32_t>(n)})};
      };
      const auto holds_from = [&](std::uint64_t first, std::uint64_t period, std::uint64_t saltus) {
        for (std::uint64_t n = first; n + period < columns; ++n) {
          if (value(n + period) != value(n) + saltus) return false;
        }
        return true;
      };
      EXPECT_TRUE(holds_from(row.preperiod, row.period, row.saltus)) << game << ' ' << row.row;
      if (row.preperiod > 0) {
        EXPECT_FALSE(holds_from(row.preperiod - 1, row.period, row.saltus)) << game << row.row;
      }
      for (std::uint64_t less = 1; less < row.period; ++less) {
        if (row.period % less != 0 || row.saltus % (row.period / less) != 0) continue;
        EXPECT_FALSE(holds_from(found.column, less, row.saltus * less / row.period)) << game;
      }
    }
  }
}

TEST(RowPeriods, RefusesWhatItCannotProve) {
  for (const char* game :
       {"nim(3)", "nim-with-a-pass(2)", "euclid", "chomp(2)", "3: sym (1,0,0)* + balanced"}) {
    const LatticeRule rule = resolve_game(game, GameKind::kLattice).lattice();
    EXPECT_FALSE(row_period_refusal(rule).empty()) << game;
    EXPECT_THROW(find_row_periods(rule, 3, 1000), Error) << game;
  }
  EXPECT_THROW(find_row_periods(LatticeRule::parse("2: (0,4000000000)"), 3, 1000), Error);
  EXPECT_THROW(find_row_periods(LatticeRule::parse("2: band(1,2;4000000000)"), 3, 1000), Error);
}

TEST(RowPeriods, NothingIsSaidTooEarly) {
  const LatticeRule rule = resolve_game("wythoff", GameKind::kLattice).lattice();
  EXPECT_FALSE(find_row_periods(rule, 10, 200).has_value()) << "row 10 needs 224 columns at least";
  std::stop_source source;
  source.request_stop();
  EXPECT_FALSE(find_row_periods(rule, 40, 1u << 20, source.get_token()).has_value());
}

}  // namespace
}  // namespace grundy
