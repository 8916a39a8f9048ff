/// @file
/// The forecast of the remaining time for runs whose engines report unevenly.
// SPDX-License-Identifier: MIT
#include "cli/pace.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace grundy::cli {
namespace {

using Seconds = std::chrono::duration<double>;

/// A run with this much work, which hears how much of it is done and when.
class Reported {
 public:
  explicit Reported(double work) : work_(work) {}
  static Pace::Clock::time_point at(double seconds) {
    return Pace::Clock::time_point{} +
           std::chrono::duration_cast<Pace::Clock::duration>(Seconds(1000 + seconds));
  }
  void report(double seconds, double done) {
    pace_.note({.done = static_cast<HeapSize>(done),
                .total = static_cast<HeapSize>(work_),
                .work_done = done,
                .work_total = work_},
               at(seconds));
  }
  /// The forecast seconds that are left; 0 if there is no forecast.
  [[nodiscard]] double left(double seconds) const {
    const auto estimate = pace_.estimate(at(seconds));
    return estimate ? estimate->left.count() : 0;
  }

 private:
  Pace pace_;
  double work_;
};

TEST(Pace, OfASteadyRunIsExact) {
  Reported run(1000);
  for (int i = 1; i <= 500; ++i) run.report(0.1 * i, i);
  EXPECT_NEAR(run.left(50), 50, 0.5);
}

TEST(Pace, APhaseWithoutAReportIsNoSignOfASlowRun) {
  Reported run(1000);
  for (int i = 1; i <= 300; ++i) run.report(0.01 * i, i);
  EXPECT_LT(run.left(5), 3 * 9.0);  // two seconds of silence
  run.report(5, 301);
  EXPECT_LT(run.left(5), 3 * 9.0);
  for (int i = 302; i <= 600; ++i) run.report(5 + 0.01 * (i - 301), i);
  EXPECT_NEAR(run.left(8), 4, 2);
}

TEST(Pace, FollowsARunThatHasBecomeSlower) {
  Reported run(1000);
  for (int i = 1; i <= 500; ++i) run.report(0.001 * i, i);
  for (int i = 501; i <= 600; ++i) run.report(0.5 + 0.01 * (i - 500), i);
  EXPECT_NEAR(run.left(1.5), 4, 2);
}

TEST(Pace, OfAWorkWithoutAnEndIsARate) {
  Pace pace;
  const auto report = [&](double seconds, double done) {
    pace.note({.done = static_cast<HeapSize>(done),
               .work_done = done,
               .work_total = std::numeric_limits<double>::infinity()},
              Reported::at(seconds));
  };
  for (int i = 0; i <= 10; ++i) report(0.1 * i, 50 * i);
  const auto estimate = pace.estimate(Reported::at(1));
  ASSERT_TRUE(estimate);
  EXPECT_NEAR(estimate->rate, 500, 1);
  EXPECT_TRUE(std::isinf(estimate->left.count()));
}

TEST(Pace, SaysNothingOfAnEngineThatHasJustBegun) {
  Reported run(1e6);
  run.report(0, 1);
  run.report(1, 10);
  EXPECT_EQ(run.left(1), 0);
  run.report(4, 40);
  EXPECT_GT(run.left(4), 0) << "it was at work for some seconds";
  Reported other(1e6);
  other.report(0, 1);
  other.report(0.1, 20'000);
  EXPECT_GT(other.left(0.1), 0) << "it has done a fiftieth of the work";
}

}  // namespace
}  // namespace grundy::cli
