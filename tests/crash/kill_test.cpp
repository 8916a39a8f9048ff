/// @file
/// SIGKILL at random times, with other threads, kernels, engines and blocks in every life: the
/// table is always the same.
// SPDX-License-Identifier: MIT
#include <chrono>
#include <random>

#include "crash/lives.hpp"

namespace grundy::testing {
namespace {

class KillTest : public LivesTest {
 protected:
  /// Options in which a life may differ from others without a difference in values.
  std::vector<std::string> variation(const Job& job) {
    const auto pick = [this](const std::vector<std::string>& from) {
      return from[random_() % from.size()];
    };
    std::vector<std::string> words{"--threads",
                                   pick({"1", "2", "3", "4"}),
                                   "--kernel",
                                   pick({"auto", "scalar"}),
                                   "--checkpoint-interval",
                                   pick({"500B", "2KiB", "0s"})};
    if (job.range != "--to") return words;  // tiles and engines order the values of several heaps
    const std::vector<std::string> more{"--memory", "8GiB",
                                        "--engine", pick({"auto", "dense", "reference"}),
                                        "--block",  pick({"64", "128", "1000", "4096"})};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  /// The length of an undisturbed life.
  std::chrono::microseconds length(const Job& job) {
    const auto start = std::chrono::steady_clock::now();
    std::vector<std::string> slowly{"--threads", "1"};
    if (job.range == "--to") slowly.insert(slowly.end(), {"--engine", "reference"});
    finish_and_check(job, slowly);
    return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() -
                                                                 start);
  }

  /// Kills some lives, then lets one finish; the frontier never moves back.
  void kill_some(const Job& job, std::chrono::microseconds longest, unsigned& kills) {
    constexpr int kLives = 8;
    kill_in_turn(kLives, longest, false, random_, kills, [&] {
      std::vector<std::string> words{"compute", job.game, job.range, job.last, "-o", kTable, "-q"};
      const auto more = variation(job);
      words.insert(words.end(), more.begin(), more.end());
      return words;
    });
    if (HasFatalFailure()) return;
    finish_and_check(job);
  }

  std::mt19937 random_{testing_support::by_effort(1U, 2U)};
};

class KillTestOf : public KillTest, public ::testing::WithParamInterface<Job> {};

TEST_P(KillTestOf, AtRandomTimes) {
  const Job& job = GetParam();
  unsigned kills = 0;
  const auto longest = length(job);
  while (kills < testing_support::by_effort(10U, 200U)) {
    kill_some(job, longest, kills);
    if (HasFatalFailure()) return;
  }
  std::printf("%u kills\n", kills);
}

INSTANTIATE_TEST_SUITE_P(
    Jobs, KillTestOf,
    ::testing::Values(Job{"0.007", "3000", "2KiB", "", kTreblecrossDigest},
                      Job{"wythoff", "500x500", "2KiB", "", kWythoffDigest, "--shape"},
                      Job{"chomp(3)", "50x50x50", "2KiB", "", kChompDigest, "--shape"}));

}  // namespace
}  // namespace grundy::testing
