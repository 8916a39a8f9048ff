/// @file
/// Ctrl-C: the first one asks, the second one insists.
// SPDX-License-Identifier: MIT
#include <chrono>
#include <thread>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <signal.h>

#include "cli/run_grundy.hpp"

namespace grundy::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

class StopTest : public CommandTest {
 protected:
  /// Starts a run of many minutes and waits until it is at work.
  pid_t start_long_run(const std::string& threads) {
    const pid_t child = start({"compute", ".007", "--to", "10^8", "-o", "long.h5", "--force",
                               "--checkpoint-interval", "8KiB", "--threads", threads});
    for (int i = 0; i < 2000 && !files().contains("long.h5.run/seg-0000000000.gseg"); ++i) {
      std::this_thread::sleep_for(10ms);
    }
    return child;
  }
};

TEST_F(StopTest, OneSignalStopsCleanly) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGALRM, SIGXCPU}) {
    const pid_t child = start_long_run(signal == SIGINT ? "2" : "1");
    const auto asked = std::chrono::steady_clock::now();
    ::kill(child, signal);
    const Outcome outcome = finish(child);
    EXPECT_EQ(outcome.code, 75) << outcome.err;
    EXPECT_LT(std::chrono::steady_clock::now() - asked, 20s);
    EXPECT_THAT(outcome.err, HasSubstr("stopped after"));
    EXPECT_EQ(outcome.out, "");
    EXPECT_FALSE(files().contains("long.h5"));
    EXPECT_TRUE(files().contains("long.h5.run/run.json"));
    std::filesystem::remove_all(directory() / "long.h5.run");
  }
}

TEST_F(StopTest, ATerminalThatClosesIsNoStopUnderNohup) {
  ::signal(SIGHUP, SIG_IGN);  // a child inherits it, as from nohup
  const pid_t child = start_long_run("1");
  ::signal(SIGHUP, SIG_DFL);
  ::kill(child, SIGHUP);
  std::this_thread::sleep_for(300ms);
  ::kill(child, SIGTERM);
  const Outcome outcome = finish(child);
  EXPECT_EQ(outcome.code, 75) << "the second signal would have ended it: " << outcome.err;
}

TEST_F(StopTest, AClosedOutputIsAFailure) {
  const Outcome outcome = shell("$GRUNDY nim '1^2' >&-");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("standard output"));
}

TEST_F(StopTest, AnExportThatIsStoppedLeavesNothing) {
  run({"compute", "kayles", "--to", "30000000", "-o", "k.h5"});
  const pid_t child = start({"export", "k.h5", "--format", "bfile", "-o", "b.txt"});
  std::this_thread::sleep_for(100ms);
  ::kill(child, SIGINT);
  const Outcome outcome = finish(child);
  EXPECT_EQ(outcome.code, 75) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("no file was written"));
  EXPECT_EQ(files().size(), 1U) << "but for k.h5";
}

TEST_F(StopTest, StatisticsSoFarAreShown) {
  const pid_t child = start({"compute", ".007", "--to", "10^8", "--stats-only", "-o", "s.h5",
                             "--json", "--force", "--threads", "1"});
  std::this_thread::sleep_for(2s);
  ::kill(child, SIGINT);
  const Outcome outcome = finish(child);
  EXPECT_EQ(outcome.code, 75) << outcome.err;
  const auto found = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(found["complete"], false);
  EXPECT_FALSE(found.contains("file"));  // there is none yet
  EXPECT_GT(found["count"], 1000);
  EXPECT_EQ(found["milestones"][3]["count"], 8);
}

TEST_F(StopTest, ASearchForAPeriodTellsWhatItKnows) {
  const pid_t quiet =
      start({"period", ".007", "--to", "10^8", "--json", "--force", "--threads", "1"});
  std::this_thread::sleep_for(2s);
  ::kill(quiet, SIGINT);
  const Outcome without = finish(quiet);
  EXPECT_EQ(without.code, 75) << without.err;
  const auto known = nlohmann::json::parse(without.out);
  EXPECT_EQ(known["complete"], false);
  EXPECT_EQ(known["status"], "none");
  EXPECT_GT(known["verified_to"], 1000);
  EXPECT_THAT(without.err, Not(HasSubstr("no period"))) << "the result says it";
  EXPECT_TRUE(files().empty());

  const std::vector<std::string> words{"period", ".007",    "--to",      "10^8", "-o",
                                       "p.h5",   "--force", "--threads", "2"};
  const pid_t child = start(words);
  std::this_thread::sleep_for(2s);
  ::kill(child, SIGINT);
  const Outcome outcome = finish(child);
  EXPECT_EQ(outcome.code, 75) << outcome.err;
  EXPECT_THAT(outcome.out, ContainsRegex("status +none\n +period +none found in [0-9 ]+ heaps\n"));
  EXPECT_THAT(outcome.err, HasSubstr(": `grundy resume p.h5.run` goes on"));
  EXPECT_FALSE(files().contains("p.h5"));
}

TEST_F(StopTest, SumsStop) {
  const std::vector<std::vector<std::string>> commands{
      {"sum", "*1", ".007:16000000"},
      {"sum", "cram:7x7"},
      {"equal", ".007:16000000", "*1"},
      {"count", ".007", "--heaps", "2", "--to", "16000000"}};
  for (const auto& words : commands) {
    const pid_t child = start(words);
    std::this_thread::sleep_for(400ms);
    const auto asked = std::chrono::steady_clock::now();
    ::kill(child, SIGINT);
    const Outcome outcome = finish(child);
    EXPECT_EQ(outcome.code, 75) << outcome.err;
    EXPECT_LT(std::chrono::steady_clock::now() - asked, 10s) << words[0];
    EXPECT_THAT(outcome.err, HasSubstr("stopped")) << words[0];
    EXPECT_EQ(outcome.out, "");
  }
}

TEST_F(StopTest, TheSecondSignalEndsAtOnce) {
  const pid_t child = start_long_run("2");
  ::kill(child, SIGINT);
  std::this_thread::sleep_for(1ms);
  ::kill(child, SIGTERM);
  const Outcome outcome = finish(child);
  EXPECT_TRUE(outcome.code == 128 + SIGTERM || outcome.code == 75) << outcome.code;
  EXPECT_FALSE(files().contains("long.h5"));
}

}  // namespace
}  // namespace grundy::testing
