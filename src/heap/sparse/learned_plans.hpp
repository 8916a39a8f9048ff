/// @file
/// The row plans of fast phases: for every code those that find candidates (which taps reach it),
/// and those that find witnesses (which pairs of common heaps reach the rare value of that code).
/// Learned once for several phases: what they are good for changes slowly.
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <grundy/types.hpp>

#include "heap/sparse/plan.hpp"
#include "heap/sparse/table.hpp"

namespace grundy {
class Executor;
}

namespace grundy::sparse {

class LearnedPlans {
 public:
  /// Plans by code; a code that hardly any heap reaches or exceeds has none.
  [[nodiscard]] const std::vector<RowPlan>& guess() const noexcept { return guess_; }
  /// Plans by rare code.
  [[nodiscard]] const std::vector<RowPlan>& witness() const noexcept { return witness_; }

  /// Learns from the table unless what is known is of the same split and shape and not too old.
  /// @param far_taps taps for guesses, of offsets up to the row window; empty: no guesses
  template <class T>
  void update(const SparseTable& table, const PhaseShape& shape, const SparseKernels& kernels,
              const std::vector<Tap>& far_taps, Executor& executor);

 private:
  Split split_;
  PhaseShape shape_{};
  HeapSize learned_ = 0;  ///< size of the table then
  std::vector<RowPlan> guess_;
  std::vector<RowPlan> witness_;
};

}  // namespace grundy::sparse
