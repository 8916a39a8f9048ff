/// @file
/// The row plans of fast phases with codes of a byte. The plan of a rare code lists the pairs of
/// common heaps that reach it for most heaps. Plans serve several phases, because the usefulness of
/// rows changes slowly.
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <grundy/types.hpp>

#include "engines/heap/sparse/phase_shape.hpp"
#include "engines/heap/sparse/row_plan.hpp"
#include "engines/heap/sparse/table.hpp"

namespace grundy {
class Executor;
}

namespace grundy::sparse {

class LearnedPlans {
 public:
  /// Plans by rare code.
  [[nodiscard]] const std::vector<RowPlan>& witness() const noexcept { return witness_; }

  /// Learns from the table unless the present plans are for the same split and shape and not too
  /// old.
  void update(const SparseTable& table, const PhaseShape& shape, const KernelSet& kernels,
              Executor& executor);

 private:
  Split split_;
  PhaseShape shape_{};
  HeapSize learned_ = 0;  ///< size of the table at that time
  std::vector<RowPlan> witness_;
};

}  // namespace grundy::sparse
