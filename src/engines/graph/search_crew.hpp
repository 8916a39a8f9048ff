/// @file
/// Meetings of the threads of a search, and signs that tell which position each thread searches.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace grundy::graph {

/// The threads of a search. They meet whenever nobody may use the table. Threads come and go, so it
/// does not matter how many of them run at the same time.
class Crew {
 public:
  void enter() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return waiting_ == 0; });
    ++present_;
  }
  /// If the others wait for this thread alone, their meeting ends without its work.
  void leave() {
    const std::lock_guard lock(mutex_);
    --present_;
    if (waiting_ > 0 && waiting_ == present_) end_meeting();
  }
  /// Waits for all threads that have entered. Then one of them does the work. It alone hears if the
  /// work fails.
  template <class F>
  void meet(F work) {
    std::unique_lock lock(mutex_);
    if (++waiting_ == present_) {
      // The others go on when the mutex is free.
      end_meeting();
      work();
      return;
    }
    changed_.wait(lock, [this, round = round_] { return round != round_; });
  }

 private:
  void end_meeting() {
    waiting_ = 0;
    ++round_;
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t present_ = 0, waiting_ = 0;
  std::uint64_t round_ = 0;
};

/// The hashes of the positions that threads are searching. If two positions have the same place or
/// the same hash, threads only work in another order.
class Signposts {
 public:
  void put(std::uint64_t hash) noexcept { at(hash).store(hash, std::memory_order_relaxed); }
  void take_away(std::uint64_t hash) noexcept { at(hash).store(0, std::memory_order_relaxed); }
  [[nodiscard]] bool has(std::uint64_t hash) noexcept {
    return at(hash).load(std::memory_order_relaxed) == hash;
  }

 private:
  std::atomic<std::uint64_t>& at(std::uint64_t hash) noexcept {
    return posts_[hash % posts_.size()];
  }

  std::array<std::atomic<std::uint64_t>, 4096> posts_{};
};

}  // namespace grundy::graph
