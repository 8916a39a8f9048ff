/// @file
/// Runs of several heaps that are interrupted and resumed, by real processes.
// SPDX-License-Identifier: MIT
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <signal.h>

#include "cli/run_grundy.hpp"

namespace grundy::testing {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;

class LatticeResumeTest : public CommandTest {
 protected:
  /// Waits until there is a file in a run directory.
  void wait_for(const char* name, const char* run = "t.h5.run") const {
    const fs::path file = directory() / run / name;
    for (int i = 0; i < 3000 && !fs::exists(file); ++i) std::this_thread::sleep_for(5ms);
    EXPECT_TRUE(fs::exists(file)) << name;
  }
  /// Waits until a command catches SIGINT, or has ended. Before that the signal ends it at once.
  static void wait_until_it_catches_signals(pid_t child) {
    for (int i = 0; i < 3000; ++i) {
      std::ifstream status("/proc/" + std::to_string(child) + "/status");
      for (std::string line; std::getline(status, line);) {
        if (line.starts_with("State:\tZ")) return;
        if (!line.starts_with("SigCgt:")) continue;
        if ((std::stoull(line.substr(7), nullptr, 16) >> (SIGINT - 1) & 1) != 0) return;
      }
      std::this_thread::sleep_for(5ms);
    }
  }
  /// Computes a table until something is sealed, then interrupts.
  Outcome interrupt(const std::vector<std::string>& words) {
    const pid_t child = start(words);
    wait_for("seg-0000000000.gseg");
    ::kill(child, SIGINT);
    return finish(child);
  }
};

TEST_F(LatticeResumeTest, AnInterruptedTableIsFinished) {
  const std::vector<std::vector<std::string>> games = {
      {"wythoff", "--shape", "5000x5000", "--sorted"},
      {"wythoff", "--shape", "5000x5000", "--sorted", "--misere"},
      {"wythoff-any(3)", "--shape", "300x300x300"}};
  for (const std::vector<std::string>& game : games) {
    std::vector<std::string> words{"compute"};
    words.insert(words.end(), game.begin(), game.end());
    words.push_back("-q");
    const std::string digest = output_json(words)["digest"];
    words.pop_back();
    const std::vector<std::string> more{"-o",    "t.h5",      "--checkpoint-interval",
                                        "64KiB", "--threads", "1"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome stopped = interrupt(words);
    ASSERT_EQ(stopped.code, 75) << stopped.err;
    EXPECT_THAT(stopped.err, HasSubstr("values are sealed: `grundy resume t.h5.run` goes on"));
    EXPECT_FALSE(fs::exists(directory() / "t.h5"));

    const Outcome other = run({"compute", "nim(2)", "--shape", "10x10", "-o", "t.h5"});
    EXPECT_EQ(other.code, 4);
    EXPECT_THAT(other.err, HasSubstr("'t.h5.run' holds a run of "));
    EXPECT_EQ(run({"resume", "t.h5.run", "--to", "10"}).code, 2);
    if (game[0] == "wythoff") {
      const Outcome block = run({"resume", "t.h5.run", "--block", "64"});
      EXPECT_EQ(block.code, 4);
      EXPECT_THAT(block.err, HasSubstr("it goes on with the engine wavefront and no block size"));
    }

    const Outcome rest = run({"resume", "t.h5.run", "--threads", "2", "--kernel", "scalar"});
    ASSERT_EQ(rest.code, 0) << rest.err;
    EXPECT_THAT(rest.err, HasSubstr("continuing t.h5.run"));
    EXPECT_THAT(run({"info", "t.h5"}).out, HasSubstr(digest));
    EXPECT_EQ(files().size(), 1U);
    fs::remove(directory() / "t.h5");
  }
}

TEST_F(LatticeResumeTest, StatisticsGoOnFromTheirState) {
  const std::vector<std::string> game{"compute",  "wythoff",      "--shape",   "9000x9000",
                                      "--sorted", "--stats-only", "--threads", "1"};
  auto quiet = game;
  quiet.push_back("-q");
  const auto expected = output_json(quiet);
  auto words = game;
  words.insert(words.end(), {"-o", "s.h5", "--checkpoint-interval", "0s"});
  const pid_t killed = start(words);
  wait_for("seg-0000000000.gseg", "s.h5.run");
  ::kill(killed, SIGKILL);
  EXPECT_EQ(finish(killed).code, 128 + SIGKILL);
  const auto info = output_json({"info", "s.h5.run"});
  EXPECT_GT(info["sealed_values"], 0);
  EXPECT_GT(info["values"], info["sealed_values"]);
  for (const char* command : {"verify", "stats"}) {
    const Outcome refused = run({command, "s.h5.run"});
    EXPECT_EQ(refused.code, kUsage) << refused.err;
  }
  EXPECT_EQ(run({"resume", "s.h5.run", "--engine", "frontier"}).code, 4);

  const pid_t child = start({"resume", "s.h5.run", "--threads", "2", "--kernel", "scalar"});
  wait_until_it_catches_signals(child);
  std::this_thread::sleep_for(50ms);
  ::kill(child, SIGINT);
  const Outcome stopped = finish(child);
  if (stopped.code != 0) {
    ASSERT_EQ(stopped.code, 75) << stopped.err;
    EXPECT_THAT(stopped.err, HasSubstr("`grundy resume s.h5.run` goes on"));
    EXPECT_THAT(stopped.err, HasSubstr("stopped after"));
    const Outcome rest = run({"resume", "s.h5"});
    ASSERT_EQ(rest.code, 0) << rest.err;
    EXPECT_THAT(rest.err, HasSubstr("continuing s.h5.run at position"));
  }
  EXPECT_EQ(files().size(), 1u) << "only the file is left";
  const auto found = output_json({"info", "s.h5"});
  for (const char* key : {"count", "maximum", "histogram", "p_positions", "zeros"}) {
    EXPECT_EQ(found[key], expected[key]) << key;
  }
  EXPECT_THAT(output({"verify", "s.h5", "--certificate", "s.json"}),
              HasSubstr("what was counted is right: all values computed again"));
  EXPECT_EQ(output_json({"verify", "--merge", "s.json"})["complete"], true);
  for (const std::vector<std::string>& command :
       std::vector<std::vector<std::string>>{{"query", "s.h5", "1,2"},
                                             {"stats", "s.h5"},
                                             {"verify", "s.h5", "--samples", "9"},
                                             {"resume", "s.h5", "--to", "9"},
                                             {"release", "s.h5", "-o", "d", "--creator", "A, B"}}) {
    const Outcome refused = run(command);
    EXPECT_EQ(refused.code, kUsage) << command[0] << ": " << refused.err;
  }
}

TEST_F(LatticeResumeTest, StripesOfAnInterruptedTableAreFinished) {
  const std::vector<std::string> game{"compute", "wythoff", "--shape", "5000x5000", "--sorted"};
  std::vector<std::string> words = game;
  words.push_back("-q");
  const std::string digest = output_json(words)["digest"];
  words.pop_back();
  words.insert(words.end(), {"--parts", "-o", "t.h5", "--checkpoint-interval", "64KiB"});
  const pid_t child = start(words);
  wait_for("seg-0000000000.gseg", "t.h5.stripes/0000.run");
  ::kill(child, SIGINT);
  const Outcome stopped = finish(child);
  ASSERT_EQ(stopped.code, 75) << stopped.err;
  EXPECT_THAT(stopped.err, HasSubstr("`grundy resume t.h5.stripes` goes on"));

  EXPECT_THAT(output({"info", "t.h5.stripes"}),
              ContainsRegex("sealed +[0-9 ]+ of [0-9 ]+ values, with both sides of tiles on the "
                            "diagonal, in [0-9]+ segments?, .*\n"
                            "  stripes +[0-9]+ with sealed values"));
  const auto info = output_json({"info", "t.h5.stripes/"});
  EXPECT_GT(info["sealed_values"], 0);
  EXPECT_GT(info["values"], info["sealed_values"]);
  for (const char* command : {"info", "resume", "verify"}) {
    const Outcome stripe = run({command, "t.h5.stripes/0000.run"});
    EXPECT_EQ(stripe.code, kUsage) << command;
    EXPECT_THAT(stripe.err, HasSubstr("holds one stripe of a table; name 't.h5.stripes'"));
  }
  const Outcome proof = run({"verify", "t.h5.stripes"});
  EXPECT_EQ(proof.code, kUsage);
  EXPECT_THAT(proof.err, HasSubstr("the run can go on from there (grundy resume)"));

  const Outcome rest = run({"resume", "t.h5", "--threads", "2"});
  ASSERT_EQ(rest.code, 0) << rest.err;
  EXPECT_THAT(rest.err, HasSubstr("continuing t.h5.stripes"));
  EXPECT_THAT(output({"info", "t.h5"}), HasSubstr(digest));
  EXPECT_TRUE(fs::exists(directory() / "t.parts"));
  EXPECT_FALSE(fs::exists(directory() / "t.h5.stripes"));
}

TEST_F(LatticeResumeTest, WhatIsSealedTakesNoMemory) {
  if (GRUNDY_SANITIZED != 0) GTEST_SKIP() << "a sanitizer takes memory of its own";
  const std::vector<std::string> words{"compute", "wythoff", "--shape",   "8192x8192", "--sorted",
                                       "-o",      "t.h5",    "--threads", "2"};
  auto foretold = words;
  foretold.insert(foretold.end(), {"--dry-run", "--json"});
  const auto bytes = nlohmann::json::parse(run(foretold).out)["memory_bytes"].get<double>();
  auto quiet = words;
  quiet.push_back("-q");
  const Outcome outcome = run(quiet);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  // 64 MiB of values are sealed as they are, most of what is foretold.
  EXPECT_LT(static_cast<double>(outcome.memory), 1.2 * bytes);
}

TEST_F(LatticeResumeTest, SignalsSealAndTellAndGoOn) {
  // The interval is long: a run seals by itself only values of one byte, which are few.
  const pid_t child = start({"compute", "wythoff-any(3)", "--shape", "600x600x600", "--sorted",
                             "-o", "t.h5", "--threads", "1", "--force"});
  wait_for("seg-0000000000.gseg");
  EXPECT_FALSE(fs::exists(directory() / "t.h5.run" / "seg-0000000001.gseg"));
  ::kill(child, SIGUSR1);
  wait_for("seg-0000000001.gseg");
  std::this_thread::sleep_for(400ms);  // a status tells the speed when a hundredth is done
  ::kill(child, SIGUSR2);
  std::this_thread::sleep_for(300ms);
  ::kill(child, SIGINT);
  const Outcome outcome = finish(child);
  EXPECT_EQ(outcome.code, 75);
  EXPECT_THAT(outcome.err, HasSubstr("sealing what is finished"));
  EXPECT_THAT(outcome.err,
              ContainsRegex(" %  .* values .*  sealed .* ago; [0-9 ]+ values are sealed\n"));
}

TEST_F(LatticeResumeTest, WhatIsSealedIsProvedByEveryKindOfProof) {
  // A slow engine seals little, which is proved fast.
  const std::vector<std::vector<std::string>> games = {
      {"wythoff", "--shape", "5000x5000"},
      {"wythoff-any(3)", "--shape", "110x110x110", "--engine", "reference"}};
  for (const std::vector<std::string>& game : games) {
    std::vector<std::string> words{"compute"};
    words.insert(words.end(), game.begin(), game.end());
    const std::vector<std::string> more{"-o",   "t.h5",      "--checkpoint-interval",
                                        "4KiB", "--threads", "1"};
    words.insert(words.end(), more.begin(), more.end());
    ASSERT_EQ(interrupt(words).code, 75);
    const Outcome info = run({"info", "t.h5.run"});
    EXPECT_THAT(info.out, ContainsRegex("sealed +[0-9 ]+ of [0-9 ]+ values in [0-9]+ segments?, "));
    EXPECT_GT(output_json({"info", "t.h5.run"})["sealed_values"], 2000);
    const Outcome samples = run({"verify", "t.h5.run", "--seconds", "1"});
    EXPECT_EQ(samples.code, 0) << samples.err;
    const Outcome some = run({"verify", "t.h5.run/", "--range", "0:999"});
    ASSERT_EQ(some.code, 0) << some.err;
    EXPECT_THAT(some.out, HasSubstr("entries 0 to 999 are proved"));
    const Outcome full = run({"verify", "t.h5.run", "--full", "--certificate", "all.json"});
    EXPECT_EQ(full.code, 0) << full.err;
    EXPECT_THAT(full.out, HasSubstr("are proved: engine"));
    const Outcome all = run({"verify", "t.h5.run", "--merge", "t.h5.run.0-999.json", "all.json"});
    EXPECT_EQ(all.code, 0) << all.err;

    const std::string first = "t.h5.run/seg-0000000000.gseg";
    const std::string good = read(first);
    std::string bad = good;
    bad[300] = static_cast<char>(bad[300] ^ 1);
    write(first, bad);
    const Outcome damaged = run({"verify", "t.h5.run"});
    EXPECT_EQ(damaged.code, 4);
    EXPECT_THAT(damaged.err, HasSubstr(first));
    write(first, good);
    EXPECT_EQ(run({"resume", "t.h5", "-q"}).code, 0) << "proofs leave the run as it is";
    for (const char* name : {"t.h5", "all.json", "t.h5.run.0-999.json"}) {
      fs::remove(directory() / name);
    }
  }
}

TEST_F(LatticeResumeTest, ReproducibleTablesAreByteEqualWhateverHappened) {
  const std::vector<std::string> words{"compute",   "wythoff",        "--shape",
                                       "6000x6000", "--sorted",       "-o",
                                       "t.h5",      "--reproducible", "--checkpoint-interval",
                                       "64KiB"};
  auto calm = words;
  calm[6] = "calm.h5";
  calm.back() = "10min";
  ASSERT_EQ(run(calm).code, 0);
  auto life = words;
  life.insert(life.end(), {"--threads", "1"});
  const pid_t child = start(life);
  wait_for("seg-0000000000.gseg");
  ::kill(child, SIGKILL);
  finish(child);
  ASSERT_FALSE(files().contains("t.h5")) << "it was finished before it could be interrupted";
  const Outcome rest = run(words);
  ASSERT_EQ(rest.code, 0) << rest.err;
  EXPECT_THAT(rest.err, HasSubstr("continuing t.h5.run"));
  EXPECT_TRUE(read("t.h5") == read("calm.h5"));
}

}  // namespace
}  // namespace grundy::testing
