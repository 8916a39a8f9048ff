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
  const Job job_ = treblecross();
  unsigned points_ = 0;
};

TEST_F(CrashTest, AtEveryWriteSyncAndRename) {
  const unsigned long calls = count(job_, "file");
  ASSERT_GT(calls, 30U);
  std::mt19937 random(1);
  for (const char* how : {"crash", "torn"}) {
    for (unsigned long call = 1; call <= calls; call += testing_support::by_effort(7U, 1U)) {
      const unsigned long second = 1 + random() % calls;
      const std::vector<std::string> more{"--threads", random() % 2 == 0 ? "1" : "2"};
      std::vector<std::string> words = words_of(job_);
      words.insert(words.end(), more.begin(), more.end());
      die_twice(words, {call, second}, how, false, points_);
      if (HasFatalFailure()) return;
      finish_and_check(job_, more);
      if (HasFatalFailure()) return;
    }
  }
  RecordProperty("points", static_cast<int>(points_));
  std::printf("%u crash points of %lu calls\n", points_, calls);
}

}  // namespace
}  // namespace grundy::testing
