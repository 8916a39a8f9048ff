/// @file
/// The engine `sparse`: tables of octal games and of Grundy's game by the sparse-space method.
///
/// Values split into rare and common ones (engines/heap/sparse/split.hpp). Only rare heaps can exclude a
/// value of the common type, so where rare heaps are few a value costs O(R) instead of O(n); every
/// smaller value is still shown to be reached. The table opens with the slow, complete way, which
/// also takes the steps at which something new happens; the fast phases
/// (engines/heap/sparse/fast_phase.hpp) do the rest. The split is chosen from the values so far, again when
/// the table has doubled and rare heaps have become more, and when values reach a new bit.
///
/// Where the task does not want the table, memory is constant: first and newest values stay
/// (engines/heap/sparse/value_window.hpp). A heap that would need others (a rare one so late, or a witness
/// so deep, has not been seen) is an error, never a guess.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <optional>

#include <grundy/heap/engine.hpp>

#include "engines/heap/sparse/split.hpp"

namespace grundy {

class SparseEngine final : public HeapEngine {
 public:
  SparseEngine() = default;
  /// An engine that always uses `split`, good or bad. For tests.
  explicit SparseEngine(const sparse::Split& split) : forced_(split) {}
  /// An engine that keeps that many of the first and of the newest values where the table is not
  /// needed. For tests.
  explicit SparseEngine(HeapSize window) : window_(window) {}

  [[nodiscard]] std::string_view name() const noexcept override { return "sparse"; }
  [[nodiscard]] std::string_view summary() const noexcept override {
    return "octal games and Grundy's game with few rare values: O(rare heaps) a value";
  }
  [[nodiscard]] std::string refusal(const HeapRule& rule) const override;
  [[nodiscard]] std::uint64_t memory_bytes(const HeapRule& rule, HeapSize count,
                                           Nimber max_value) const override;
  [[nodiscard]] HeapSize kept_heaps(HeapSize count) const noexcept override {
    return std::min(count, 3 * window_);
  }
  RunStatus run(const HeapTask& task, BlockSink& sink) const override;

 private:
  /// As many as two-byte values leave under half a GiB.
  static constexpr HeapSize kWindow = 5u << 24;

  std::optional<sparse::Split> forced_;
  HeapSize window_ = kWindow;
};

}  // namespace grundy
