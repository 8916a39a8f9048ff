/// @file
/// Predictions about a run before it begins: the engine that will be at work at its end, and the
/// time.
// SPDX-License-Identifier: MIT
#include "session/prediction.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <stop_token>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <grundy/compute.hpp>
#include <grundy/error.hpp>
#include <grundy/team.hpp>

#include "session/heap_trial.hpp"
#include "session/machine.hpp"
#include "session/setup.hpp"
#include "support/errors.hpp"

namespace grundy::testing {
namespace {

using testing_support::error_of;

using Seconds = std::chrono::duration<double>;

Request statistics_by(const char* game, HeapSize last, const char* engine = "auto") {
  Request request{.game = HeapGame{.rule = HeapRule::parse(game), .last = last, .stats_only = true},
                  .machine = {.threads = 1}};
  request.machine.engine = engine;
  return request;
}

Seconds time_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::steady_clock::now() - start;
}

// Dense begins, and would need all values at once.
TEST(Prediction, TakesTheEngineThatWillBeAtWork) {
  for (const char* game : {"4!.0", "0.6", "4.7"}) {
    const Request request = statistics_by(game, HeapSize{1} << 32);
    const Prediction needs = predict(request);
    EXPECT_EQ(needs.engine, "sparse") << game;
    EXPECT_LT(needs.memory_bytes.value(), std::uint64_t{1} << 31) << game;
    EXPECT_GT(needs.seconds_most.value(), 1) << game;
  }
  // Perhaps the rare heaps come to an end.
  EXPECT_TRUE(predict(statistics_by("0.06", 1u << 22)).engine.ends_with("dense"));
}

// A short trial shows little of it: there is work besides the numbers that are tried.
TEST(Prediction, AHeapThatMayTakeMoreNumbersCostsMore) {
  const Request request = statistics_by("S{squares}", 10'000'000);
  const HeapSetup setup(request);
  const HeapTrial trial(setup, 100'000, {});
  const HeapSize end = trial.computed();
  const auto seconds = [&](HeapSize from, HeapSize to) {
    return trial.outlook(from, to, RareGrowth::kSettles).seconds;
  };
  EXPECT_GT(seconds(2 * end, 4 * end), 2.8 * seconds(end, 2 * end));
}

// The temporary directory of a run without an output is not the place of an output.
TEST(Prediction, ARefusalNamesThePlaceThatHasNoRoom) {
  Request request = statistics_by("0.06", 100'000'000'000'000);
  request.machine.memory = std::uint64_t{1} << 62;
  EXPECT_THAT(error_of([&] { compute(request); }).what(),
              ::testing::HasSubstr("let it name another place, or choose an output"));
}

// A heap costs more from heap to heap, or a thousand times what others cost.
TEST(Prediction, TakesNoLongerThanATrial) {
  for (const char* game : {"0.3F", "4!.4", "0.FF", "0.007"}) {
    Prediction needs;
    const Seconds time = time_of([&] { needs = predict(statistics_by(game, 100'000'000)); });
    EXPECT_LT(time, Seconds(10)) << game;
    EXPECT_GT(needs.seconds_least.value(), 0) << game;
    EXPECT_LE(needs.seconds_least.value(), needs.seconds_most.value()) << game;
  }
}

// Chunks of a period of 149459 values never repeat, so each one is encoded.
TEST(Prediction, CountsTheChunksThatAPeriodDoesNotRepeat) {
  const auto seconds = [](const char* game) {
    Request request{.game = HeapGame{.rule = HeapRule::parse(game), .last = 3'000'000'000},
                    .machine = {.threads = 1}};
    request.output.path = "t.h5";
    return predict(request).seconds.value();
  };
  EXPECT_GT(seconds("0.16"), 2 * seconds("0.77"));
}

TEST(Prediction, IsLeftWhenARunIsStopped) {
  std::stop_source stop;
  stop.request_stop();
  Report report;
  const Seconds time = time_of(
      [&] { report = compute(statistics_by("0.3F", 2'000'000), {.stop = stop.get_token()}); });
  EXPECT_FALSE(report.complete);
  EXPECT_LT(time, Seconds(10));
}

TEST(Prediction, SaysThatItDoesNotKnow) {
  for (const char* game : {"0.146", "0.204", "0.06", "0.106"}) {
    const Prediction needs = predict(statistics_by(game, 2'000'000));
    const bool agree = *needs.seconds_most <= 2.5 * *needs.seconds_least;
    EXPECT_EQ(needs.seconds.has_value(), agree) << game;
  }
  const Prediction calm = predict(statistics_by("0.106", 1'000'000'000));
  EXPECT_EQ(calm.seconds_least, calm.seconds_most);
  EXPECT_DOUBLE_EQ(calm.seconds.value(), calm.seconds_most.value());

  Prediction needs;
  EXPECT_EQ(time_text(needs), "not known");
  needs.seconds_least = 20;
  needs.seconds_most = 180;
  EXPECT_EQ(time_text(needs), "20.0 s to 3 min 0 s, as rare heaps may come");
  needs.seconds = 60;
  EXPECT_EQ(time_text(needs), "about 1 min 0 s");
}

TEST(Prediction, ExtrapolatesBySumsOverOctaves) {
  const Request request = statistics_by("0.167", 1u << 20, "dense");
  const HeapSetup setup(request);
  const HeapTrial trial(setup, 1u << 15, {});
  ASSERT_GT(trial.computed(), 1000U);
  const HeapSize end = trial.computed();
  const auto seconds = [&](HeapSize from, HeapSize to) {
    return trial.outlook(from, to, RareGrowth::kGoesOn).seconds;
  };
  // What is sealed is not done again.
  EXPECT_NEAR(seconds(0, 8 * end), seconds(0, 4 * end) + seconds(4 * end, 8 * end),
              1e-6 * seconds(0, 8 * end));
  EXPECT_EQ(seconds(8 * end, 8 * end), 0);
  // Dense is quadratic in the end, if values do not grow: each octave takes four times as long.
  EXPECT_NEAR(seconds(256 * end, 512 * end) / seconds(128 * end, 256 * end), 4, 0.01);
}

// The other ranks are threads of this machine.
TEST(Prediction, MoreRanksThanProcessorsTakeNoLessTime) {
  const auto seconds = [](std::uint64_t ranks) {
    const auto team = make_thread_team(ranks);
    const LatticeShape shape = LatticeShape::cube(2, 5000, true);
    return predict({.game = LatticeGame{LatticeRule::parse("2: sym (1,0)* + (1,1)*"), shape, true},
                    .machine = {.threads = 1},
                    .team = team.back().get()})
        .seconds.value();
  };
  const auto processors = static_cast<double>(processors_of_machine());
  EXPECT_GT(seconds(16), seconds(2) / std::max(1.0, processors / 2) / 2);
}

TEST(Prediction, RanksDoNotWriteWhileTheyCompute) {
  const auto memory = [](bool stats_only) {
    const auto team = make_thread_team(2);
    Request request{.game = LatticeGame{LatticeRule::parse("2: sym (1,0)* + (1,1)*"),
                                        LatticeShape::cube(2, 24000, true), stats_only},
                    .machine = {.threads = 1},
                    .team = team.back().get()};
    if (!stats_only) request.output.path = std::filesystem::temp_directory_path() / "unwritten.h5";
    return static_cast<double>(predict(request).memory_bytes.value());
  };
  EXPECT_LT(memory(false), 1.1 * memory(true));
}

}  // namespace
}  // namespace grundy::testing
