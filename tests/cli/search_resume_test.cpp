/// @file
/// `compute --root -o FILE`: killed and stopped at random moments, the value is the same.
// SPDX-License-Identifier: MIT
#include <chrono>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <signal.h>

#include "cli/run_grundy.hpp"

namespace grundy::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;

class SearchResume : public CommandTest {
 protected:
  std::vector<std::string> words() const {
    return {"compute", "cram:5x8", "--root", "-o", "cram.json", "--checkpoint-interval",
            "0s",      "-q"};
  }
  bool is_sealed() const { return files().contains("cram.json.run/learnt"); }

  /// A life that a signal ends after it has sealed something.
  Outcome end_by(int signal, std::chrono::milliseconds later) {
    const auto sealed = [this] { return is_sealed() ? read("cram.json.run/learnt") : ""; };
    const std::string before = sealed();
    const pid_t child = start(words());
    for (int i = 0; i < 2000 && sealed() == before; ++i) std::this_thread::sleep_for(10ms);
    std::this_thread::sleep_for(later);
    ::kill(child, signal);
    return finish(child);
  }
};

TEST_F(SearchResume, AnyEndLeavesWhatIsSealed) {
  std::mt19937 random(5);
  for (const int signal : {SIGKILL, SIGTERM, SIGKILL, SIGINT}) {
    const Outcome outcome = end_by(signal, std::chrono::milliseconds(random() % 200));
    if (outcome.code == 0) break;  // it was faster
    EXPECT_EQ(outcome.code, signal == SIGKILL ? 128 + SIGKILL : 75) << outcome.err;
    if (signal != SIGKILL) {
      EXPECT_THAT(outcome.err, HasSubstr("`grundy resume cram.json.run` goes on"));
    }
    ASSERT_TRUE(is_sealed());
    ASSERT_FALSE(files().contains("cram.json"));
  }
  if (is_sealed()) {
    EXPECT_THAT(output({"info", "cram.json.run"}),
                ContainsRegex("game +Cram, cram:5x8\n.*wanted.*\n.*sealed +what was learnt of "));
    const auto sealed = output_json({"info", "cram.json.run"});
    EXPECT_GT(sealed["sealed_positions"], 0);
    EXPECT_GT(sealed["positions_searched"], 0);
    EXPECT_EQ(run({"resume", "cram.json.run", "--to", "7"}).code, kUsage);
    const auto report = output_json({"resume", "cram.json", "-q"});
    EXPECT_EQ(report["root_value"], 1);
    EXPECT_GT(report["positions_recalled"], 0);
    EXPECT_EQ(report["all_positions_searched"].get<std::uint64_t>(),
              sealed["positions_searched"].get<std::uint64_t>() +
                  report["positions_searched"].get<std::uint64_t>());
    EXPECT_EQ(output_json({"info", "cram.json"})["positions_searched"],
              report["all_positions_searched"]);
  }
  EXPECT_FALSE(is_sealed());
  EXPECT_EQ(output_json({"info", "cram.json"})["root_value"], 1);
  EXPECT_THAT(output({"info", "cram.json"}), HasSubstr("value 1, N: the player to move wins"));
  EXPECT_EQ(run(words()).code, kUsage) << "the file is there";
}

TEST_F(SearchResume, ASearchTellsHowFarItIs) {
  const pid_t child = start({"compute", "cram:6x7", "--root", "--threads", "1"});
  std::this_thread::sleep_for(600ms);
  ::kill(child, SIGUSR2);
  std::this_thread::sleep_for(100ms);
  ::kill(child, SIGINT);
  const Outcome outcome = finish(child);
  EXPECT_EQ(outcome.code, 75);
  EXPECT_THAT(outcome.err, ContainsRegex("[1-9][0-9 ]* positions searched in [0-9.]+ m?s  [0-9 ]+/s"
                                         "  memory [0-9.]+ [KMG]iB of [0-9.]+ [KMGT]iB\n"));
}

TEST_F(SearchResume, DamageHasItsExitCode) {
  const Outcome outcome = end_by(SIGTERM, 0ms);
  if (outcome.code == 0) GTEST_SKIP() << "the search was faster";
  std::string learnt = read("cram.json.run/learnt");
  learnt[learnt.size() / 2] ^= 1;
  write("cram.json.run/learnt", learnt);
  for (const char* command : {"resume", "info"}) {
    const Outcome refused = run({command, "cram.json.run"});
    EXPECT_EQ(refused.code, kCorrupt);
    EXPECT_THAT(refused.err, HasSubstr("learnt' is damaged"));
  }
}

TEST_F(SearchResume, ATableOfPositionsIsNotSealed) {
  const Outcome refused = run({"compute", "cram:3x3", "-o", "c.h5", "--checkpoint-interval", "1s"});
  EXPECT_EQ(refused.code, kUsage);
  EXPECT_THAT(refused.err, HasSubstr("--checkpoint-interval is for --root with -o"));
}

}  // namespace
}  // namespace grundy::testing
