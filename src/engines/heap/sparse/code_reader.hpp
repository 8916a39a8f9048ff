/// @file
/// Writes into a window the codes that a phase looks back to, as the phase comes to them.
///
/// A late rare heap is a tap with a long offset, so the window reaches back over nearly all heaps.
/// But only few of them are partners: where the offsets of all taps are short or nearly as long as
/// the longest, a phase that ends soon looks at its newest heaps and at a few of the first ones.
/// Offsets that lie close together form a *band*; the partners of one band are consecutive heaps.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <vector>

#include <grundy/machine.hpp>

#include "engines/heap/sparse/phase_shape.hpp"
#include "engines/heap/sparse/sliding_window.hpp"
#include "engines/heap/sparse/table.hpp"
#include "kernels/code_kernels.hpp"

namespace grundy::sparse {

/// Codes of type T of the heaps that have values when the phase begins.
template <class T>
class CodeReader {
 public:
  CodeReader(const SparseTable& table, const PhaseShape& shape, const CodeKernels& kernels,
             Executor& executor);

  /// Goes on at the end of the table, with the taps that it has now. The window has the codes of
  /// the heaps below `final` that did not have values before.
  void go_on(HeapIndex final);

  /// How far back from a heap the window must reach.
  [[nodiscard]] HeapSize reach() const noexcept;
  /// Writes the codes of what the heaps below `end` look back to, unless they are there. @pre `end`
  /// does not fall but by go_on(), and the table still has the values of all partners of heaps from
  /// the last `end` on
  void read_below(HeapIndex end, SlidingWindow<T>& codes);

 private:
  struct Band {
    HeapSize least, most;  ///< offset
  };
  void find_bands();
  /// Writes those of these codes that are not there.
  void complete(HeapRange heaps, SlidingWindow<T>& codes);
  void read(HeapIndex begin, HeapIndex end, SlidingWindow<T>& codes) const;

  const SparseTable& table_;
  const CodeKernels& kernels_;
  Executor& executor_;
  const HeapSize lookback_;
  HeapIndex size_;                         ///< of the table when the phase begins
  std::array<std::vector<T>, 2> code_of_;  ///< by value, for even and for odd heaps
  std::vector<Band> bands_;                ///< by offset; never empty
  std::vector<HeapRange> there_;           ///< heaps below size_ that have codes; ascending
};

}  // namespace grundy::sparse
