/// @file
/// The far phase of the dense engine. For a group of consecutive heaps it finds the values that no
/// far pair reaches. A pair is *far* if both of its heaps lie below a border that was final before
/// the phase began. So groups are independent of each other.
///
/// There are two steps. Hot taps (hot_taps.hpp) mark some options of every heap. The values that
/// they leave without a witness form open sets, each for a *slice* of the values. Then every far
/// pair is filtered through the first slice; the few pairs that reach an open value close it. No
/// far pair reaches the values that stay open, and all other values of the slice have a witness. If
/// no value stays open, the next slice follows. The result is exact, whatever taps were learned.
///
/// Splits that remove different numbers look at the same pairs (LaggedSplits), so each pair is
/// looked at once: by the first split, for all heaps that some split leads to it. Heap n - lag is
/// then a *stand-in* of heap n. It looks for the union of what is open for those for which it
/// stands in.
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

/// The most heaps of a group.
inline constexpr HeapSize kGroup = 256;

/// Pairs of one split, by their smaller heap.
struct PairRange {
  HeapSize begin = 0;
  HeapSize end = 0;
};

/// The share of one rank in a far phase (company.hpp). The groups of a block are dealt to `parts`
/// parts, and the far pairs of the groups to `pair_parts` parts.
struct Share {
  std::uint64_t part = 0, parts = 1;
  std::uint64_t pair_part = 0, pair_parts = 1;

  /// Whether this rank finds the open sets of a group of its block.
  [[nodiscard]] bool has(std::size_t group) const noexcept { return group % parts == part; }
  [[nodiscard]] PairRange of(PairRange all) const noexcept;
};

/// Results and working space of one group of heaps; reused from block to block.
struct FarGroup {
  HeapSize begin = 0;          ///< first heap
  std::size_t lanes = 0;       ///< number of heaps
  std::vector<PairRange> far;  ///< by split: the pairs that were far for every heap
  /// By lane: the values of a slice that no far pair reaches. If no value of a slice is open, the
  /// next slice is taken.
  std::vector<OpenSet> open;
  std::vector<std::uint32_t> end;  ///< by lane: of the slice; it has all smaller open values
  /// By stand-in, of which there is one for each lane and, before these, one for each token of the
  /// longest lag: the values of the first slice that no hot tap reaches under the first split.
  std::vector<OpenSet> first;
  /// The same for each other slice below the limit.
  std::vector<OpenSet> later;

  std::vector<std::uint8_t> marks;
  std::vector<OpenSet> sets, unions;  ///< for filter_shared(): open sets by lane, their unions
};

/// The least value of a set.
std::optional<std::size_t> least(const OpenSet& open) noexcept;

/// The data that all groups of an epoch share. Values below `border` are read; all must be below
/// `bound`.
template <class T>
struct FarPhase {
  const TwoHeapMoves& moves;
  const FilterKernels& kernels;
  const T* values;
  ByteTable bytes;
  std::size_t bound;                  ///< bound of the values; a power of two
  std::size_t limit;                  ///< limit of the values that taps mark; at most the bound
  std::size_t slice;                  ///< number of values in a slice: kOpenValues, or half of that
  std::vector<HotTap> taps;           ///< the taps that mark values
  Share share{};                      ///< the share of this rank in the far pairs
  LaggedSplits lagged{moves.splits};  ///< if shared, the first split looks at all far pairs

  /// Fills `group` for the heaps begin .. begin + lanes - 1.
  /// @param mine if false, another rank finds the open sets, and all values stay open here
  void run(FarGroup& group, HeapSize begin, std::size_t lanes, HeapSize border, bool mine) const;
  /// Takes the next slice of the values for a heap of the group: the values that no hot tap
  /// reaches, or all values if they are above the limit or another rank has marked.
  /// @pre group.end[lane] < bound
  void open_next_slice(FarGroup& group, std::size_t lane) const;
  /// Removes from `open` the values that the pairs of `split` with smaller heaps in `range` reach
  /// for heap n.
  void filter(const SplitMove& split, PairRange range, HeapSize n, OpenSet& open) const noexcept {
    filter(split, range, n, &open, kOneHeap);
  }

 private:
  using Lanes = std::span<const std::uint32_t>;

  /// Removes from open[l] the values that these pairs reach for heap n + l, for some lanes l.
  void filter(const SplitMove& split, PairRange range, HeapSize n, OpenSet* open,
              Lanes lanes) const noexcept;
  void find_far(FarGroup& group, HeapSize border) const;
  void filter_far(FarGroup& group, Lanes lanes) const;
  template <class After>
  void filter_pieces(const SplitMove& split, PairRange pairs, HeapSize n, OpenSet* open,
                     Lanes lanes, const After& after) const;
  void filter_shared(FarGroup& group, Lanes lanes) const;
  template <class OpenOf>
  [[nodiscard]] OpenSet of_lane(std::size_t lane, const OpenOf& open_of) const;
  void close_next_slices(FarGroup& group) const;
  /// The number of slices below the limit, without the first one.
  [[nodiscard]] std::size_t later_slices() const noexcept { return (limit - 1) / slice; }
  void mark(FarGroup& group, HeapSize border) const;
};

}  // namespace grundy
