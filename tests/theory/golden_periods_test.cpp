/// @file
/// The known periods of heap games, certified from computed values.
// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "theory/analysis_testing.hpp"

namespace grundy {
namespace {

using namespace testing_support;  // NOLINT(google-build-using-namespace)

TEST(GoldenPeriods, EveryQuickRowIsCertified) {
  std::size_t rows = 0;
  for (const GoldenPeriod& row : golden_periods()) {
    if (!row.known || row.known->preperiod + row.known->period > kQuick) continue;
    EXPECT_EQ(facts(watched_period(row.code, 3 * kQuick, 64)),
              certified(row.known->preperiod, row.known->period))
        << row.code;
    ++rows;
  }
  EXPECT_EQ(rows, 466u);
}

TEST(GoldenPeriods, UnsolvedGamesAreNotCertified) {
  std::size_t rows = 0;
  for (const GoldenPeriod& row : golden_periods()) {
    if (row.known) continue;
    EXPECT_EQ(watched_period(row.code, 3000).status, PeriodStatus::kNone) << row.code;
    ++rows;
  }
  EXPECT_EQ(rows, 44u);
}

TEST(GoldenPeriods, FamilyOfAlthoeferAndBultmann) {
  // TCS 148 (1995): S{s, 4s, 12s+1, 16s+1} has period 56s^3 + 52s^2 + 9s + 1.
  constexpr HeapSize kPreperiods[] = {53, 164, 331, 554, 833};
  for (HeapSize s = 2; s <= 6; ++s) {
    const std::string rule = "S{" + std::to_string(s) + "," + std::to_string(4 * s) + "," +
                             std::to_string(12 * s + 1) + "," + std::to_string(16 * s + 1) + "}";
    const HeapSize period = ((56 * s + 52) * s + 9) * s + 1;
    EXPECT_EQ(facts(watched_period(rule, 60000)), certified(kPreperiods[s - 2], period)) << rule;
  }
}

}  // namespace
}  // namespace grundy
