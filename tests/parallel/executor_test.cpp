/// @file
/// Executors: every call runs once, loops nest, errors arrive, and threads really work at the same
/// time.
// SPDX-License-Identifier: MIT
#include <atomic>
#include <chrono>
#include <latch>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <grundy/error.hpp>
#include <grundy/machine.hpp>

#include "support/arguments.hpp"
#include "support/errors.hpp"

namespace grundy {
namespace {

class ExecutorTest : public testing::TestWithParam<std::size_t> {
 protected:
  std::unique_ptr<Executor> executor_ =
      make_executor(GetParam(), testing_support::arguments().backend);
};

INSTANTIATE_TEST_SUITE_P(Threads, ExecutorTest, testing::Values(1, 2, 3, 5));

TEST_P(ExecutorTest, SaysWhatItIs) {
  EXPECT_EQ(executor_->threads(), GetParam());
  EXPECT_EQ(executor_->backend(), testing_support::arguments().backend);
}

TEST_P(ExecutorTest, ParallelForCallsEveryIndexOnce) {
  for (const std::size_t count : {0, 1, 2, 7, 1000}) {
    std::vector<std::atomic<int>> calls(count);
    executor_->parallel_for(count, [&](std::size_t i) { ++calls[i]; });
    for (const auto& call : calls) EXPECT_EQ(call, 1);
  }
}

TEST_P(ExecutorTest, LoopsNestThreeDeep) {
  std::atomic<int> calls = 0;
  executor_->parallel_for(6, [&](std::size_t) {
    executor_->parallel_for(
        5, [&](std::size_t) { executor_->parallel_for(4, [&](std::size_t) { ++calls; }); });
  });
  EXPECT_EQ(calls, 6 * 5 * 4);
}

TEST_P(ExecutorTest, LoopsFromSeveralForeignThreadsAtOnce) {
  std::atomic<int> calls = 0;
  {
    std::vector<std::jthread> users;
    for (int user = 0; user < 4; ++user) {
      users.emplace_back([&] {
        for (int round = 0; round < 20; ++round) {
          executor_->parallel_for(10, [&](std::size_t) { ++calls; });
        }
      });
    }
  }
  EXPECT_EQ(calls, 4 * 20 * 10);
}

TEST_P(ExecutorTest, TasksSpawnIntoTheirGroup) {
  std::atomic<int> calls = 0;
  const auto group = executor_->make_group();
  std::function<void(int)> tree = [&](int depth) {
    ++calls;
    if (depth == 0) return;
    for (int child = 0; child < 2; ++child) group->spawn([&, depth] { tree(depth - 1); });
  };
  group->spawn([&] { tree(7); });
  group->wait();
  EXPECT_EQ(calls, 255);
  group->spawn([&] { ++calls; });  // a group can be used again
  group->wait();
  EXPECT_EQ(calls, 256);
}

TEST_P(ExecutorTest, WritesOfTasksAreSeenAfterTheWait) {
  std::vector<int> squares(500);
  executor_->parallel_for(500, [&](std::size_t i) { squares[i] = static_cast<int>(i * i); });
  for (int i = 0; i < 500; ++i) EXPECT_EQ(squares[i], i * i);
}

TEST_P(ExecutorTest, AGroupThatIsDroppedHasEnded) {
  std::atomic<int> calls = 0;
  {
    const auto group = executor_->make_group();
    for (int i = 0; i < 50; ++i) group->spawn([&] { ++calls; });
  }
  EXPECT_EQ(calls, 50);
}

TEST_P(ExecutorTest, AnErrorArrivesOnceAndTheOtherTasksStillRun) {
  std::atomic<int> calls = 0;
  const auto group = executor_->make_group();
  for (int i = 0; i < 100; ++i) {
    group->spawn([&, i] {
      ++calls;
      if (i == 3) throw std::runtime_error("three");
    });
  }
  EXPECT_THROW(group->wait(), std::runtime_error);
  EXPECT_EQ(calls, 100);
  EXPECT_NO_THROW(group->wait());
}

TEST_P(ExecutorTest, AnErrorLeavesANestedLoop) {
  EXPECT_THROW(executor_->parallel_for(4,
                                       [&](std::size_t) {
                                         executor_->parallel_for(4, [](std::size_t i) {
                                           if (i == 2) throw Error(ErrorCode::kFailure, "two");
                                         });
                                       }),
               Error);
}

// Each task waits until as many as there are threads have begun: fewer threads would never end.
TEST_P(ExecutorTest, AllThreadsWorkAtOneTime) {
  std::latch all_here(static_cast<std::ptrdiff_t>(GetParam()));
  executor_->parallel_for(GetParam(), [&](std::size_t) { all_here.arrive_and_wait(); });
}

TEST_P(ExecutorTest, NoMoreThreadsThanAskedFor) {
  std::mutex mutex;
  std::set<std::thread::id> threads;
  executor_->parallel_for(64, [&](std::size_t) {
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    const std::lock_guard lock(mutex);
    threads.insert(std::this_thread::get_id());
  });
  EXPECT_LE(threads.size(), GetParam());
}

TEST(MakeExecutor, WithoutANumberTakesTheCpusOfThisProcess) {
  EXPECT_GE(make_executor({}, testing_support::arguments().backend)->threads(), 1u);
}

TEST(MakeExecutor, AutoAndNoNameMeanOneTbb) {
  const std::string_view backend = make_executor(1, "tbb")->backend();
  for (const char* name : {"", "auto"}) EXPECT_EQ(make_executor(1, name)->backend(), backend);
  EXPECT_EQ(make_executor(1)->backend(), backend);
}

TEST(MakeExecutor, RefusesWhatItCannotDo) {
  const Error many =
      testing_support::error_of([] { make_executor(5000, testing_support::arguments().backend); });
  EXPECT_EQ(many.code(), ErrorCode::kUsage);
  EXPECT_THAT(many.what(), testing::HasSubstr("4096"));
  EXPECT_EQ(
      testing_support::code_of([] { make_executor(0, testing_support::arguments().backend); }),
      ErrorCode::kUsage);
  const Error other = testing_support::error_of([] { make_executor(1, "openmp"); });
  EXPECT_EQ(other.code(), ErrorCode::kUsage);
  EXPECT_THAT(other.what(), testing::HasSubstr("'openmp'"));
}

}  // namespace
}  // namespace grundy
