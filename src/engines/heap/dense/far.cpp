// SPDX-License-Identifier: MIT
#include "engines/heap/dense/far.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <span>

#include "kernels/kernels.hpp"

namespace grundy {
namespace {

/// Number of heaps that are marked together: this many byte maps stay in the first-level cache.
constexpr std::size_t kMarked = 16;
/// Number of pairs in a piece, which stays in the first-level cache while all heaps of a group are
/// filtered through it. The first pieces are smaller, because a set that has just shrunk is read
/// again.
constexpr HeapSize kFirstPiece = 256;
constexpr HeapSize kPiece = 2048;
/// Pieces begin at multiples of this, so that half of the loads are aligned.
constexpr HeapSize kAlignment = 64;

/// The lanes 0 .. count - 1, those that share loads next to each other.
std::vector<std::uint32_t> spaced(std::size_t count) {
  std::vector<std::uint32_t> lanes;
  for (std::uint32_t first = 0; first < kFilterApart; ++first) {
    for (std::uint32_t lane = first; lane < count; lane += kFilterApart) lanes.push_back(lane);
  }
  return lanes;
}

}  // namespace

std::optional<std::size_t> least(const OpenSet& open) noexcept {
  for (std::uint32_t half = 0; half < kOpenValues; half += 8 * kOpenRow) {
    const std::span bytes(open.bytes + OpenSet::byte_of(half), kOpenRow);
    std::uint8_t rows = 0;
    for (const std::uint8_t byte : bytes) rows |= byte;
    if (rows == 0) continue;
    const int row = std::countr_zero(rows);
    std::size_t i = 0;
    while ((bytes[i] >> row & 1) == 0) ++i;
    return open.base + half + kOpenRow * static_cast<std::size_t>(row) + i;
  }
  return std::nullopt;
}

PairRange Share::of(PairRange all) const noexcept {
  const auto border = [&](std::uint64_t k) {
    if (k == 0) return all.begin;
    if (k == pair_parts) return all.end;
    const HeapSize at = all.begin + (all.end - all.begin) / pair_parts * k;
    return std::max(all.begin, at / kAlignment * kAlignment);
  };
  return {border(pair_part), border(pair_part + 1)};
}

template <class T>
void FarPhase<T>::run(FarGroup& group, HeapSize begin, std::size_t lanes, HeapSize border,
                      bool mine) const {
  group.begin = begin;
  group.lanes = lanes;
  find_far(group, border);
  if (!mine) {
    group.open.resize(lanes);
    // Ones change nothing when ranks intersect their sets.
    for (OpenSet& open : group.open) std::ranges::fill(open.bytes, std::uint8_t{0xff});
    group.end.assign(lanes, std::numeric_limits<std::uint32_t>::max());
    group.later.clear();
    return;
  }
  mark(group, border);
  group.end.assign(lanes, static_cast<std::uint32_t>(std::min(limit, slice)));
  filter_far(group, spaced(lanes));
  // A rank that shares pairs with others cannot know alone that nothing is open.
  if (share.pair_parts == 1) close_next_slices(group);
}

/// Filters the heaps of some lanes through the far pairs, piece by piece.
template <class T>
void FarPhase<T>::filter_far(FarGroup& group, Lanes lanes) const {
  for (std::size_t i = 0; i < moves.splits.size(); ++i) {
    const auto [first, end] = share.of(group.far[i]);
    HeapSize step = kFirstPiece;
    for (HeapSize a = first; a < end; step = std::min(2 * step, kPiece)) {
      const HeapSize next = std::min(end, (a + step) / kAlignment * kAlignment);
      filter(moves.splits[i], {a, next}, group.begin, group.open.data(), lanes);
      a = next;
    }
  }
}

/// Takes the heaps without an open value through the next slices.
template <class T>
void FarPhase<T>::close_next_slices(FarGroup& group) const {
  const std::vector<std::uint32_t> all = spaced(group.lanes);
  for (;;) {
    std::vector<std::uint32_t> lanes;
    for (const std::uint32_t lane : all) {
      if (group.end[lane] == bound || least(group.open[lane])) continue;
      open_next_slice(group, lane);
      lanes.push_back(lane);
    }
    if (lanes.empty()) return;
    filter_far(group, lanes);
  }
}

template <class T>
void FarPhase<T>::open_next_slice(FarGroup& group, std::size_t lane) const {
  const std::size_t from = group.end[lane];
  const std::size_t index = from / slice;
  const std::size_t end_of_slice = (index + 1) * slice;
  OpenSet& open = group.open[lane];
  if (from < limit && !group.later.empty()) {
    open = group.later[lane * later_slices() + index - 1];
    group.end[lane] = static_cast<std::uint32_t>(std::min(limit, end_of_slice));
    return;
  }
  const std::size_t end = std::min(bound, end_of_slice);
  open = {{}, static_cast<std::uint32_t>(index * slice)};
  for (std::size_t value = from; value < end; ++value) {
    open.insert(static_cast<std::uint32_t>(value));
  }
  group.end[lane] = static_cast<std::uint32_t>(end);
}

template <class T>
void FarPhase<T>::find_far(FarGroup& group, HeapSize border) const {
  group.far.clear();
  const HeapSize end = group.begin + group.lanes;
  for (const SplitMove& split : moves.splits) {
    // The partner of a must be below the border for the last heap, and larger than a for the first
    // heap. Then both hold for every heap of the group.
    PairRange far;
    far.begin = std::max<HeapSize>(1, end - std::min(end, border + split.take));
    far.end = std::min(SplitMove{split.take, true}.pairs(group.begin) + 1,
                       border - std::min<HeapSize>(border, kReadSlack));
    if (far.end <= far.begin) far = {1, 1};
    group.far.push_back(far);
  }
}

/// Opens the values that the hot taps do not reach.
template <class T>
void FarPhase<T>::mark(FarGroup& group, HeapSize border) const {
  const HeapSize end = group.begin + group.lanes;
  std::vector<std::uint64_t> offsets;
  std::vector<T> keys;
  for (const HotTap& tap : taps) {
    const HeapSize offset = tap.take + tap.first;
    // The partner must be final for the last heap, and must exist for the first.
    if (tap.first >= border || group.begin <= offset || end > border + offset) continue;
    const HeapSize twice = tap.take + 2 * tap.first;
    if (tap.unequal && group.begin <= twice && twice < end) continue;
    offsets.push_back(offset);
    keys.push_back(values[tap.first]);
  }
  // Marks are clear between uses, except above the limit, where nothing is read.
  const std::size_t rows = (limit + kOpenRow - 1) / kOpenRow;
  const std::size_t stride = std::max<std::size_t>(bound, kOpenRow);
  group.marks.resize(kMarked * stride);
  group.open.resize(group.lanes);
  group.later.resize(group.lanes * later_slices());
  for (std::size_t lane = 0; lane < group.lanes; lane += kMarked) {
    const std::size_t some = std::min(kMarked, group.lanes - lane);
    std::uint8_t* marks = group.marks.data();
    kernels.of<T>().mark_taps(values + group.begin + lane, offsets.data(), keys.data(), keys.size(),
                              some, marks, stride);
    for (std::size_t j = lane; j < lane + some; ++j, marks += stride) {
      std::fill(marks + limit, marks + rows * kOpenRow, std::uint8_t{1});
      for (std::size_t index = 0; index <= later_slices(); ++index) {
        const std::size_t first = index * slice / kOpenRow;
        OpenSet& open = index == 0 ? group.open[j] : group.later[j * later_slices() + index - 1];
        open.base = static_cast<std::uint32_t>(index * slice);
        kernels.take_unmarked(marks + first * kOpenRow, std::min(rows - first, slice / kOpenRow),
                              open);
      }
    }
  }
}

template <class T>
void FarPhase<T>::filter(const SplitMove& split, PairRange range, HeapSize n, OpenSet* open,
                         Lanes lanes) const noexcept {
  if (range.end <= range.begin) return;
  kernels.of<T>().filter_pairs(values, bytes, range.begin, n - split.take - range.begin,
                               range.end - range.begin, open, lanes.data(), lanes.size());
}

template struct FarPhase<std::uint8_t>;
template struct FarPhase<std::uint16_t>;
template struct FarPhase<std::uint32_t>;

}  // namespace grundy
