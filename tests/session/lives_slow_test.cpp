/// @file
/// The speed of every life. Wherever a run is stopped, and with whatever threads it goes on, its
/// next life soon has new values, and then is as fast as a run with as many threads that was never
/// stopped.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdio>
#include <deque>
#include <ostream>
#include <random>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <grundy/compute.hpp>

#include "core/digest.hpp"
#include "core/stopwatch.hpp"
#include "support/files.hpp"

namespace grundy::testing {
namespace {

using testing_support::TemporaryDirectory;

struct Game {
  std::string rule;
  HeapSize last;  ///< of one heap, or of each heap
  unsigned heaps = 1;
  bool stats_only = false;
};

void PrintTo(const Game& game, std::ostream* out) {
  *out << game.rule;
}

Request request_for(const Game& game) {
  Request request{.game = HeapGame{.rule = HeapRule::parse("0.07")}};
  if (game.heaps == 1) {
    request.game = HeapGame{.rule = HeapRule::parse(game.rule),
                            .last = game.last,
                            .at_period = AtPeriod::kCompute,
                            .stats_only = game.stats_only};
  } else {
    const auto size = static_cast<std::uint32_t>(game.last + 1);
    request.game = LatticeGame{.rule = LatticeRule::parse(game.rule),
                               .shape = LatticeShape::cube(game.heaps, size, true),
                               .stats_only = game.stats_only};
  }
  request.output.checkpoint.time = std::chrono::seconds(1);
  return request;
}

/// Notes when values were final, and stops the run at a number of them or after a time.
class Clocked final : public ProgressSink {
 public:
  Clocked(HeapSize stop_at, double most_seconds) : stop_at_(stop_at), most_(most_seconds) {}

  void report(const Progress& progress) override {
    const double now = time.seconds();
    if (progress.done == 0) return;
    reached = progress.done;
    if (times.empty() || now - times.back().second > 0.01) times.emplace_back(reached, now);
    if (reached >= stop_at_ || now > most_) stop.request_stop();
  }

  /// The time at which this many values were final.
  [[nodiscard]] double at(HeapSize values) const {
    const auto mark =
        std::ranges::lower_bound(times, values, {}, &std::pair<HeapSize, double>::first);
    return mark == times.end() ? times.back().second : mark->second;
  }

  Stopwatch time;
  std::stop_source stop;
  HeapSize reached = 0;
  std::vector<std::pair<HeapSize, double>> times;

