/// @file
/// The engine `sparse`: tables of octal games and of Grundy's game by the sparse-space method.
///
/// Values split into rare and common ones (split.hpp). Only rare heaps can exclude a value of the
/// common type, so if there are few rare heaps, a value costs O(R) instead of O(n). Every smaller
/// value is still shown to be reached. The slow, complete way opens the table and takes the steps
/// at which something new happens; the fast phases (fast_phase.hpp) do the rest. The split is
/// chosen from the values so far. It is chosen again when the table has doubled and has more rare
/// heaps, and when values reach a new bit.
///
/// If the task does not want the table, memory is constant. The first and the newest values stay
/// (value_window.hpp): at least twice as many as any heap so far has looked back. If a heap needs
/// other values, this is an error, never a guess. No game is known with a rare heap so late or a
/// witness so deep. These values and the rare heaps are all that later heaps depend on, so a run
/// can go on from them (KnownValues::gone()).
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <optional>

#include <grundy/heap/engine.hpp>
#include <grundy/stats.hpp>

#include "engines/heap/sparse/split.hpp"

namespace grundy {

class SparseEngine final : public HeapEngine {
 public:
  SparseEngine() = default;
  /// An engine that always uses `split`, good or bad. For tests.
  explicit SparseEngine(const sparse::Split& split) : forced_(split) {}
  /// An engine that keeps at least `window` of the newest values, and four times as many of the
  /// first values, if the table is not needed. For tests.
  explicit SparseEngine(HeapSize window) : window_(window) {}

  [[nodiscard]] std::string_view name() const noexcept override { return "sparse"; }
  [[nodiscard]] std::string_view summary() const noexcept override {
    return "octal games and Grundy's game with few rare values: O(rare heaps) a value";
  }
  [[nodiscard]] std::string refusal(const HeapRule& rule) const override;
  /// Many rare heaps make the engine slow; its values are correct all the same.
  [[nodiscard]] std::string doubt(const HeapRule& rule) const override;
  [[nodiscard]] std::uint64_t memory_bytes(const HeapRule& rule, HeapSize count,
                                           Nimber max_value) const override;
  [[nodiscard]] HeapSize kept_heaps(HeapSize count, std::uint64_t rare,
                                    HeapSize looked_back) const noexcept override;
  RunStatus run(const HeapTask& task, ValueSink& sink) const override;

 private:
  /// Digests of tables go on from the values of a section that has begun.
  static constexpr HeapSize kWindow = kDigestSection;

  std::optional<sparse::Split> forced_;
  HeapSize window_ = kWindow;
};

/// The engine in the list of engines and in `auto`.
inline const SparseEngine kSparseEngine;

}  // namespace grundy
