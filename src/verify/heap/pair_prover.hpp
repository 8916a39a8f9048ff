/// @file
/// Proofs for games whose moves leave at most two heaps, subtraction games included.
///
/// (a) No option has the value: all options of a group of heaps are compared with the stored values
/// at once (probe_pairs, probe_taps). Common heaps are compared only with splits that have a rare
/// heap (value_split.hpp): R splits instead of n / 2.
///
/// (b) Every smaller value has a witness: a few splits spread over the table are marked, then
/// splits with a rare heap, then more and more of all splits, until few values are missing. Each of
/// these is looked for on its own (find_pair).
///
/// Cost of heap n with R rare heaps and vectors of N values: R / N vector steps and some R marks,
/// independent of n. Without a split of the values: n / (2 N) vector steps for each digit that
/// splits.
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "kernels/kernels.hpp"
#include "verify/heap/pair_moves.hpp"
#include "verify/heap/value_split.hpp"
#include "verify/prover.hpp"

namespace grundy {

template <class T>
class PairProver final : public Prover {
 public:
  PairProver(PairMoves moves, StoredValues stored, const KernelSet& kernels);

  [[nodiscard]] std::string method() const override;
  [[nodiscard]] HeapSize group() const noexcept override { return 256; }
  [[nodiscard]] std::optional<HeapSize> first_wrong(HeapSize begin, HeapSize end) const override;

 private:
  class Hits;
  struct Marks;

  void probe_single(Hits& hits) const;
  void probe_zero_moves(Hits& hits) const;
  /// Whether a move from n leaves a position of value 0 whatever the values are: nothing, or two
  /// equal heaps.
  [[nodiscard]] bool reaches_zero_always(HeapSize n) const;
  void probe_dense(const PairMoves::Split& split, Hits& hits) const;
  void probe_rare(const PairMoves::Split& split, Hits& hits) const;
  [[nodiscard]] bool reached(const PairMoves::Split& split, HeapSize n, HeapSize from,
                             T value) const;
  [[nodiscard]] bool every_smaller_reached(HeapSize n, Marks& marks) const;
  bool mark_spread(const PairMoves::Split& split, HeapSize n, std::size_t pairs, unsigned round,
                   Marks& marks) const;
  [[nodiscard]] std::size_t mark_rare(const PairMoves::Split& split, HeapSize n, std::size_t from,
                                      Marks& marks) const;

  PairMoves moves_;
  const T* values_;
  std::size_t words_;  ///< of a bit set of values
  const KernelSet& kernels_;
  std::optional<ValueSplit> space_;
  std::vector<T> rare_values_;
  std::vector<T> zeros_;  ///< keys of the single removals
};

}  // namespace grundy
