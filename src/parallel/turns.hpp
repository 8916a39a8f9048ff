/// @file
/// Threads that decide a range of numbers, each of which needs those before it, in turn. The range
/// is cut into *turns*. A thread takes the next turn, does what needs no newer number than it finds
/// decided, waits until all numbers before the turn are decided, and decides its own. So most of
/// the work runs side by side, and only the last step goes from thread to thread. Before it waits,
/// a turn may also prepare something that the next one reads.
///
/// Undecided turns are consecutive, and each one has a thread. So with K threads everything K turns
/// back is decided when a thread takes a turn. A thread that is held up holds up the others, which
/// do not sleep, but none waits for a thread that has not come: a single one decides everything.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <thread>
#include <vector>

namespace grundy {

/// The numbers begin .. end - 1.
struct Turn {
  std::int64_t begin, end;
  std::size_t slot;  ///< no other turn that is not decided has the same one; below the threads
  /// The place of what it prepares for the next turn, below Turns::places(): no other turn has it
  /// until the next one is decided.
  std::size_t place;
  std::optional<std::size_t> place_before;  ///< that of the turn before, if there is one
};

class Turns {
 public:
  /// @param length how many numbers a turn has
  /// @param threads the most threads that take turns at the same time
  Turns(std::size_t length, std::size_t threads)
      : length_(static_cast<std::int64_t>(length)), threads_(threads), prepared_(threads + 1) {}

  [[nodiscard]] std::size_t threads() const noexcept { return threads_; }
  [[nodiscard]] std::size_t places() const noexcept { return prepared_.size(); }
  /// A number that is so far before another one, or farther, is decided when a thread takes the
  /// turn of the other one.
  [[nodiscard]] std::size_t apart() const noexcept {
    return static_cast<std::size_t>(length_) * threads_;
  }

  /// Begins a range. If it follows the one before, which was decided, it has a turn before the
  /// first one. @pre no thread is at work
  void begin(std::int64_t first, std::int64_t end) noexcept {
    const bool follows = first == end_ && first == this->end() && first > first_;
    number_of_first_ =
        follows
            ? number_of_first_ + static_cast<std::size_t>((end_ - first_ + length_ - 1) / length_)
            : 0;
    if (!follows) {
      for (Prepared& each : prepared_) each.end.store(first, std::memory_order_relaxed);
    }
    first_ = first;
    end_ = end;
    next_.store(0, std::memory_order_relaxed);
    decided_.store(first, std::memory_order_relaxed);
    stopped_.store(false, std::memory_order_relaxed);
  }
  /// The next turn; nothing if there is none, or none can be decided. A thread decides a turn
  /// before it takes another one, and takes no other one when wait_for() was false.
  std::optional<Turn> take() noexcept {
    if (stopped_.load(std::memory_order_relaxed)) return std::nullopt;
    // Who takes a turn sees what those wrote who took one before. Each of them has decided its last
    // one, or waited until the turns before that were decided.
    const std::size_t i = next_.fetch_add(1, std::memory_order_acq_rel);
    const std::int64_t begin = first_ + static_cast<std::int64_t>(i) * length_;
    if (begin >= end_) return std::nullopt;
    const std::size_t number = number_of_first_ + i;
    Turn turn{begin, std::min(begin + length_, end_), i % threads_, number % places(), {}};
    if (number > 0) turn.place_before = (number - 1) % places();
    return turn;
  }
  /// The thread of this turn has prepared what the next turn needs before it waits.
  void prepared(const Turn& turn) noexcept {
    prepared_[turn.place].end.store(turn.end, std::memory_order_release);
  }
  /// Waits until the turn before has prepared that. @pre all turns call prepared() before
  void wait_for_prepared(const Turn& turn) const noexcept {
    const std::atomic<std::int64_t>& before = prepared_[*turn.place_before].end;
    Patience patience;
    while (before.load(std::memory_order_acquire) < turn.begin) patience.wait();
  }
  /// Waits until all numbers before the turn are decided. False if one of them cannot be.
  [[nodiscard]] bool wait_for(const Turn& turn) const noexcept {
    Patience patience;
    while (decided_.load(std::memory_order_acquire) < turn.begin) {
      if (stopped_.load(std::memory_order_relaxed)) return false;
      patience.wait();
    }
    return true;
  }
  /// The numbers of a turn before `end` are decided. If that is not its end, no other one will be.
  void decided(const Turn& turn, std::int64_t end) noexcept {
    decided_.store(end, std::memory_order_release);
    if (end < turn.end) stopped_.store(true, std::memory_order_relaxed);
  }
  /// The first number that is not decided. @pre no thread is at work
  [[nodiscard]] std::int64_t end() const noexcept {
    return decided_.load(std::memory_order_relaxed);
  }

 private:
  /// Waits for another thread, a moment at a time.
  class Patience {
   public:
    void wait() noexcept {
      // Some 2 us on x86, longer than most waits. Then the thread that is waited for may need the
      // core.
      constexpr int kPauses = 50;
      if (++waits_ <= kPauses) {
        pause();
      } else {
        std::this_thread::yield();
      }
    }

   private:
    /// Leaves the core to its other thread.
    static void pause() noexcept {
#if defined(__x86_64__)
      __builtin_ia32_pause();
#elif defined(__aarch64__)
      asm volatile("yield");
#endif
    }

    int waits_ = 0;
  };
  struct alignas(64) Prepared {         // threads write to different lines
    std::atomic<std::int64_t> end = 0;  ///< of the latest turn that has prepared it
  };

  const std::int64_t length_;
  const std::size_t threads_;
  std::vector<Prepared> prepared_;   ///< by place
  std::size_t number_of_first_ = 0;  ///< number of turns before those of the range
  std::int64_t first_ = 0, end_ = 0;
  alignas(64) std::atomic<std::size_t> next_ = 0;
  alignas(64) std::atomic<std::int64_t> decided_ = 0;
  std::atomic<bool> stopped_ = false;
};

}  // namespace grundy
