/// @file
/// Runs of several heaps that are interrupted and taken up again, by real processes.
// SPDX-License-Identifier: MIT
#include <chrono>
#include <filesystem>
#include <thread>

#include <gmock/gmock.h>
#include <signal.h>

#include "cli/run_grundy.hpp"

namespace grundy::testing {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;
using ::testing::HasSubstr;

class LatticeResumeTest : public CommandTest {
 protected:
  /// Computes a table until something is sealed, then interrupts.
  Outcome interrupt(const std::vector<std::string>& words) {
    const pid_t child = start(words);
    for (int i = 0; i < 3000 && !fs::exists(directory() / "t.h5.run" / "seg-0000000000.gseg");
         ++i) {
      std::this_thread::sleep_for(5ms);
    }
    ::kill(child, SIGINT);
    return finish(child);
  }
};

TEST_F(LatticeResumeTest, AnInterruptedTableIsFinished) {
  const std::vector<std::vector<std::string>> games = {
      {"wythoff", "--shape", "5000x5000", "--sorted"},
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

    const Outcome rest = run({"resume", "t.h5.run", "--threads", "2", "--kernel", "scalar"});
    ASSERT_EQ(rest.code, 0) << rest.err;
    EXPECT_THAT(rest.err, HasSubstr("continuing t.h5.run"));
    EXPECT_THAT(run({"info", "t.h5"}).out, HasSubstr(digest));
    EXPECT_EQ(files().size(), 1U);
    fs::remove(directory() / "t.h5");
  }
}

}  // namespace
}  // namespace grundy::testing
