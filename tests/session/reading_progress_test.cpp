// SPDX-License-Identifier: MIT
#include "session/reading_progress.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include <grundy/compute.hpp>

#include "support/files.hpp"

namespace grundy::testing {
namespace {

class Shares final : public ProgressSink {
 public:
  void report(const Progress& progress) override { shares.push_back(progress.share()); }
  std::vector<double> shares;
};

/// A life begins at 40 of 100: its own work is 60, and a third of its time is left after it.
TEST(ReadingProgress, LeavesRoomForWhatComesAfterTheLastValue) {
  Shares sink;
  ReadingProgress progress(sink, 0.5);
  progress.report({.work_done = 40, .work_total = 100});
  progress.report({.work_done = 70, .work_total = 100});
  progress.report({.work_done = 100, .work_total = 100});
  progress.read(0.5);
  progress.read(1);
  EXPECT_EQ(sink.shares, (std::vector{40 / 130.0, 70 / 130.0, 100 / 130.0, 115 / 130.0, 1.0}));
}

TEST(ReadingProgress, AnotherEngineBeginsAnew) {
  Shares sink;
  ReadingProgress progress(sink, 1);
  progress.report({.work_done = 0, .work_total = 10});
  progress.report({.work_done = 8, .work_total = 10});
  progress.report({.work_done = 4, .work_total = 6});
  EXPECT_EQ(sink.shares, (std::vector{0.0, 8 / 20.0, 4 / 8.0}));
}

TEST(ReadingProgress, ATableOfHeapsIsNotCompleteWithItsLastValue) {
  const testing_support::TemporaryDirectory place;
  Request request{.game = HeapGame{.rule = HeapRule::parse("0.106"),
                                   .last = 6'000'000,
                                   .at_period = AtPeriod::kCompute}};
  request.output.path = place / "t.h5";
  const auto prediction = predict(request);
  EXPECT_GT(prediction.reading_seconds, 0);
  EXPECT_LT(prediction.reading_seconds, prediction.seconds);
  Shares sink;
  ASSERT_TRUE(compute(request, {.progress = &sink}).complete);
  EXPECT_TRUE(std::ranges::is_sorted(sink.shares));
  EXPECT_GT(sink.shares.back(), 0.5);
  EXPECT_LT(sink.shares.back(), 1);  // what is read back has still to come
}

}  // namespace
}  // namespace grundy::testing
