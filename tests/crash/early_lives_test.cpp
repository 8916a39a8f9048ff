/// @file
/// Runs that keep no table are killed while their engine still has all values: what is sealed says
/// how far heaps look back, so that later lives go on as an undisturbed one would.
// SPDX-License-Identifier: MIT
#include <chrono>
#include <random>

#include <grundy/compute.hpp>
#include <grundy/statistics.hpp>

#include "crash/lives.hpp"

namespace grundy::testing {
namespace {

/// 1900 of the heaps are rare: the engine lets no value go below heap 10^8.
constexpr const char* kGame = "0.404";

class EarlyLivesTest : public LivesTest {
 protected:
  static std::vector<std::string> words(HeapSize last, std::size_t threads) {
    return {"compute",      kGame,
            "--to",         std::to_string(last),
            "--stats-only", "-o",
            kTable,         "--checkpoint-interval",
            "16KiB",        "-q",
            "--memory",     "8GiB",
            "--threads",    std::to_string(threads)};
  }
};

TEST_F(EarlyLivesTest, GoOnFromStatesWithValues) {
  const HeapSize last = testing_support::by_effort(400'000U, 1'000'000U);
  Request request{.game =
                      HeapGame{.rule = HeapRule::parse(kGame), .last = last, .stats_only = true}};
  const Report expected = compute(request);
  std::mt19937 random{testing_support::by_effort(1U, 2U)};
  unsigned kills = 0, states = 0;
  // Kills may all come early. What is looked at is a run that has got further.
  while (kills < testing_support::by_effort(3U, 50U) || states == 0) {
    const auto begun = std::chrono::steady_clock::now();
    ASSERT_EQ(live(words(last, 1), "").code, 0);
    const auto longest = std::chrono::duration_cast<std::chrono::microseconds>(
        std::chrono::steady_clock::now() - begun);
    clear();
    kill_in_turn(5, longest, true, random, kills, [&] { return words(last, 1 + random() % 3); });
    if (HasFatalFailure()) return;
    if (frontier() > 50'000) {
      ++states;
      EXPECT_TRUE(read_run(directory() / kRun).segments.back().header.is_state());
    }
    const Outcome end = live(words(last, 2), "");
    ASSERT_EQ(end.code, 0) << end.err;
    expect_statistics_of(expected);
    const auto sparse = read_statistics(directory() / kTable).statistics.sparse;
    ASSERT_TRUE(sparse);
    EXPECT_LE(sparse->depth, 2 * expected.statistics.sparse->depth);
    const Outcome proof = run({"verify", kRun, "--full"});
    EXPECT_EQ(proof.code, 0) << proof.err;
    clear();
  }
  std::printf("%u kills\n", kills);
}

// Another engine goes on from values and seals values: what it has sealed is not computed again.
TEST_F(EarlyLivesTest, GoOnBehindValuesOfAnotherEngine) {
  const auto life = [&](const char* engine, HeapSize last, bool is_first) {
    std::vector<std::string> command{is_first ? "compute" : "resume"};
    if (is_first) {
      command.insert(command.end(), {kGame, "--stats-only", "-o", kTable});
    } else {
      command.emplace_back(kRun);
    }
    command.insert(command.end(), {"--to", std::to_string(last), "--engine", engine, "-q"});
    const Outcome outcome = run(command);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  };
  life("auto", 60'000, true);
  life("dense", 70'000, false);
  life("auto", 80'000, false);
  const std::vector<Segment> segments = read_run(directory() / kRun).segments;
  EXPECT_FALSE(segments[segments.size() - 2].header.is_state());
  EXPECT_EQ(segments.back().header.begin, 70'001U) << "from where the engine `dense` has ended";
  Request request{.game =
                      HeapGame{.rule = HeapRule::parse(kGame), .last = 80'000, .stats_only = true}};
  const Outcome proof = run({"verify", kRun, "--full"});
  EXPECT_EQ(proof.code, 0) << proof.err;
  EXPECT_EQ(read_statistics(directory() / kTable).info.stats, compute(request).info.stats);
}

}  // namespace
}  // namespace grundy::testing
