/// @file
/// The back end `tbb`: a oneTBB arena of a fixed number of threads.
///
/// Groups and loops enter the arena, so that the number of threads holds for any caller. Exceptions
/// are kept here, because oneTBB would cancel the tasks that have not begun.
// SPDX-License-Identifier: MIT
#include <optional>
#include <utility>

#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include "parallel/backends.hpp"
#include "parallel/first_error.hpp"

namespace grundy {
namespace {

class TbbGroup final : public TaskGroup {
 public:
  explicit TbbGroup(tbb::task_arena& arena) : arena_(arena) {}
  ~TbbGroup() noexcept override { finish_tasks(); }

  void spawn(std::function<void()> task) override {
    arena_.execute([&] { group_.run([this, task = std::move(task)] { error_.guard(task); }); });
  }

  void wait() override {
    finish_tasks();
    error_.rethrow();
  }

 private:
  void finish_tasks() {
    arena_.execute([this] { group_.wait(); });
  }

  tbb::task_arena& arena_;
  tbb::task_group group_;
  FirstError error_;
};

class TbbExecutor final : public Executor {
 public:
  explicit TbbExecutor(std::size_t threads) : threads_(threads), arena_(static_cast<int>(threads)) {
    if (threads > allowed_cpus()) {
      more_workers_.emplace(tbb::global_control::max_allowed_parallelism, threads);
    }
  }

  std::size_t threads() const noexcept override { return threads_; }
  std::string_view backend() const noexcept override { return "tbb"; }
  std::unique_ptr<TaskGroup> make_group() override { return std::make_unique<TbbGroup>(arena_); }

  void parallel_for(std::size_t count, const std::function<void(std::size_t)>& body) override {
    FirstError error;
    const auto call = [&](std::size_t i) { error.guard([&] { body(i); }); };
    // Isolated: a thread that waits for the last calls must not begin a foreign task in the middle
    // of its own. simple_partitioner: callers have chosen the grain.
    arena_.execute([&] {
      tbb::this_task_arena::isolate(
          [&] { tbb::parallel_for(std::size_t{0}, count, call, tbb::simple_partitioner()); });
    });
    error.rethrow();
  }

 private:
  std::size_t threads_;
  /// oneTBB starts one worker for each CPU unless it is told to start more.
  std::optional<tbb::global_control> more_workers_;
  tbb::task_arena arena_;
};

}  // namespace

std::unique_ptr<Executor> make_tbb_executor(std::size_t threads) {
  return std::make_unique<TbbExecutor>(threads);
}

std::size_t allowed_cpus() {
  return static_cast<std::size_t>(tbb::info::default_concurrency());
}

}  // namespace grundy
