/// @file
/// Learns which taps should mark codes if there are many codes: taps of rare heaps to find the
/// least code, and pairs of common heaps to find witnesses. The learned taps serve several phases.
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <grundy/types.hpp>

#include "engines/heap/sparse/phase_shape.hpp"
#include "engines/heap/sparse/table.hpp"
#include "engines/heap/sparse/tap_ranking.hpp"

namespace grundy {
class Executor;
}

namespace grundy::sparse {

class LearnedTaps {
 public:
  /// Taps of rare heaps (all_taps()), with partners two blocks back or more.
  [[nodiscard]] const RankedTaps& exclusion() const noexcept { return exclusion_; }
  /// Pairs of common heaps, as taps of the smaller heap.
  [[nodiscard]] const RankedTaps& witness() const noexcept { return witness_; }

  /// Learns from the table unless the present taps are for the same split and shape and not too
  /// old.
  void update(const SparseTable& table, const PhaseShape& shape, Executor& executor);

 private:
  Split split_;
  PhaseShape shape_{};
  HeapSize learned_ = 0;  ///< size of the table at that time
  RankedTaps exclusion_;
  RankedTaps witness_;
};

}  // namespace grundy::sparse
