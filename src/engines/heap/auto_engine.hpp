/// @file
/// The engine `auto` for rules that a sparse space may help: it begins with the engine that the
/// cost model (engines/heap/engine_costs.hpp) finds cheaper, looks again some times for each
/// doubling of the table, and changes engine where the heaps that are left make that pay. The first
/// choice is made on all values that are known, or on a trial of the first heaps if few are. A run
/// that is taken up looks at once, as if the engine of the earlier life were still at work, and
/// knows which engines were slower than foretold. The engine that takes over is given all values so
/// far, as a run that goes on after an interruption is; so the table does not depend on the choice.
///
/// A change holds the table twice for a moment. None is made once values have been let go
/// (HeapTask::keep_table).
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
  std::function<double()> clock_;  ///< empty: the time of the processor
};

}  // namespace grundy
