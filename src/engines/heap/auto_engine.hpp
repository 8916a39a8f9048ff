/// @file
/// The engine `auto` for rules that may have a sparse space. It begins with the engine that is
/// cheaper by the cost model (engines/heap/engine_costs.hpp); with `sparse`, if only the first
/// heaps speak for `dense` and not clearly. It looks again several times while the
/// table doubles, and changes engines if the remaining heaps make that pay. The first choice is
/// based on all known values, or on a trial of the first heaps if few are known. A resumed run
/// looks at once, as if the engine of the earlier life were still at work, and knows which engines
/// were slower than forecast. The engine that takes over is given all values so far, like a run
/// that goes on after an interruption, so the table does not depend on the choice.
///
/// A change needs memory for two tables for a moment. There is no change once values have been
/// dropped (HeapTask::keep_table).
// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <vector>

#include <grundy/heap/engine.hpp>

namespace grundy {

class AutoEngine final : public HeapEngine {
 public:
  AutoEngine() = default;
  /// Changes engine at these heaps, ascending, and nowhere else. For tests.
  explicit AutoEngine(std::vector<HeapSize> changes) : changes_(std::move(changes)) {}
  /// Measures the pace of engines by another clock, in seconds. For tests.
  explicit AutoEngine(std::function<double()> clock) : clock_(std::move(clock)) {}

  [[nodiscard]] std::string_view name() const noexcept override { return "auto"; }
  [[nodiscard]] std::string_view summary() const noexcept override {
    return "dense or sparse, whichever a cost model finds cheaper as the table grows";
  }
  [[nodiscard]] std::string refusal(const HeapRule& rule) const override;
  [[nodiscard]] std::uint64_t memory_bytes(const HeapRule& rule, HeapSize count,
                                           Nimber max_value) const override;
  RunStatus run(const HeapTask& task, ValueSink& sink) const override;

 private:
  std::vector<HeapSize> changes_;
  std::function<double()> clock_;  ///< empty: the processor time is measured
};

}  // namespace grundy