 private:
  HeapSize stop_at_;
  double most_;
};

constexpr HeapSize kNever = ~HeapSize{0};
constexpr double kForever = 1e9;
constexpr double kTakeUp = 3;    ///< seconds: a prediction, and what is sealed
constexpr double kSlack = 0.25;  ///< seconds: reports come block by block

/// Whether a life from heap `from` on took no more than twice the time of a life without an end.
void expect_full_speed(const Clocked& life, HeapSize from, const Clocked& undisturbed) {
  const double begin = from == 0 ? 0 : life.at(from + 1);
  EXPECT_LT(begin, kTakeUp) << "until the first value behind " << from;
  const double usual = undisturbed.at(life.reached) - (from == 0 ? 0 : undisturbed.at(from + 1));
  EXPECT_LT(life.times.back().second - begin, 2 * usual + kSlack)
      << "from " << from << " to " << life.reached;
}

class SpeedOfLives : public ::testing::TestWithParam<Game> {};

TEST_P(SpeedOfLives, IsThatOfOneLife) {
  const TemporaryDirectory directory;
  Request request = request_for(GetParam());
  std::deque<Clocked> undisturbed;  // with one thread, and with two
  TableStats expected;
  for (const std::size_t threads : {1, 2}) {
    request.machine.threads = threads;
    request.output.path = directory / fmt::format("one{}.h5", threads);
    const Report whole =
        compute(request, {.progress = &undisturbed.emplace_back(kNever, kForever)});
    ASSERT_TRUE(whole.complete);
    expected = whole.info.stats;
  }
  const HeapSize values = undisturbed.front().reached;
  ASSERT_GT(undisturbed.front().times.back().second, 1) << "too short to tell anything";

  request.output.path = directory / "lives.h5";
  std::mt19937_64 random(23);
  Report report;
  unsigned lives = 0;
  for (HeapSize from = 0; !report.complete;) {
    const HeapSize left = values - std::min(values, from);
    const HeapSize to = lives < 5 ? from + random() % std::max<HeapSize>(left / 2, 1) : kNever;
    const std::size_t threads = 1 + random() % 2;
    request.machine.threads = threads;
    const Clocked& whole = undisturbed[threads - 1];
    Clocked life(to, 3 * (kTakeUp + 2 * whole.times.back().second));
    report = compute(request, {.stop = life.stop.get_token(), .progress = &life});
    ++lives;
    EXPECT_GE(life.reached, std::min(to, values)) << "life " << lives;
    expect_full_speed(life, from, whole);
    if (::testing::Test::HasFailure()) return;
    from = report.sealed;
  }
  EXPECT_EQ(report.info.stats, expected);
  std::printf("%u lives, one undisturbed life takes %.1f s, with two threads %.1f s\n", lives,
              undisturbed.front().times.back().second, undisturbed.back().times.back().second);
}

INSTANTIATE_TEST_SUITE_P(
    Games, SpeedOfLives,
    ::testing::Values(Game{"4!.0", 30'000'000}, Game{"0.6", 3'000'000}, Game{"0.404", 30'000'000},
                      Game{"0.362", 20'000'000}, Game{"0.14", 30'000'000}, Game{"0.74", 10'000'000},
                      Game{"0.06", 300'000}, Game{"0.007", 600'000},
                      Game{"0.454", 150'000'000, 1, true}, Game{"0.106", 1'000'000'000, 1, true},
                      Game{"2: sym (1,0)* + (1,1)*", 12000, 2}, Game{"3: sym (1,0,0)*", 700, 3},
                      Game{"2: sym (1,0)* + (1,1)*", 49999, 2, true},
                      Game{"3: sym (1,0,0)* + sym (1,1,0)*", 600, 3, true},
                      Game{"S{squares}", 5'000'000}, Game{"0.3F", 20'000},
                      Game{"0.106", 300'000'000}),
    [](const auto& tested) {
      std::string name = tested.param.rule + (tested.param.stats_only ? "_statistics" : "");
      std::ranges::replace_if(
          name, [](char c) { return std::isalnum(c) == 0; }, '_');
      return name;
    });

// A finished table is extended at the speed of a run that goes on.
TEST(SpeedOfAnExtension, IsThatOfOneLife) {
  constexpr HeapSize kShort = 15'000'000;
  const TemporaryDirectory directory;
  Request request = request_for({"4!.0", 25'000'000});
  request.machine.threads = 1;
  request.output.path = directory / "one.h5";
  Clocked whole(kNever, kForever);
  const Report expected = compute(request, {.progress = &whole});

  Request shorter = request;
  std::get<HeapGame>(shorter.game).last = kShort;
  shorter.output.path = directory / "short.h5";
  ASSERT_TRUE(compute(shorter).complete);
  request.output.path = directory / "longer.h5";
  request.output.base = shorter.output.path;
  Clocked extension(kNever, kForever);
  const Report report = compute(request, {.progress = &extension});
  expect_full_speed(extension, kShort, whole);
  EXPECT_EQ(report.engines.front().engine, "sparse");
  EXPECT_EQ(to_hex(report.info.stats.digest), to_hex(expected.info.stats.digest));
  std::printf("%.1f s, undisturbed %.1f s\n", extension.times.back().second,
              whole.times.back().second - whole.at(kShort));
}

}  // namespace
}  // namespace grundy::testing
