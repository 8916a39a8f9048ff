/// @file
/// Statistics of several heaps in many lives: processes that die at a write, fsync or rename, are
/// killed at any time, or have calls that fail. A sealed state is never lost, and what is counted
/// is what one undisturbed life counts.
// SPDX-License-Identifier: MIT
#include <cerrno>
#include <chrono>
#include <random>

#include <grundy/compute.hpp>
#include <grundy/games.hpp>
#include <grundy/statistics.hpp>

#include "crash/lives.hpp"

namespace grundy::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::MatchesRegex;

/// A game for each engine with states; a state is sealed whenever one can be.
struct CountedJob {
  const char* name;
  const char* game;
  LatticeShape shape;
  const char* extent;
};

class LatticeStateLivesTest : public LivesTest, public ::testing::WithParamInterface<CountedJob> {
 protected:
  LatticeStateLivesTest() {
    Request request{
        .game = LatticeGame{.rule = resolve_game(GetParam().game, GameKind::kLattice).lattice(),
                            .shape = GetParam().shape,
                            .stats_only = true}};
    expected_ = compute(request);
  }

  static std::vector<std::string> words(const std::string& threads = "1") {
    return {"compute",  GetParam().game,
            "--shape",  GetParam().extent,
            "--sorted", "--stats-only",
            "-o",       kTable,
            "--block",  "16",
            "-q",       "--checkpoint-interval",
            "0s",       "--threads",
            threads};
  }

  /// Runs to the end, and compares; leaves the directory empty.
  void finish_and_compare(const std::string& threads = "1") {
    const bool begun =
        fs::exists(directory() / kRun / "run.json") || fs::exists(directory() / kRun / "finished");
    if (begun || !table_exists()) {
      const Outcome last = live(words(threads), "");
      ASSERT_EQ(last.code, 0) << last.err;
    }
    const LatticeStatistics file = read_lattice_statistics(directory() / kTable);
    EXPECT_EQ(file.info.stats, expected_.info.stats);
    EXPECT_EQ(file.zeros, expected_.statistics.zeros);
    EXPECT_EQ(files().size(), 1U) << "only the file is left";
    clear();
  }

  Report expected_;
  std::mt19937 random_{testing_support::by_effort(1U, 2U)};
};

TEST_P(LatticeStateLivesTest, DieAtEveryWriteSyncAndRename) {
  const unsigned long calls = count(words(), "file");
  // Without a state there are 24. The disk decides how many states a run of some length seals.
  ASSERT_GT(calls, 40U);
  unsigned points = 0;
  for (const char* how : {"crash", "torn"}) {
    for (unsigned long call = 1; call <= calls; call += testing_support::by_effort(29U, 1U)) {
      const std::string threads = random_() % 2 == 0 ? "1" : "2";
      die_twice(words(threads), {call, 1 + random_() % calls}, how, false, points);
      if (HasFatalFailure()) return;
      finish_and_compare(threads);
      if (HasFatalFailure()) return;
    }
  }
  std::printf("%u crash points of %lu calls\n", points, calls);
}

TEST_P(LatticeStateLivesTest, AreKilledAtRandomTimes) {
  const auto start_of = std::chrono::steady_clock::now();
  finish_and_compare();
  const auto longest = std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::steady_clock::now() - start_of);
  unsigned kills = 0;
  while (kills < testing_support::by_effort(4U, 100U)) {
    kill_in_turn(4, longest, false, random_, kills,
                 [this] { return words(std::to_string(1 + random_() % 3)); });
    if (HasFatalFailure()) return;
    finish_and_compare();
    if (HasFatalFailure()) return;
  }
  std::printf("%u kills\n", kills);
}

TEST_P(LatticeStateLivesTest, HaveCallsThatFail) {
  for (const char* operation : {"write", "fsync", "rename", "open"}) {
    const unsigned long calls = count(words(), operation);
    ASSERT_GT(calls, 0U) << operation;
    const unsigned long step =
        std::max<unsigned long>(1, calls / testing_support::by_effort(2, 60));
    for (unsigned long call = 1; call <= calls; call += step) {
      const std::string fault = std::string(operation) + ":" + std::to_string(call) + ":" +
                                std::to_string(random_() % 2 == 0 ? ENOSPC : EIO) +
                                (random_() % 2 == 0 ? "" : ":sticky");
      const Outcome life = live(words(), fault);
      if (life.code != 0) {
        EXPECT_TRUE(life.code == 1 || life.code == 2) << fault << ": " << life.err;
        EXPECT_THAT(life.err, MatchesRegex("grundy: [^\n]+\n")) << fault;
      }
      finish_and_compare();
      if (HasFatalFailure()) FAIL() << fault;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Jobs, LatticeStateLivesTest,
    ::testing::Values(
        CountedJob{"wavefront", "wythoff", LatticeShape::cube(2, 1400, true), "1400x1400"},
        CountedJob{"frontier", "chomp(3)", LatticeShape::cube(3, 160, true), "160x160x160"}),
    [](const auto& job) { return std::string(job.param.name); });

}  // namespace
}  // namespace grundy::testing
