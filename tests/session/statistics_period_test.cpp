/// @file
/// Periods that a run proves without a table: the values return after the run has dropped them.
/// Slow.
// SPDX-License-Identifier: MIT
#include <random>
#include <stop_token>

#include <gtest/gtest.h>

#include <grundy/compute.hpp>
#include <grundy/progress.hpp>
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
    const StatisticsFile file = read_statistics(request.output.path);
    EXPECT_EQ(file.info, report.info);
    ASSERT_TRUE(file.statistics.last_exception);
    EXPECT_EQ(file.statistics.last_exception->heap, 160'949'018u);
    EXPECT_NE(file.statistics.last_exception->value, file.statistics.last_exception->later);
    EXPECT_EQ(report.statistics.last_exception, file.statistics.last_exception);
  }
}

// A table whose period is proved by a return, when most values are in the seals alone: what follows
// from the period is read there. It is the table of a run that keeps all values.
TEST(WindowedTable, IsExtendedByWhatIsSealed) {
  const TemporaryDirectory directory;
  Request request{.game = HeapGame{.rule = HeapRule::parse("0.454"), .last = 400'000'000}};
  request.machine.threads = 2;
  request.output.path = directory / "window.h5";
  const Report window = compute(request);
  request.output.path = directory / "whole.h5";
  request.output.reproducible = true;
  const Report whole = compute(request);
  ASSERT_TRUE(window.complete && whole.complete);
  EXPECT_EQ(window.info.stats, whole.info.stats);
  EXPECT_EQ(window.info.period.status, PeriodStatus::kCertified);
  EXPECT_EQ(window.info.period.period, 60'620'715u);
  EXPECT_EQ(window.info.period.preperiod, 160'949'019u);
  EXPECT_LT(window.info.computed, 230'000'000u);
}

/// Adds up what is told of the search of a preperiod, after which nothing else is told.
class Listener final : public ProgressSink {
 public:
  void report(const Progress& progress) override {
    if (at_work) last = progress;
  }

  bool at_work = false;
  Progress last;
};

// The same search without an output, and one with an output that is stopped at both of its parts.
TEST(StatisticsPeriod, ASearchEndsThereAndGoesOnWhereItWasStopped) {
  const TemporaryDirectory directory;
  Request request{.game = HeapGame{.rule = HeapRule::parse("0.454"), .last = 1'000'000'000}};
  const Report quick = search_period(request);
  ASSERT_TRUE(quick.complete);
  request.output.path = directory / "t.h5";
  std::stop_source stop;
  Hooks hooks{.stop = stop.get_token()};
  hooks.values = [&](const Stretch& block) {
    if (block.end() > 200'000'000) stop.request_stop();
    return Flow::kContinue;
  };
  const Report first = search_period(request, hooks);
  EXPECT_FALSE(first.complete);
  EXPECT_GE(first.sealed, 200'000'000u);
  stop = {};
  hooks.stop = stop.get_token();
  hooks.values = {};
  Listener listener;
  hooks.progress = &listener;
  hooks.narrate = [&](const std::string& sentence) {
    if (sentence.find("looking for its preperiod") == std::string::npos) return;
    listener.at_work = true;
    stop.request_stop();
  };
  const Report second = search_period(request, hooks);
  EXPECT_FALSE(second.complete);
  EXPECT_EQ(second.info.period.status, PeriodStatus::kCandidate);
  EXPECT_EQ(second.info.period.period, 60'620'715u);
  EXPECT_EQ(second.sealed, second.info.period.verified_to) << "it was sealed where it was proved";
  EXPECT_LT(listener.last.share(), 0.5);
  HeapSize computed = 0;
  hooks = {.progress = &listener, .values = [&](const Stretch& block) {
             computed += block.values.size();
             return Flow::kContinue;
           }};
  listener.at_work = true;
  const Report third = search_period(request, hooks);
  ASSERT_TRUE(third.complete);
  EXPECT_EQ(computed, 0u);
  EXPECT_GT(listener.last.share(), 0.8);
  EXPECT_EQ(third.info.period.preperiod, 160'949'019u);
  EXPECT_EQ(third.info.period, quick.info.period);
  EXPECT_EQ(third.info.stats, quick.info.stats);
}

// Heap 47 342 435 needs values from far back, and heap 48 399 022 is the last that is rare
// (Flammenkamp: 1287 rare heaps up to 2^35, with heap 0).
TEST(StatisticsPeriod, GrundysGameGetsPastItsLastRareHeap) {
  const Report report = compute({.game = HeapGame{
                                     .rule = HeapRule::parse("4!.0"),
                                     .last = 49'000'000,
                                     .stats_only = true,
                                 }});
  EXPECT_TRUE(report.complete);
  EXPECT_EQ(report.statistics.sparse.value().rare, 1286u);
  EXPECT_EQ(report.statistics.sparse->last_rare, 48'399'022u);
}

}  // namespace
}  // namespace grundy::testing
