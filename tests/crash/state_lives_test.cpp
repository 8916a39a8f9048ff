/// @file
/// Runs that keep no table, in many lives: processes that die at a write, fsync or rename, are
/// killed at any time, or have calls that fail; and states with a flipped bit. No sealed heap is
/// lost, none is read wrongly, and the statistics are those of one undisturbed life.
///
/// All lives go on from one state. After it a new state is sealed after every block.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <memory>
#include <random>
#include <stop_token>

#include <grundy/compute.hpp>
#include <grundy/statistics.hpp>

#include "crash/lives.hpp"
#include "support/files.hpp"

namespace grundy::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::MatchesRegex;
using testing_support::bytes_of;
using testing_support::TemporaryDirectory;
using testing_support::write_bytes;

constexpr HeapSize kBegin = 6'400'000;  ///< from 6 * 2^20 on values are let go
constexpr HeapSize kLast = kBegin + 60'000;

class StateLivesTest : public LivesTest {
 protected:
  /// Makes the run from which all lives go on, and their expected result.
  static void SetUpTestSuite() {
    Request request{
        .game = HeapGame{.rule = HeapRule::parse("0.106"), .last = kLast, .stats_only = true}};
    request.machine.threads = 1;
    expected = compute(request);
    made = std::make_unique<TemporaryDirectory>();
    request.output.path = *made / kTable;
    std::stop_source stop;
    Hooks hooks{.stop = stop.get_token()};
    hooks.values = [&](const Stretch& block) {
      if (block.end() >= kBegin) stop.request_stop();
      return Flow::kContinue;
    };
    EXPECT_FALSE(compute(request, hooks).complete);
    EXPECT_TRUE(read_run(*made / kRun).segments.back().header.is_state());
  }
  static void TearDownTestSuite() { made.reset(); }

  StateLivesTest() { lay_out(); }

  void lay_out() const {
    clear();
    fs::copy(*made / kRun, directory() / kRun);
  }

  static std::vector<std::string> resume(const std::string& threads = "1") {
    return {"resume", kRun, "--checkpoint-interval", "0s", "-q", "--threads", threads};
  }

  /// The number of calls of the operation in a life.
  unsigned long calls_of(const std::string& operation) {
    const unsigned long calls = count(resume(), operation);
    lay_out();
    return calls;
  }

  /// Runs to the end, and compares; every so often all that is sealed is computed again.
  void finish_and_compare(const std::string& threads = "1") {
    const Outcome last = live(resume(threads), "");
    ASSERT_EQ(last.code, 0) << last.err;
    expect_statistics_of(expected);
    EXPECT_EQ(files().size(), segments_and(3)) << "besides the file, the record and the lock";
    if (++ends_ % 20 == 0) {
      const Outcome proof = run({"verify", kRun, "--full"});
      EXPECT_EQ(proof.code, 0) << proof.err;
    }
    lay_out();
  }

  std::mt19937 random_{testing_support::by_effort(1U, 2U)};

 private:
  std::size_t segments_and(std::size_t others) const {
    return read_run(directory() / kRun).segments.size() + others;
  }

  static inline std::unique_ptr<TemporaryDirectory> made;
  static inline Report expected;
  unsigned ends_ = 0;
};

TEST_F(StateLivesTest, DieAtEveryWriteSyncAndRename) {
  const unsigned long calls = calls_of("file");
  ASSERT_GT(calls, 60U);
  unsigned points = 0;
  for (const char* how : {"crash", "torn"}) {
    for (unsigned long call = 1; call <= calls; call += testing_support::by_effort(49U, 1U)) {
      const std::string threads = random_() % 2 == 0 ? "1" : "2";
      die_twice(resume(threads), {call, 1 + random_() % calls}, how, true, points);
      if (HasFatalFailure()) return;
      finish_and_compare(threads);
      if (HasFatalFailure()) return;
    }
  }
  std::printf("%u crash points of %lu calls\n", points, calls);
  EXPECT_GE(points, testing_support::by_effort(2U, 500U));
}

TEST_F(StateLivesTest, AreKilledAtRandomTimes) {
  const auto start_of = std::chrono::steady_clock::now();
  finish_and_compare();
  const auto longest = std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::steady_clock::now() - start_of);
  unsigned kills = 0;
  while (kills < testing_support::by_effort(4U, 200U)) {
    constexpr int kLives = 4;
    kill_in_turn(kLives, longest, true, random_, kills,
                 [this] { return resume(std::to_string(1 + random_() % 3)); });
    if (HasFatalFailure()) return;
    finish_and_compare();
    if (HasFatalFailure()) return;
  }
  std::printf("%u kills\n", kills);
}

TEST_F(StateLivesTest, HaveCallsThatFail) {
  const std::vector<int> no_memory = {ENOMEM};
  const std::vector<int> no_disk = {ENOSPC, EIO, EDQUOT};
  const std::vector<int> no_file = {EMFILE, EIO, ENOSPC};
  for (const auto& [operation, errors] :
       {std::pair("write", no_disk), std::pair("fsync", no_disk), std::pair("rename", no_disk),
        std::pair("open", no_file), std::pair("malloc", no_memory)}) {
    const unsigned long calls = calls_of(operation);
    ASSERT_GT(calls, 0U) << operation;
    const unsigned long variants = 2 * errors.size();
    const unsigned long step =
        std::max<unsigned long>(1, calls * variants / testing_support::by_effort(1U, 100U));
    unsigned points = 0;
    for (unsigned long call = 1; call <= calls; call += step) {
      for (const int error : errors) {
        for (const char* how : {"", ":sticky"}) {
          const std::string fault = std::string(operation) + ":" + std::to_string(call) + ":" +
                                    std::to_string(error) + how;
          const Outcome life = live(resume(), fault);
          ++points;
          if (life.code != 0) {
            EXPECT_TRUE(life.code == 1 || life.code == 2) << fault << ": " << life.err;
            EXPECT_THAT(life.err, MatchesRegex("grundy: [^\n]+\n")) << fault;
          }
          EXPECT_GE(frontier(), kBegin) << fault;
          finish_and_compare();
          if (HasFatalFailure()) FAIL() << fault;
        }
      }
    }
    std::printf("%s: %u faults in %lu calls\n", operation, points, calls);
  }
}

// Flips a bit in the values, the text or the header of a state: no life goes on from it.
TEST_F(StateLivesTest, AreRefusedAfterAFlippedBit) {
  ASSERT_EQ(live(resume(), "").code, 0);
  const std::vector<Segment> segments = read_run(directory() / kRun).segments;
  for (int i = 0; i < testing_support::by_effort(8, 300); ++i) {
    // What a life goes on from: the values and the last state. verify looks at all of them.
    const bool goes_on = i % 2 == 0;
    const std::size_t which = goes_on && i % 4 == 0 ? 0
                              : goes_on             ? segments.size() - 1
                                                    : random_() % segments.size();
    const Segment& segment = segments[which];
    const std::string whole = bytes_of(segment.path);
    std::string damaged = whole;
    const std::size_t at = random_() % whole.size();
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << random_() % 8));
    write_bytes(segment.path, damaged);
    const Outcome outcome = goes_on
                                ? run({"resume", kRun, "--to", std::to_string(kLast + 5000), "-q"})
                                : run({"verify", kRun, "--range", "6450000:6450000"});
    EXPECT_EQ(outcome.code, 4) << segment.path << ", byte " << at << ": " << outcome.err;
    write_bytes(segment.path, whole);
  }
  ASSERT_EQ(run({"verify", kRun, "--full"}).code, 0);
}

}  // namespace
}  // namespace grundy::testing
