/// @file
/// The records of long runs below tests/golden/records: what they say of the first heaps is
/// computed again, and what they say of themselves agrees.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <ranges>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <grundy/compute.hpp>
#include <grundy/games.hpp>
#include <grundy/layout.hpp>
#include <grundy/statistics.hpp>

#include "core/digest.hpp"
#include "theory/stats_collector.hpp"

namespace grundy::testing {
namespace {

const std::filesystem::path kRecords = std::filesystem::path(GRUNDY_GOLDEN_DIR) / "records";

// All three numbers are those that A. Flammenkamp published.
TEST(Records, PeriodOf106) {
  const StatisticsFile record = read_statistics(kRecords / "octal-106" / "0.106.h5");
  EXPECT_EQ(record.info.canonical, "0.106");
  const PeriodReport& period = record.info.period;
  EXPECT_EQ(period.status, PeriodStatus::kCertified);
  EXPECT_EQ(period.preperiod, 465'384'263'797U);
  EXPECT_EQ(period.period, 328'226'140'474U);
  EXPECT_GE(record.info.computed, period.preperiod + period.period);
  EXPECT_EQ(record.statistics.rare_heaps.back(), 1103U);
}

TEST(Records, TheFirstHeapsOf106AreComputedAgain) {
  const StatisticsFile record = read_statistics(kRecords / "octal-106" / "0.106.h5");
  constexpr std::size_t kOctaves = 27;
  const HeapSize count = HeapSize{1} << kOctaves;
  HeapGame game{.rule = HeapRule::parse("0.106"), .last = count - 1, .stats_only = true};
  game.at_period = AtPeriod::kCompute;
  const Report report = compute({.game = game});
  ASSERT_TRUE(report.complete);
  const auto& milestones = record.statistics.milestones;
  const auto& again = report.statistics.milestones;
  ASSERT_GT(milestones.size(), kOctaves);
  ASSERT_EQ(again.size(), kOctaves + 1);
  for (std::size_t k = 0; k <= kOctaves; ++k) EXPECT_EQ(milestones[k], again[k]) << "2^" << k;
  EXPECT_EQ(record.statistics.rare_heaps, report.statistics.rare_heaps);
}

// Boards of at most eight rows and twelve columns, as sorted positions of eight heaps by an engine
// of its own.
TEST(Records, ChompBoardsOfEightRows) {
  constexpr unsigned kRows = 8;
  constexpr std::uint32_t kColumns = 12;
  const AnyGame game = resolve_game("chomp(8)", GameKind::kLattice);
  const LatticeShape shape = LatticeShape::cube(kRows, kColumns + 1, true);
  std::vector<Nimber> values;
  const Report report = compute(
      {.game = LatticeGame{game.lattice(), shape}}, {.values = [&values](const Stretch& stretch) {
        stretch.values.visit(
            [&](auto run) { values.insert(values.end(), run.begin(), run.end()); });
        return Flow::kContinue;
      }});
  ASSERT_TRUE(report.complete);
  const Layout layout = Layout::of(shape, 1);
  std::ifstream file(kRecords / "chomp-rectangles-16" / "values.csv");
  std::size_t rows = 0, checked = 0;
  for (std::string line; std::getline(file, line);) {
    unsigned height = 0, width = 0, value = 0;
    if (std::sscanf(line.c_str(), "%u,%u,%u,", &height, &width, &value) != 3) continue;
    ++rows;
    if (height > kRows || width > kColumns) continue;
    LatticePoint p{};
    std::fill_n(p.begin() + (kRows - height), height, width);
    EXPECT_EQ(values[layout.entry_of(p)], value) << line;
    ++checked;
  }
  EXPECT_EQ(rows, 136U);
  EXPECT_EQ(checked, 68U);
}

}  // namespace
}  // namespace grundy::testing
