/// @file
/// Learns which taps should mark codes: taps of rare heaps to find the least code, and, if there
/// are many codes, pairs of common heaps to find witnesses. The learned taps serve several phases.
// SPDX-License-Identifier: MIT
#pragma once

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
  /// For planes: taps of rare heaps (all_taps()) from offset 64 on.
  [[nodiscard]] const RankedTaps& of_planes() const noexcept { return planes_.taps; }
  /// For marks: taps of rare heaps with partners two blocks back or more.
  [[nodiscard]] const RankedTaps& of_marks() const noexcept { return marks_.taps; }
  /// For marks: pairs of common heaps, as taps of the smaller heap.
  [[nodiscard]] const RankedTaps& of_pairs() const noexcept { return pairs_; }

  /// Learns of_planes() unless what was learned is for the same split and shape and not too old.
  /// @param codes codes below it get planes
  void update_planes(const SparseTable& table, const PhaseShape& shape, Nimber codes,
                     Executor& executor);
  /// The same for of_marks() and of_pairs().
  void update_marks(const SparseTable& table, const PhaseShape& shape, Executor& executor);

 private:
  struct Learned {
    Split split;
    PhaseShape shape{};
    HeapSize size = 0;  ///< of the table at that time
    RankedTaps taps;

    [[nodiscard]] bool serves(const SparseTable& table, const PhaseShape& now) const noexcept;
  };
  Learned planes_, marks_;
  RankedTaps pairs_;  ///< learned together with marks_
};

}  // namespace grundy::sparse
