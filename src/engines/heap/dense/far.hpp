/// @file
/// The far phase of the dense engine: for a group of consecutive heaps, the values that no far pair
/// reaches. A pair is *far* if both of its heaps lie below a border that was final before the phase
/// began; groups are therefore independent of each other.
///
/// There are two steps. Hot taps (hot_taps.hpp) mark some options of every heap, which leaves
/// values without a witness: open sets, each of a *slice* of the values. Every far pair is then
/// filtered through the first slice: the few that reach an open value close it. What stays open is
/// reached by no far pair, and everything else of the slice has a witness. If nothing stays, the
/// next slice follows. The result is exact whatever was learned.
///
/// Cost per heap with P far pairs and M hot taps: M stores, P / 64 vector steps of filter_pairs(),
/// and some 5 ns for each pair that hits an open value.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engines/heap/dense/hot_taps.hpp"
#include "engines/heap/two_heap_moves.hpp"
#include "engines/heap/value_bytes.hpp"
#include "kernels/filter_kernels.hpp"

namespace grundy {

/// Heaps of a group, at most.
inline constexpr HeapSize kGroup = 128;

/// Pairs of one split, by their smaller heaps.
struct PairRange {
  HeapSize begin = 0;
  HeapSize end = 0;
};

/// What one rank of several does of a far phase (company.hpp): one of the parts into which the
/// groups of a block are dealt, and of their far pairs again one of some parts.
struct Share {
  std::uint64_t part = 0, parts = 1;
  std::uint64_t pair_part = 0, pair_parts = 1;

  /// Whether it is to find the open sets of a group of its block.
  [[nodiscard]] bool has(std::size_t group) const noexcept { return group % parts == part; }
  [[nodiscard]] PairRange of(PairRange all) const noexcept;
};

/// Results and working space of one group of heaps; reused from block to block.
struct FarGroup {
  HeapSize begin = 0;          ///< first heap
  std::size_t lanes = 0;       ///< heaps
  std::vector<PairRange> far;  ///< by split: the pairs that were far for every heap
  /// By lane: of a slice of the values, those that no far pair reaches. Where nothing of a slice
  /// is open, the next one is taken.
  std::vector<OpenSet> open;
  std::vector<std::uint32_t> end;  ///< by lane: of the slice; no smaller value is open but those
  /// By lane, and for each slice but the first below the limit: what no hot tap reaches.
  std::vector<OpenSet> later;

  std::vector<std::uint8_t> marks;
};

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
  std::size_t limit;         ///< of the values that taps mark; at most the bound
  std::size_t slice;         ///< values of a slice: kOpenValues, or half of them
  std::vector<HotTap> taps;  ///< what is marked
  Share share{};             ///< of the far pairs

  /// Fills `group` for the heaps begin .. begin + lanes - 1.
  /// @param mine if not, another rank finds the open sets, and all values stay open here
  void run(FarGroup& group, HeapSize begin, std::size_t lanes, HeapSize border, bool mine) const;
  /// Takes the next slice of the values for a heap of the group: those that no hot tap reaches, or
  /// all of them above the limit and where another rank has marked. @pre group.end[lane] < bound
  void open_next_slice(FarGroup& group, std::size_t lane) const;
  /// Removes what the pairs of `split` with smaller heaps in `range` reach for heap n from open[0],
  /// and so on for the `heaps` from n on.
  void filter(const SplitMove& split, PairRange range, HeapSize n, OpenSet* open,
              std::size_t heaps) const noexcept;

 private:
  void find_far(FarGroup& group, HeapSize border) const;
  void close_next_slices(FarGroup& group) const;
  /// Slices below the limit without the first one.
  [[nodiscard]] std::size_t later_slices() const noexcept { return (limit - 1) / slice; }
  void mark(FarGroup& group, HeapSize border) const;
};

}  // namespace grundy
