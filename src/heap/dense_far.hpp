/// @file
/// The far phase of the dense engine: for a group of consecutive heaps, the least value that no far
/// pair reaches. A pair is *far* if both of its heaps lie below a border that was final before the
/// phase began; groups are therefore independent of each other.
///
/// Guess, then certify. The values of some pairs of every heap are marked in full, which leaves a
/// bit set of values with a witness; where the kernels can, more pairs are filtered through the
/// bits that are still open. The least value without a witness is the heap's candidate. The other
/// pairs are only compared with the candidates, for all heaps of the group at once. A pair that has
/// the candidate's value is its witness: the heap takes its next candidate and must now survive one
/// whole cycle of pairs. What survives is the least far-unreached value, exactly: every smaller one
/// has a witness, and all pairs were compared with it.
///
/// Cost per heap with P far pairs, M marked and vectors of N values: M stores and about P / N
/// vector steps, plus what candidates that fail cost.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heap/dense_rule.hpp"
#include "kernels/kernels.hpp"

namespace grundy {

/// A range of `first` heaps of the pairs of one run.
struct PairRange {
  HeapSize begin = 0;
  HeapSize end = 0;
};

/// Results and working space of one group of heaps; reused from block to block.
template <class T>
struct FarGroup {
  HeapSize begin = 0;          ///< first heap
  std::size_t lanes = 0;       ///< heaps
  std::vector<PairRange> far;  ///< by run: the pairs that were far for every heap
  std::vector<T> candidate;    ///< by lane: least far-unreached value, if below the bound
  std::vector<std::uint64_t>
      reached;  ///< by lane: bit set of values below the bound with a witness

  std::vector<std::uint8_t> marks;
  std::vector<std::uint64_t> hits;   ///< by lane, a bit
  std::vector<std::size_t> changed;  ///< by lane: pieces compared when the candidate last changed

  [[nodiscard]] std::uint64_t* reached_by(std::size_t lane, std::size_t words) {
    return reached.data() + lane * words;
  }
};

/// What all groups of an epoch share. Values below `border` are read; all must be below `bound`.
template <class T>
struct FarPhase {
  const DenseRule& rule;
  const KernelSet& kernels;
  const T* values;
  std::size_t words;      ///< of a bit set: values are below bound = 64 * words, a power of two
  std::size_t marked;     ///< pairs of each heap that are marked
  std::size_t collected;  ///< pairs of each heap that are collected, where that is fast

  /// Fills `group` for the heaps begin .. begin + lanes - 1.
  void run(FarGroup<T>& group, HeapSize begin, std::size_t lanes, HeapSize border) const;

 private:
  struct Piece;
  void split(FarGroup<T>& group, HeapSize border, std::vector<Piece>& pieces) const;
  void mark(FarGroup<T>& group, std::span<const Piece> pieces) const;
  void collect(FarGroup<T>& group, std::span<const Piece> pieces) const;
  void certify(FarGroup<T>& group, std::span<const Piece> pieces) const;
  bool take_mex(FarGroup<T>& group, std::size_t lane) const;
  bool advance(FarGroup<T>& group, std::size_t lane) const;
  bool reached_within(const FarGroup<T>& group, std::size_t lane,
                      std::span<const Piece> pieces) const;
};

}  // namespace grundy
