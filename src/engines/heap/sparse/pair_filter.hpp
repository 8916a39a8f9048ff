/// @file
/// Removes from sets of codes, one for each of some heaps, those that pairs of common heaps reach.
/// From pair to pair the smaller heap grows by one and the larger one shrinks by one, so a vector
/// of pairs is looked up in a set at once (kernels/filter_kernels.hpp). The cost does not depend on
/// the number of open codes.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <grundy/types.hpp>

#include "engines/heap/sparse/phase_shape.hpp"
#include "engines/heap/sparse/sliding_window.hpp"
#include "engines/heap/value_bytes.hpp"
#include "kernels/filter_kernels.hpp"

namespace grundy::sparse {

class PairFilter {
 public:
  /// @param begin the first heap that is checked
  PairFilter(const SparseTable& table, const PhaseShape& shape, const FilterKernels& kernels,
             const SlidingWindow<std::uint16_t>& codes, HeapIndex begin);

  /// Takes the codes of consecutive heaps. Earlier heaps may be checked at the same time.
  void set(HeapIndex first, const std::uint16_t* codes, std::size_t heaps) noexcept;
  /// Makes room for heaps below `end`. The two blocks before it can still be checked.
  void advance(HeapIndex end) noexcept;
  /// Number of heaps that are filtered together: those that share loads lie kFilterApart apart.
  static constexpr std::size_t kRun = 4 * kFilterApart;
  /// Removes from open[j] the rare codes that pairs of common heaps reach from heap n + j. Leaves a
  /// set alone once it is empty.
  /// @pre heaps <= kRun, and all sets have one base
  void remove_reached(HeapIndex n, std::size_t heaps, OpenSet* open) noexcept;

 private:
  /// Removes from open[j] the codes that pairs of one split reach from heap n + j. Calls `after`
  /// from time to time.
  template <class After>
  void filter(const SplitMove& move, HeapIndex n, std::size_t heaps, OpenSet* open,
              const After& after) noexcept;
  /// The place of heap n in codes_. The smaller heaps come first, by size, then a window of the
  /// newest heaps. @pre n is among the newest
  [[nodiscard]] std::size_t place(HeapIndex n) const noexcept {
    return small_ + static_cast<std::size_t>(n - origin_);
  }
  void put(std::size_t place, std::uint16_t code) noexcept {
    codes_[place] = code;
    bytes_.set(place, code);
  }

  const LaggedSplits lagged_;
  const FilterKernels& kernels_;
  const std::size_t small_;  ///< heaps below it are the smaller heaps of pairs
  const std::size_t kept_;   ///< number of newest heaps that are needed
  HeapIndex origin_;
  std::vector<std::uint16_t> codes_;
  ValueBytes bytes_;
};

}  // namespace grundy::sparse
