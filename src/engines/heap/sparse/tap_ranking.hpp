/// @file
/// In which order taps are worth a mark, learned from heaps that have values.
///
/// Of the codes below that of a heap most are reached by dozens of taps and some by very few. The
/// taps that reach the scarce codes are largely the same for all heaps. The order is greedy with a
/// memory: a tap scores for each code that it reaches, and half as much for every tap ranked before
/// it that reaches the code too. Other orders are worse (NOTES.md). Nothing depends on the order
/// except speed.
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
#include "engines/heap/sparse/table.hpp"
#include "engines/heap/sparse/taps.hpp"

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

  /// Ranks taps by how well they reach the codes below `bounds`, which has a bound for each heap of
  /// the sample. The first taps mark: each of them reaches, from one heap in `worth` or more, a
  /// code that no tap before it reaches. At least `next` taps are ranked behind them, if there are.
  [[nodiscard]] RankedTaps rank(std::span<const Tap> taps, std::span<const Nimber> bounds,
                                std::size_t worth, std::size_t next, Executor& executor) const;

 private:
  const std::uint16_t* at(std::size_t i) const noexcept { return newest_.data() + sample_[i]; }

  Nimber code_limit_;
  std::vector<std::uint16_t> newest_;  ///< codes of the newest part of the table, without gaps;
                                       ///< code_limit_ stands for no code
  std::vector<std::size_t> sample_;    ///< where in it the heaps of the sample are
  std::vector<Nimber> codes_of_;
  std::vector<Nimber> limits_;
};

}  // namespace grundy::sparse
