/// @file
/// Where codes are many: which taps are marked, of the rare heaps for what the least code is, and
/// of common heaps for witnesses. Learned once for several phases.
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <grundy/types.hpp>

#include "engines/heap/sparse/plan.hpp"
#include "engines/heap/sparse/table.hpp"
#include "engines/heap/sparse/tap_ranking.hpp"

namespace grundy {
class Executor;
}

namespace grundy::sparse {

class LearnedTaps {
 public:
  /// Taps of rare heaps (all_taps()), from two blocks on.
  [[nodiscard]] const RankedTaps& exclusion() const noexcept { return exclusion_; }
  /// Taps of common heaps: pairs of such heaps.
  [[nodiscard]] const RankedTaps& witness() const noexcept { return witness_; }

  /// Learns from the table unless what is known is of the same split and shape and not too old.
  void update(const SparseTable& table, const PhaseShape& shape, Executor& executor);

 private:
  Split split_;
  PhaseShape shape_{};
  HeapSize learned_ = 0;  ///< size of the table then
  RankedTaps exclusion_;
  RankedTaps witness_;
};

}  // namespace grundy::sparse
