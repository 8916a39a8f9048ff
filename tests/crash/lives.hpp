/// @file
/// One computation in many lives: processes that die or fail on the way, until one finishes.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <signal.h>

#include <grundy/compute.hpp>
#include <grundy/statistics.hpp>
#include <grundy/table.hpp>

#include "cli/run_grundy.hpp"
#include "core/digest.hpp"
#include "run/run_directory.hpp"
#include "support/arguments.hpp"

namespace grundy::testing {

/// The computation: small, but with many segments; and the digest of its table.
struct Job {
  std::string game;
  std::string last;
  std::string interval;
  std::string block;  ///< empty: the choice of the engine
  std::string digest;
  std::string range = "--to";  ///< the option that `last` is for
};

/// Digests of tables, from uninterrupted runs of the definition-level engine.
inline constexpr const char* kTreblecrossDigest =
    "7a5645f09275d73d7a99c6c24eed7b7f";  // heaps 0 to 3000
inline constexpr const char* kWythoffDigest = "74221ff85dd38f4d6772fa6f985c34ce";  // 500 x 500
inline constexpr const char* kChompDigest = "96c62e7dcac6177f1f1d18d863a6e72e";    // 50 x 50 x 50

/// Treblecross in many small segments: few of them in the fast suite.
inline Job treblecross() {
  using testing_support::by_effort;
  return {"0.007", "3000", by_effort("1KiB", "32B"), by_effort("128", "32"), kTreblecrossDigest};
}

class LivesTest : public CommandTest {
 protected:
  static constexpr const char* kTable = "t.h5";
  static constexpr const char* kRun = "t.h5.run";
  static constexpr int kCrashed = 99;  ///< how the preloaded library ends a process

  /// One life of a command under a fault (empty: none).
  Outcome live(const std::vector<std::string>& words, const std::string& fault) {
    if (!fault.empty()) {
      ::setenv("LD_PRELOAD", GRUNDY_FAULT_SHIM, 1);
      ::setenv("GRUNDY_FAULT", fault.c_str(), 1);
      ::setenv("GRUNDY_FAULT_COUNT", count_file().c_str(), 1);
    }
    std::vector<std::string> command{GRUNDY_UNDER_FAULTS};
    command.insert(command.end(), words.begin(), words.end());
    const pid_t child = spawn(command);
    for (const char* name : {"LD_PRELOAD", "GRUNDY_FAULT", "GRUNDY_FAULT_COUNT"}) ::unsetenv(name);
    return finish(child);
  }

  /// One life of the job under a fault (empty: none).
  Outcome live(const Job& job, const std::string& fault,
               const std::vector<std::string>& more = {}) {
    std::vector<std::string> words = words_of(job);
    words.insert(words.end(), more.begin(), more.end());
    return live(words, fault);
  }

  /// The number of calls of the operation in a whole life.
  unsigned long count(const std::vector<std::string>& words, const std::string& operation) {
    const Outcome whole = live(words, operation + ":0:crash");
    EXPECT_EQ(whole.code, 0) << whole.err;
    unsigned long calls = 0;
    std::ifstream(count_file()) >> calls;
    clear();
    return calls;
  }
  unsigned long count(const Job& job, const std::string& operation) {
    return count(words_of(job), operation);
  }

  /// Two lives that die at the given calls of `file`, unless one of them finishes. The frontier
  /// never moves back.
  /// @param how `crash` or `torn`
  /// @param run_stays whether the run directory outlives the table, and is then looked at too
  void die_twice(const std::vector<std::string>& words, std::array<unsigned long, 2> calls,
                 const std::string& how, bool run_stays, unsigned& points) {
    HeapSize sealed = frontier();
    for (const unsigned long call : calls) {
      const Outcome life = live(words, "file:" + std::to_string(call) + ":" + how);
      if (life.code == 0) break;  // this life had fewer calls left than that
      ASSERT_EQ(life.code, kCrashed) << life.err;
      ++points;
      if (table_exists() && !run_stays) break;
      const HeapSize now = frontier();
      EXPECT_GE(now, sealed) << how << " at " << calls[0] << ", " << calls[1];
      sealed = now;
    }
  }

  /// Kills some lives at random times, each begun with the words that `next` gives, until one
  /// finishes. The frontier never moves back.
  /// @param run_stays whether the run directory outlives the table, and is then looked at too
  template <class Words>
  void kill_in_turn(int lives, std::chrono::microseconds longest, bool run_stays,
                    std::mt19937& random, unsigned& kills, Words next) {
    HeapSize sealed = frontier();
    for (int i = 0; i < lives; ++i) {
      const pid_t child = start(next());
      std::this_thread::sleep_for(longest * (random() % 1000) / 1000);
      ::kill(child, SIGKILL);
      const Outcome life = finish(child);
      if (life.code == 0) break;
      ASSERT_EQ(life.code, 128 + SIGKILL) << life.err;
      ++kills;
      if (table_exists() && !run_stays) break;
      const HeapSize now = frontier();
      EXPECT_GE(now, sealed);
      sealed = now;
    }
  }

  /// The number of sealed heaps. At every moment the directory must hold a valid chain.
  HeapSize frontier() const {
    if (!std::filesystem::exists(directory() / kRun)) return 0;
    const RunContents contents = read_run(directory() / kRun);
    return contents.segments.empty() ? 0 : contents.segments.back().header.end();
  }

  /// Runs to the end and looks at the table; leaves the directory empty.
  void finish_and_check(const Job& job, const std::vector<std::string>& more = {}) {
    const bool begun = std::filesystem::exists(directory() / kRun / "run.json") ||
                       std::filesystem::exists(directory() / kRun / "finished");
    if (begun || !table_exists()) {
      const Outcome last = live(job, "", more);
      ASSERT_EQ(last.code, 0) << last.err;
      EXPECT_EQ(files().size(), 1U) << "only the table is left";
    }
    EXPECT_EQ(to_hex(TableReader::open(directory() / kTable)->info().stats.digest), job.digest);
    clear();
  }

  static std::vector<std::string> words_of(const Job& job) {
    std::vector<std::string> words{
        "compute",    job.game, job.range, job.last, "-o", kTable, "--checkpoint-interval",
        job.interval, "-q"};
    if (!job.block.empty()) words.insert(words.end(), {"--block", job.block});
    if (job.range == "--to") {
      // A prediction is made.
      words.insert(words.end(), {"--memory", "8GiB"});
    }
    return words;
  }

  /// The file of statistics tells what an undisturbed run has found.
  void expect_statistics_of(const Report& undisturbed) const {
    const StatisticsFile file = read_statistics(directory() / kTable);
    EXPECT_EQ(file.info.stats, undisturbed.info.stats);
    EXPECT_EQ(file.statistics.milestones, undisturbed.statistics.milestones);
    EXPECT_EQ(file.statistics.zeros, undisturbed.statistics.zeros);
    EXPECT_EQ(file.statistics.rare_heaps, undisturbed.statistics.rare_heaps);
    EXPECT_EQ(file.statistics.tail, undisturbed.statistics.tail);
  }

  [[nodiscard]] bool table_exists() const { return std::filesystem::exists(directory() / kTable); }

  void clear() const {
    for (const auto& entry : std::filesystem::directory_iterator(directory())) {
      std::filesystem::remove_all(entry.path());
    }
  }

 private:
  [[nodiscard]] std::string count_file() const {
    return (std::filesystem::temp_directory_path() / ("grundy-count-" + std::to_string(::getpid())))
        .string();
  }
};

}  // namespace grundy::testing
