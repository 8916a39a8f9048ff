/// @file
/// The row plans of fast phases. The plan of a rare code lists the pairs of
/// common heaps that reach it for most heaps. Plans serve several phases, because the usefulness of
/// rows changes slowly. Where it changes all the same, plans are *stale*: what they leave open
/// costs more than to learn them anew.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <grundy/types.hpp>

#include "engines/heap/sparse/phase_shape.hpp"
#include "engines/heap/sparse/row_plan.hpp"
#include "engines/heap/sparse/table.hpp"

namespace grundy {
class Executor;
}

namespace grundy::sparse {

/// Judges plans by the codes that they leave open.
class PlanJudge {
 public:
  /// @param cost the number of codes that cost as much as to learn plans
  explicit PlanJudge(std::uint64_t cost = 0) : cost_(static_cast<double>(cost)) {}

  /// The plans left `codes` codes of the next `heaps` heaps open.
  void note(std::size_t heaps, std::uint64_t codes) noexcept;
  /// Whether more codes were open than the best stretch so far lets expect, by the cost of plans.
  [[nodiscard]] bool finds_stale() const noexcept { return excess_ > cost_; }

 private:
  double cost_;
  double excess_ = 0;
  double least_ = std::numeric_limits<double>::infinity();  ///< open codes of the best stretch
  std::size_t heaps_ = 0;                                   ///< of the present stretch
  std::uint64_t codes_ = 0;                                 ///< open in the present stretch
};

class LearnedPlans {
 public:
  /// Plans by rare code.
  [[nodiscard]] const std::vector<RowPlan>& witness() const noexcept { return witness_; }

  [[nodiscard]] PlanJudge& judge() noexcept { return judge_; }

  /// Learns plans from the table if the present ones are for another split or shape or too old. If
  /// they are stale, adds rows for what they leave open among the newest heaps: heaps like those
  /// before may come again.
  /// @tparam T type of a code, std::uint8_t or std::uint16_t
  template <class T>
  void update(const SparseTable& table, const PhaseShape& shape, const KernelSet& kernels,
              Executor& executor);

 private:
  Split split_;
  PhaseShape shape_{};
  HeapSize learned_ = 0;  ///< size of the table when they were learned anew
  std::vector<std::vector<RowPlan::Source>> rows_;  ///< by rare code, ascending
  std::vector<RowPlan> witness_;                    ///< of these rows
  PlanJudge judge_;
};

}  // namespace grundy::sparse
