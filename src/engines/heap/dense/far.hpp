/// @file
/// The far phase of the dense engine: for a group of consecutive heaps, the values that no far pair
/// reaches. A pair is *far* if both of its heaps lie below a border that was final before the phase
/// began; groups are therefore independent of each other.
///
/// There are two steps. Hot taps (hot_taps.hpp) mark some options of every heap, which leaves an
/// open set of values without a witness. Every far pair is then filtered: the few that reach an
/// open value close it. What stays open is reached by no far pair, and everything else below the
/// limit has a witness. The result is exact whatever was learned.
///
/// Cost per heap with P far pairs and M hot taps: M stores, P / 64 vector steps of filter_pairs(),
/// and some 5 ns for each pair that hits an open value.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engines/heap/dense/hot_taps.hpp"
#include "engines/heap/two_heap_moves.hpp"
#include "engines/heap/value_bytes.hpp"
#include "kernels/filter_kernels.hpp"

namespace grundy {

/// Pairs of one split, by their smaller heaps.
struct PairRange {
  HeapSize begin = 0;
  HeapSize end = 0;
};

/// Results and working space of one group of heaps; reused from block to block.
struct FarGroup {
  HeapSize begin = 0;          ///< first heap
  std::size_t lanes = 0;       ///< heaps
  std::vector<PairRange> far;  ///< by split: the pairs that were far for every heap
  std::vector<OpenSet> open;   ///< by lane: values below the limit that no far pair reaches

  std::vector<std::uint8_t> marks;
};

/// The values from .. to - 1, all within the reach of one open set.
OpenSet open_range(std::size_t from, std::size_t to) noexcept;
/// The least value of a set.
std::optional<std::size_t> least(const OpenSet& open) noexcept;

/// What all groups of an epoch share. Values below `border` are read; all must be below `bound`.
template <class T>
struct FarPhase {
  const TwoHeapMoves& moves;
  const FilterKernels& kernels;
  const T* values;
  ByteTable bytes;
  std::size_t bound;         ///< of the values; a power of two
  std::size_t limit;         ///< of the open sets; at most kOpenValues and the bound
  std::vector<HotTap> taps;  ///< what is marked

  /// Fills `group` for the heaps begin .. begin + lanes - 1.
  void run(FarGroup& group, HeapSize begin, std::size_t lanes, HeapSize border) const;
  /// Removes what the pairs of `split` with smaller heaps in `range` reach for heap n.
  void filter(const SplitMove& split, PairRange range, HeapSize n, OpenSet& open) const noexcept;

 private:
  void find_far(FarGroup& group, HeapSize border) const;
  void mark(FarGroup& group, HeapSize border) const;
};

}  // namespace grundy
