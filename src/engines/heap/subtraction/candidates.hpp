/// @file
/// Subtraction games with many options and many values, such as squares: candidates for the value
/// of every heap, sieved against the options.
///
/// The least value that no option has is found in three steps for a block of heaps:
/// 1. marks.hpp lists for every heap the least values that no *marked* option has.
/// 2. The list is compared with every option that lies before the block, 64 heaps and a few
///    candidates at a time, and candidates that an option has are erased. Options are taken in
///    runs, so that the part of the table that a run reaches stays in the cache. Steps 1 and 2 are
///    parallel.
/// 3. The same is done for options inside the block: for sub-blocks, then for groups of 64 heaps,
///    and for the nearest options heap by heap. The first candidate that is left is the value.
///
/// Every smaller value was seen at an option, and the value itself was compared with all options,
/// so it is proved. If no candidate is left, all options of the heap are marked, as the definition
/// says.
///
/// Cost for N heaps, |S| options and V values: N |S| k / 64 vector comparisons, where k is about 18
/// (twice that for values of 16 bits and more), and N V t / 512 for marking with t << |S| elements.
// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include <grundy/machine.hpp>

#include "core/value_buffer.hpp"
#include "engines/heap/subtraction/marks.hpp"
#include "engines/heap/subtraction/solver.hpp"
#include "kernels/subtraction_kernels.hpp"

namespace grundy {

class CandidateSolver final : public SubtractionSolver {
 public:
  CandidateSolver(const SubtractionRule& rule, HeapSize count, std::optional<HeapSize> block,
                  const SubtractionKernels& kernels, Executor& executor);

  [[nodiscard]] HeapSize block(HeapSize begin) const noexcept override;
  void adopt(HeapSize begin, HeapSize end, const ValueBuffer& table) override;
  void solve(HeapSize begin, ValueBuffer& table) override;

  /// Bytes besides the table for `values` different values.
  static std::uint64_t memory_bytes(const SubtractionRule& rule, HeapSize count,
                                    std::uint64_t values);

 private:
  /// Computes the block. Returns the first value that does not fit into T, if there is one; then
  /// the block must be computed again with a wider table.
  template <class T>
  std::optional<Nimber> solve_block(HeapSize begin, ValueBuffer& table);
  /// Lists for this number of heaps, without candidates.
  template <class T>
  T* empty_lists(HeapSize heaps);
  /// Does the same by marking the options of every heap.
  template <class T>
  std::optional<Nimber> solve_directly(HeapSize begin, HeapSize end, T* values);
  /// Adds values to the marks; start_block() has announced them.
  template <class T>
  void mark(HeapSize begin, std::span<const T> values);
  template <class T>
  void list_candidates(T* lists) const;
  /// Returns the length of the lists afterwards.
  template <class T>
  std::size_t sieve_far(const T* values, HeapSize begin, HeapSize heaps, T* lists) const;
  /// Compares the list of 64 heaps from `heap` on with the options s, low <= s < high.
  template <class T>
  void sieve(const T* values, HeapSize heap, HeapSize low, HeapSize high, std::size_t length,
             T* list) const;
  template <class T>
  std::optional<Nimber> decide_group(T* values, HeapSize heap, std::size_t heaps,
                                     std::size_t length, const T* list);
  template <class T>
  Nimber mex(const T* values, HeapSize n);
  void in_parallel(std::size_t count, const std::function<void(std::size_t)>& body) const;
  /// Index of the first element of S that is at least `s`.
  [[nodiscard]] std::size_t tap_from(HeapSize s) const noexcept;

  const SubtractionKernels& kernels_;
  Executor& executor_;
  HeapSize modulus_;
  std::optional<HeapSize> block_;  ///< unset: grows with the heaps
  std::vector<HeapSize> taps_;
  ResidueMarks marks_;
  Nimber largest_ = 0;
  ValueBuffer lists_;               ///< of the candidates of a block
  std::vector<std::uint8_t> seen_;  ///< by value: whether an option of the last heap has it
};

}  // namespace grundy
