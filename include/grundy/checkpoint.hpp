/// @file
/// Checkpoints: how often a run seals what is finished, and how another thread talks to a run.
// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include <grundy/types.hpp>

namespace grundy {

/// A run seals its values when one of the two limits is reached. A crash loses what is not sealed.
struct CheckpointInterval {
  std::chrono::duration<double> time = std::chrono::minutes(10);
  std::uint64_t bytes = 256u << 20;  ///< of values

  friend bool operator==(const CheckpointInterval&, const CheckpointInterval&) = default;
};

/// Requests to a run, and its answers; safe to use from any thread.
class CheckpointControl {
 public:
  /// Seals what is finished at the end of the current block.
  void request_seal() noexcept { requested_.store(true); }
  /// Whether a seal was requested since the last call.
  [[nodiscard]] bool take_request() noexcept {
    return requested_.load(std::memory_order_relaxed) && requested_.exchange(false);
  }
  /// Heaps below this are sealed. For several heaps: the number of sealed values, in the engine's
  /// order.
  [[nodiscard]] HeapSize sealed() const noexcept { return sealed_.load(); }
  void set_sealed(HeapSize heaps) noexcept {
    sealed_.store(heaps);
    sealed_at_.store(Clock::now());
  }
  /// Time since sealed() last changed.
  [[nodiscard]] std::chrono::duration<double> age() const noexcept {
    return Clock::now() - sealed_at_.load();
  }

 private:
  using Clock = std::chrono::steady_clock;

  std::atomic<bool> requested_ = false;
  std::atomic<HeapSize> sealed_ = 0;
  std::atomic<Clock::time_point> sealed_at_ = Clock::now();
};

}  // namespace grundy
