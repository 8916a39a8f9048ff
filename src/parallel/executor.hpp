/// @file
/// Threads, behind an interface with two back ends.
///
/// `tbb` runs in a oneTBB arena and is what users get. `threads` is a plain pool of std::jthread
/// that exists so that ThreadSanitizer sees every synchronisation (Debian's oneTBB is not
/// instrumented and drowns real races in false ones), and as an independent check of the scheduler.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>

namespace grundy {

/// A set of tasks that were started and can be waited for. The destructor waits.
class TaskGroup {
 public:
  virtual ~TaskGroup() = default;
  /// Starts `task` on some thread of the executor, now or later. Tasks may spawn into the group.
  /// An executor of one thread runs tasks only inside wait(), so wait for them in no other way.
  virtual void spawn(std::function<void()> task) = 0;
  /// Returns when every spawned task has ended; the caller's thread helps with the work.
  /// @throws the first exception that a task threw; the remaining tasks still run to their end
  virtual void wait() = 0;
};

/// A fixed number of threads that run tasks. The thread that waits works too.
class Executor {
 public:
  virtual ~Executor() = default;

  /// Number of threads that can work at the same time, the waiting one included; at least 1.
  [[nodiscard]] virtual std::size_t threads() const noexcept = 0;
  /// `tbb` or `threads`.
  [[nodiscard]] virtual std::string_view backend() const noexcept = 0;
  [[nodiscard]] virtual std::unique_ptr<TaskGroup> make_group() = 0;

  /// Calls body(0), .., body(count - 1), each once, in any order and in parallel; returns when all
  /// have returned. May be called from inside a task.
  /// @throws the first exception that a call threw
  virtual void parallel_for(std::size_t count, const std::function<void(std::size_t)>& body) = 0;
};

/// An executor of `threads` threads (0: as many as this process may use).
/// @throws Error(kUsage) if the back end is unknown or more than 4096 threads are asked for
std::unique_ptr<Executor> make_executor(std::size_t threads, std::string_view backend = "tbb");

}  // namespace grundy
