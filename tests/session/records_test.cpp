/// @file
/// The records of long runs below tests/golden/records: what they say of the first heaps is
/// computed again, and what they say of themselves agrees.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <filesystem>
#include <ranges>

#include <gtest/gtest.h>

#include <grundy/compute.hpp>
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

}  // namespace
}  // namespace grundy::testing
