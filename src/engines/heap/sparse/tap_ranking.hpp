/// @file
/// The order of taps by the worth of their marks, learned from heaps that have values.
///
/// Dozens of taps reach most of the codes below the code of a heap, and very few taps reach the
/// others. The taps that reach such scarce codes are largely the same for all heaps. The order is
/// greedy with a memory: a tap scores for each code that it reaches, and every tap ranked before it
/// that also reaches the code halves this score. Other orders are worse (NOTES.md). The order
/// affects speed, never values.
///
/// Cost: heaps of the sample x taps x rounds, some tenths of a second for 20000 taps.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
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

/// A sample of common heaps, spread evenly over the newest part of the table.
class TapRanking {
 public:
  /// @param reach the longest offset of a tap and of those that it stands for
  /// @param heaps the number of heaps in the sample, if none of them is rare
  TapRanking(const SparseTable& table, const CodeTables& codes, HeapSize reach, HeapSize heaps);

  /// The code of each heap of the sample. It bounds the codes that taps have to reach.
  [[nodiscard]] const std::vector<Nimber>& codes() const noexcept { return codes_of_; }
  /// The limit of each heap of the sample: rare codes below it stand for smaller values.
  [[nodiscard]] const std::vector<Nimber>& limits() const noexcept { return limits_; }

  /// Orders taps by how well they reach the codes below `bounds`, which has a bound for each heap
  /// of the sample. They are ranked in rounds. With `worth` only the first taps: on average, a tap
  /// of a round must reach, from at least one heap in `worth`, a code that no tap before it
  /// reaches.
  /// Each tap stands for others, too (LaggedSplits).
  [[nodiscard]] std::vector<Tap> rank(std::span<const Tap> taps, std::span<const Nimber> bounds,
                                      std::optional<std::size_t> worth, Executor& executor) const;

  /// For each heap of the sample, the least number of taps, the first ones first, that leave fewer
  /// than `open` codes below its own without a mark; the number of taps if all of them leave as
  /// many. Ascending.
  [[nodiscard]] std::vector<std::size_t> taps_until(std::span<const Tap> taps,
                                                    std::size_t open) const;

  /// Calls `visit` with the code that the tap reaches from heap i of the sample, and with those of
  /// the taps that it stands for.
  template <class Visit>
  void for_each_reached(std::size_t i, const Tap& tap, const Visit& visit) const {
    const std::uint16_t* const partner = at(i) - tap.offset;
    for (const HeapSize lag : lags_) visit(*(partner - lag) ^ tap.code);
  }

 private:
  const std::uint16_t* at(std::size_t i) const noexcept { return newest_.data() + sample_[i]; }

  const std::vector<HeapSize> lags_;
  Nimber code_limit_;
  /// Codes of the newest part of the table, without gaps; code_limit_ stands for no code.
  std::vector<std::uint16_t> newest_;
  std::vector<std::size_t> sample_;  ///< the places of the sampled heaps in newest_
  std::vector<Nimber> codes_of_;
  std::vector<Nimber> limits_;
};

}  // namespace grundy::sparse
