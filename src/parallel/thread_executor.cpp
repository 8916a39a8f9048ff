/// @file
/// The back end `threads`: a pool of std::jthread around one queue, one mutex and one condition.
///
/// Made to be checked, not to be fast: every hand-over is a lock that ThreadSanitizer understands.
/// A thread that waits for a group runs only tasks of that group. So it never begins foreign work
/// in the middle of its own, and nested waits cannot deadlock: the tasks of the innermost group
/// either run or lie in the queue, where their waiter takes them.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "parallel/backends.hpp"
#include "parallel/first_error.hpp"

namespace grundy {
namespace {

class PoolGroup;

/// What all threads share.
struct Pool {
  struct Item {
    PoolGroup* group;
    std::function<void()> task;
  };

  std::mutex mutex;
  /// A task came, the last task of a group has ended, or the pool closes.
  std::condition_variable changed;
  std::deque<Item> queue;
  bool closing = false;
};

class PoolGroup final : public TaskGroup {
 public:
  explicit PoolGroup(Pool& pool) : pool_(pool) {}
  ~PoolGroup() noexcept override { finish_tasks(); }

  void spawn(std::function<void()> task) override {
    {
      const std::lock_guard lock(pool_.mutex);
      pool_.queue.push_back({this, std::move(task)});
      ++unfinished_;
    }
    // Wakes all threads, because a waiter takes only its own tasks and would swallow a single call.
    pool_.changed.notify_all();
  }

  void wait() override {
    finish_tasks();
    error_.rethrow();
  }

  /// Runs a task from the queue. `lock` is held before and after, but not during the task.
  void run(std::function<void()> task, std::unique_lock<std::mutex>& lock) {
    lock.unlock();
    error_.guard(task);
    task = nullptr;  // its captures must not outlive the group's wait()
    lock.lock();
    if (--unfinished_ == 0) pool_.changed.notify_all();
  }

 private:
  void finish_tasks() {
    std::unique_lock lock(pool_.mutex);
    while (unfinished_ > 0) {
      const auto mine = std::find_if(pool_.queue.begin(), pool_.queue.end(),
                                     [this](const auto& item) { return item.group == this; });
      if (mine == pool_.queue.end()) {
        pool_.changed.wait(lock);
        continue;
      }
      std::function<void()> task = std::move(mine->task);
      pool_.queue.erase(mine);
      run(std::move(task), lock);
    }
  }

  Pool& pool_;
  std::size_t unfinished_ = 0;  ///< queued or running; guarded by the pool's mutex
  FirstError error_;
};

class ThreadExecutor final : public Executor {
 public:
  explicit ThreadExecutor(std::size_t threads) {
    try {
      for (std::size_t i = 1; i < threads; ++i) workers_.emplace_back([this] { work(); });
    } catch (...) {
      close();  // no destructor does it, and the threads that were started are joined
      throw;
    }
  }

  ~ThreadExecutor() override { close(); }

  std::size_t threads() const noexcept override { return workers_.size() + 1; }
  std::string_view backend() const noexcept override { return "threads"; }
  std::unique_ptr<TaskGroup> make_group() override { return std::make_unique<PoolGroup>(pool_); }

  void parallel_for(std::size_t count, const std::function<void(std::size_t)>& body) override {
    PoolGroup group(pool_);
    for (std::size_t i = 0; i < count; ++i) group.spawn([&body, i] { body(i); });
    group.wait();
  }

 private:
  /// The threads end when the queue is empty.
  void close() {
    {
      const std::lock_guard lock(pool_.mutex);
      pool_.closing = true;
    }
    pool_.changed.notify_all();
  }

  void work() {
    std::unique_lock lock(pool_.mutex);
    for (;;) {
      pool_.changed.wait(lock, [this] { return pool_.closing || !pool_.queue.empty(); });
      if (pool_.queue.empty()) return;
      Pool::Item item = std::move(pool_.queue.front());
      pool_.queue.pop_front();
      item.group->run(std::move(item.task), lock);
    }
  }

  Pool pool_;
  std::vector<std::jthread> workers_;  // last, because they are joined before the pool goes
};

}  // namespace

std::unique_ptr<Executor> make_thread_executor(std::size_t threads) {
  return std::make_unique<ThreadExecutor>(threads);
}

}  // namespace grundy
