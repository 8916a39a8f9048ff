/// @file
/// A process dies at every K-th write, fsync and rename, cleanly or in the middle. Nothing sealed
/// is lost, the frontier never moves back, and the table is that of an undisturbed run. The fast
/// suite looks at every seventh point only.
// SPDX-License-Identifier: MIT
#include <random>

#include "crash/lives.hpp"

namespace grundy::testing {
namespace {

class CrashTest : public LivesTest {
 protected:
  /// Dies at call `first`, again at call `second` of the next life, then finishes.
  void die_twice(unsigned long first, unsigned long second, const char* how, const char* threads) {
    const std::vector<std::string> more{"--threads", threads};
    HeapSize sealed = 0;
    for (const unsigned long call : {first, second}) {
      const Outcome life = live(job_, fault(call, how), more);
      if (life.code == 0) break;  // this life had fewer calls left than that
      ASSERT_EQ(life.code, kCrashed) << life.err;
      ++points_;
      if (table_exists()) break;
      const HeapSize now = frontier();
      EXPECT_GE(now, sealed) << how << " at " << first << ", " << second;
      sealed = now;
    }
    finish_and_check(job_, more);
  }

  static std::string fault(unsigned long call, const char* how) {
    return "file:" + std::to_string(call) + ":" + how;
  }

  const Job job_ = treblecross();
  unsigned points_ = 0;
};

TEST_F(CrashTest, AtEveryWriteSyncAndRename) {
  const unsigned long calls = count(job_, "file");
  ASSERT_GT(calls, 30U);
  std::mt19937 random(1);
  for (const char* how : {"crash", "torn"}) {
    for (unsigned long call = 1; call <= calls; call += testing_support::by_effort(7U, 1U)) {
      die_twice(call, 1 + random() % calls, how, random() % 2 == 0 ? "1" : "2");
      if (HasFatalFailure()) return;
    }
  }
  RecordProperty("points", static_cast<int>(points_));
  std::printf("%u crash points of %lu calls\n", points_, calls);
}

}  // namespace
}  // namespace grundy::testing
