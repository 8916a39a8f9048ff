/// @file
/// Calls that fail. The run ends with one clear sentence and an exit code, or survives the fault.
/// Sealed values stay, and the next life makes the right table.
///
/// HDF5 1.10 crashes or calls exit() if one of its own allocations fails. A process may end like
/// that, but without damage.
// SPDX-License-Identifier: MIT
#include <cerrno>
#include <map>

#include "crash/lives.hpp"

namespace grundy::testing {
namespace {

using ::testing::MatchesRegex;

class FaultTest : public LivesTest {
 protected:
  /// At least `least_` faults, spread over all calls of the operation.
  void sweep(const std::string& operation, const std::vector<int>& errors) {
    const unsigned long calls = count(job_, operation);
    ASSERT_GT(calls, 0U);
    const auto variants = static_cast<unsigned>(2 * errors.size());
    const unsigned long step = std::max<unsigned long>(1, calls * variants / least_);
    unsigned points = 0;
    std::map<int, unsigned> codes;
    for (unsigned long call = 1; call <= calls; call += step) {
      for (const int error : errors) {
        for (const char* how : {"", ":sticky"}) {
          const std::string fault =
              operation + ":" + std::to_string(call) + ":" + std::to_string(error) + how;
          const Outcome life = live(job_, fault);
          ++codes[life.code];
          ++points;
          if (life.code != 0 && operation != "hdf5-malloc") {
            EXPECT_TRUE(life.code == 1 || life.code == 2) << fault << ": " << life.err;
            EXPECT_THAT(life.err, MatchesRegex("grundy: [^\n]+\n")) << fault;
          }
          if (!table_exists()) frontier();  // the chain is valid
          finish_and_check(job_);
          if (HasFatalFailure()) FAIL() << fault;
        }
      }
    }
    EXPECT_GE(points, least_);
    std::printf("%s: %u faults in %lu calls;", operation.c_str(), points, calls);
    for (const auto& [code, times] : codes) std::printf(" exit %d %u times;", code, times);
    std::printf("\n");
  }

  const Job job_ = treblecross();
  const unsigned least_ = testing_support::by_effort(6U, 300U);
};

TEST_F(FaultTest, Write) {
  sweep("write", {ENOSPC, EIO, EDQUOT});
}
TEST_F(FaultTest, Sync) {
  sweep("fsync", {EIO, ENOSPC, EDQUOT});
}
TEST_F(FaultTest, Rename) {
  sweep("rename", {ENOSPC, EIO, EDQUOT});
}
TEST_F(FaultTest, Open) {
  sweep("open", {EMFILE, EIO, ENOSPC});
}
TEST_F(FaultTest, Memory) {
  sweep("malloc", {ENOMEM});
}
TEST_F(FaultTest, MemoryOfTheLibrary) {
  sweep("hdf5-malloc", {ENOMEM});
}

}  // namespace
}  // namespace grundy::testing
