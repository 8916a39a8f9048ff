/// @file
/// Periods that a run proves without a table: the values return after the run has let them go.
/// Slow.
// SPDX-License-Identifier: MIT
#include <random>
#include <stop_token>

#include <gtest/gtest.h>

#include <grundy/compute.hpp>
#include <grundy/statistics.hpp>

#include "support/files.hpp"

namespace grundy::testing {
namespace {

using testing_support::TemporaryDirectory;

// Period and preperiod of 0.454: Flammenkamp, "Octal games", and
// tests/theory/long_periods_test.cpp.
TEST(StatisticsPeriod, IsTheSameInOneLifeAndInSeveral) {
  const TemporaryDirectory directory;
  std::mt19937 random(454);
  for (const int lives : {1, 4}) {
    Request request{
        .game =
            HeapGame{.rule = HeapRule::parse("0.454"), .last = 1'000'000'000, .stats_only = true}};
    request.output.path = directory / ("lives" + std::to_string(lives) + ".h5");
    request.output.checkpoint.time = std::chrono::seconds(1);
    Report report;
    for (int life = 1; life <= lives; ++life) {
      const HeapSize stop_at =
          life < lives ? report.sealed + 20'000'000 + random() % 50'000'000 : HeapSize{1} << 62;
      std::stop_source stop;
      Hooks hooks{.stop = stop.get_token()};
      hooks.values = [&](const Stretch& block) {
        if (block.end() >= stop_at) stop.request_stop();
        return Flow::kContinue;
      };
      request.machine.threads = 1 + random() % 2;
      report = compute(request, hooks);
    }
    ASSERT_TRUE(report.complete);
    const PeriodReport& period = report.info.period;
    EXPECT_EQ(period.status, PeriodStatus::kCertified);
    EXPECT_EQ(period.period, 60'620'715u);
    EXPECT_EQ(period.preperiod, 160'949'019u);
    ASSERT_TRUE(period.sparse);
    EXPECT_EQ(period.sparse->rare, 16u);
    EXPECT_EQ(period.sparse->last_rare, 124u);
    EXPECT_EQ(read_statistics(request.output.path).info, report.info);
  }
}

}  // namespace
}  // namespace grundy::testing
