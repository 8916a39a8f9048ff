/// @file
/// What computes: engine, inner loops, threads and memory, and how your own program gets them.
///
/// Values do not depend on any of these. compute() (grundy/compute.hpp) makes an executor from a
/// Machine. A program that calls an engine directly makes one with make_executor() and takes inner
/// loops with select_kernels(). An engine of your own derives from HeapEngine, LatticeEngine or
/// GraphEngine, finds both in its task, and is handed to compute() with the game
/// (HeapGame::engine).
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <grundy/error.hpp>
#include <grundy/types.hpp>

namespace grundy {

/// What a computation uses. A name that is `auto` or empty leaves the choice to the program.
struct Machine {
  std::string engine = "auto";   ///< a name of heap_engines(), lattice_engines(), graph_engines()
  std::string kernel = "auto";   ///< a name for select_kernels()
  std::string backend = "auto";  ///< `tbb` or `threads`; `auto` is `tbb`
  /// At least 1; unset: as many as this process may use.
  std::optional<std::size_t> threads{};
  /// Bytes that may be used; unset: what is free.
  std::optional<std::uint64_t> memory{};
  /// Heaps in a block, or the edge of a tile (engines take at least 8); at least 1. Unset: the
  /// engine's choice.
  std::optional<HeapSize> block{};

  friend bool operator==(const Machine&, const Machine&) = default;
};

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

/// The names of threading back ends: what make_executor() takes.
std::vector<std::string> backend_names();

/// An executor of `threads` threads; without a number, as many as this process may use.
///
/// `tbb`, which `auto` (or empty) means, too, runs in a oneTBB arena. `threads` is a plain pool of
/// std::jthread, which ThreadSanitizer sees through (Debian's oneTBB is not instrumented) and which
/// checks the scheduler independently.
/// @throws Error(kUsage) if the back end is unknown or the threads are not 1 to 4096
std::unique_ptr<Executor> make_executor(std::optional<std::size_t> threads = {},
                                        std::string_view backend = "auto");

/// Inner loops for one instruction set.
struct KernelSet;

/// The inner loops called `name`; `auto` (or empty) means those that the environment variable
/// GRUNDY_KERNEL names if it is set, else the fastest that this processor runs.
/// @throws Error(kUsage) if there are none of that name here; the message lists those there are
const KernelSet& select_kernels(std::string_view name);

}  // namespace grundy
