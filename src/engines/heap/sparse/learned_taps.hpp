/// @file
/// Learns which taps should mark codes: taps of rare heaps to find the least code, and, if there
/// are many codes, pairs of common heaps to find witnesses. The learned taps serve several phases.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include <grundy/types.hpp>

#include "engines/heap/sparse/phase_shape.hpp"
#include "engines/heap/sparse/table.hpp"
#include "engines/heap/sparse/taps.hpp"

namespace grundy {
class Executor;
}

namespace grundy::sparse {

class LearnedTaps {
 public:
  /// Nearly all heaps have codes below this, which is learned anew when the table has doubled. What
  /// depends on it must not change with every phase.
  Nimber common_codes(const SparseTable& table, Nimber code_limit);

  /// Taps of rare heaps under LaggedSplits from offset 64 on that mark, sorted by place.
  /// @param code_bytes number of bytes of a code
  [[nodiscard]] const std::vector<Tap>& of_rare(std::size_t code_bytes) const noexcept {
    return rare_[code_bytes - 1].what;
  }
  /// Pairs of common heaps that mark, as taps of the smaller heap under LaggedSplits.
  [[nodiscard]] const std::vector<Tap>& of_pairs() const noexcept { return pairs_.what; }

  /// Learns of_rare() unless what was learned is for the same split and shape and not too old.
  /// @param codes codes below it get planes
  /// @param code_bytes number of bytes of a code
  void update_rare(const SparseTable& table, const PhaseShape& shape, Nimber codes,
                   std::size_t code_bytes, Executor& executor);
  /// The same for of_pairs(). Returns whether it has learned.
  bool update_pairs(const SparseTable& table, const PhaseShape& shape, Executor& executor);

 private:
  template <class What>
  struct Learned {
    Split split;
    PhaseShape shape{};
    HeapSize size = 0;  ///< of the table at that time
    What what;

    [[nodiscard]] bool serves(const SparseTable& table, const PhaseShape& now) const noexcept;
  };
  Learned<Nimber> common_;
  Learned<std::vector<Tap>> rare_[2];  ///< for codes of one byte and of two
  Learned<std::vector<Tap>> pairs_;
};

}  // namespace grundy::sparse
