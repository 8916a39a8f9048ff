/// @file
/// In which order taps are worth a mark, learned from heaps that have values.
///
/// Of the codes below that of a heap most are reached by dozens of taps and some by very few, and
/// what reaches those are largely the same taps again and again. The order is a greedy one with a
/// memory: a tap scores for each code that it reaches, half as much for every tap in front of it
/// that reaches the code too. A plain cover would serve the sample and no other heap; by how rare a
/// code is alone, twice as many marks leave as much open (.007 at heap 900000: 3000 marks of 22000
/// leave 5 codes a heap, in the order of weights that fall with the square of the number of taps
/// 10). Nothing depends on the order except speed.
///
/// Cost: heaps of the sample x taps x rounds, some tenths of a second for 20000 taps.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <grundy/types.hpp>

#include "engines/heap/sparse/code_tables.hpp"
#include "engines/heap/sparse/plan.hpp"
#include "engines/heap/sparse/table.hpp"

namespace grundy {
class Executor;
}

namespace grundy::sparse {

/// The best taps, in order, and how many of them should be marked.
struct RankedTaps {
  std::vector<Tap> taps;
  std::size_t marked = 0;
};

/// Common heaps, spread evenly over the newest part of the table.
class TapRanking {
 public:
  /// @param reach taps have no longer offsets
  TapRanking(const SparseTable& table, const CodeTables& codes, HeapSize reach);

  /// The codes below that of each heap of the sample.
  [[nodiscard]] const std::vector<Nimber>& codes() const noexcept { return codes_of_; }
  /// The rare codes that stand for smaller values.
  [[nodiscard]] const std::vector<Nimber>& limits() const noexcept { return limits_; }

  /// Ranks taps so that codes below `bounds`, by heap of the sample, are reached. Taps are marked
  /// as long as each reaches what none before has from one heap in `worth`; `next` come behind
  /// them.
  [[nodiscard]] RankedTaps rank(std::span<const Tap> taps, std::span<const Nimber> bounds,
                                std::size_t worth, std::size_t next, Executor& executor) const;

 private:
  const std::uint16_t* at(std::size_t i) const noexcept { return window_.data() + sample_[i]; }

  Nimber code_limit_;
  std::vector<std::uint16_t> window_;  ///< codes of the newest part of the table, without gaps;
                                       ///< code_limit_ where there is none
  std::vector<std::size_t> sample_;    ///< where in it the heaps of the sample are
  std::vector<Nimber> codes_of_;
  std::vector<Nimber> limits_;
};

}  // namespace grundy::sparse
