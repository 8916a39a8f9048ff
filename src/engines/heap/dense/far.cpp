// SPDX-License-Identifier: MIT
#include "engines/heap/dense/far.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <span>

#include "engines/heap/in_fours.hpp"
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
/// What unions have lost is passed on when the pairs since the last time are one part of so many of
/// all pairs so far. At first sets shrink quickly.
constexpr HeapSize kPassOn = 8;
/// Pieces begin at multiples of this, so that half of the loads are aligned.
constexpr HeapSize kAlignment = 64;

/// The lanes, or stand-ins, below `count` that are wanted, in the order of in_fours().
template <class Wanted>
std::vector<std::uint32_t> list(std::size_t count, const Wanted& wanted) {
  std::vector<std::uint32_t> which(count);
  which.resize(in_fours(count, wanted, which.data()));
  return which;
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
  filter_far(group, list(lanes, [](std::size_t) { return true; }));
  // A rank that shares pairs with others cannot know alone that nothing is open.
  if (share.pair_parts == 1) close_next_slices(group);
}

/// Filters the heaps of some lanes through the far pairs.
template <class T>
void FarPhase<T>::filter_far(FarGroup& group, Lanes lanes) const {
  // Few heaps have few neighbours with which they could share pairs.
  if (lagged.are_shared() && 4 * lanes.size() > group.lanes) {
    filter_shared(group, lanes);
    return;
  }
  for (std::size_t i = 0; i < moves.splits.size(); ++i) {
    filter_pieces(moves.splits[i], group.far[i], group.begin, group.open.data(), lanes,
                  [](PairRange) {});
  }
}

/// Filters heaps n + lane through these pairs, piece by piece. Calls `after` with all pairs so far.
template <class T>
template <class After>
void FarPhase<T>::filter_pieces(const SplitMove& split, PairRange pairs, HeapSize n, OpenSet* open,
                                Lanes lanes, const After& after) const {
  const auto [first, end] = share.of(pairs);
  HeapSize step = kFirstPiece;
  for (HeapSize a = first; a < end; step = std::min(2 * step, kPiece)) {
    const HeapSize next = std::min(end, (a + step) / kAlignment * kAlignment);
    filter(split, {a, next}, n, open, lanes);
    after(PairRange{first, next});
    a = next;
  }
}

/// The same as filter_far() for splits that share pairs. Heap n - lag looks under the first split
/// for what is open for heap n, for each lag. What it does not look for any more is passed on.
template <class T>
void FarPhase<T>::filter_shared(FarGroup& group, Lanes lanes) const {
  const std::size_t stand_ins = group.lanes + lagged.longest_lag();
  std::vector<std::uint32_t> left(lanes.begin(), lanes.end());
  while (!left.empty()) {
    // Only sets with one base have unions.
    const std::uint32_t base = group.open[left.front()].base;
    const auto others = std::partition(left.begin(), left.end(), [&](std::uint32_t lane) {
      return group.open[lane].base == base;
    });
    const std::span now(left.begin(), others);
    group.sets.assign(group.lanes, OpenSet{{}, base});
    for (const std::uint32_t lane : now) group.sets[lane] = group.open[lane];
    group.unions.assign(stand_ins, OpenSet{{}, base});
    for (OpenSet& all : group.unions) std::ranges::fill(all.bytes, std::uint8_t{0xff});
    const auto pass_on = [&] {
      kernels.pass_on({group.unions.data(), lagged.lags.data(), lagged.lags.size()},
                      group.sets.data(), group.lanes);
    };
    pass_on();
    const std::vector<std::uint32_t> open =
        list(stand_ins, [&](std::size_t k) { return !group.unions[k].empty(); });
    HeapSize passed = 0;  // the pairs before it
    filter_pieces(moves.splits.front(), group.far.front(), group.begin - lagged.longest_lag(),
                  group.unions.data(), open, [&](PairRange so_far) {
                    const HeapSize since = so_far.end - std::max(passed, so_far.begin);
                    if (since * kPassOn < so_far.end - so_far.begin) return;
                    pass_on();
                    passed = so_far.end;
                  });
    pass_on();
    for (const std::uint32_t lane : now) group.open[lane] = group.sets[lane];
    left.erase(left.begin(), others);
  }
}

/// Takes the heaps without an open value through the next slices.
template <class T>
void FarPhase<T>::close_next_slices(FarGroup& group) const {
  for (;;) {
    const std::vector<std::uint32_t> lanes = list(group.lanes, [&](std::size_t lane) {
      if (group.end[lane] == bound || least(group.open[lane])) return false;
      open_next_slice(group, lane);
      return true;
    });
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
    open = of_lane(lane, [&](std::size_t k) -> const OpenSet& {
      return group.later[k * later_slices() + index - 1];
    });
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

/// What is open for the heap of a lane: what `open_of` tells for all of its stand-ins.
template <class T>
template <class OpenOf>
OpenSet FarPhase<T>::of_lane(std::size_t lane, const OpenOf& open_of) const {
  const std::size_t own = lane + lagged.longest_lag();
  OpenSet open = open_of(own);
  for (const HeapSize lag : lagged.lags) open.keep(open_of(own - lag));
  return open;
}

template <class T>
void FarPhase<T>::find_far(FarGroup& group, HeapSize border) const {
  group.far.clear();
  const HeapSize end = group.begin + group.lanes;
  for (const SplitMove& split : moves.splits) {
    // The partner of a must be below the border for the last heap, and larger than a for the first
    // heap. Then both hold for every heap of the group, and for every split that shares pairs.
    PairRange far;
    const bool shared = lagged.are_shared();
    const HeapSize least = (shared ? moves.splits.front() : split).take;
    const HeapSize most = (shared ? moves.splits.back() : split).take;
    far.begin = std::max<HeapSize>(1, end - std::min(end, border + least));
    far.end = std::min(SplitMove{most, true}.pairs(group.begin) + 1,
                       border - std::min<HeapSize>(border, kReadSlack));
    if (far.end <= far.begin) far = {1, 1};
    group.far.push_back(far);
  }
}

/// Opens the values that the hot taps do not reach.
template <class T>
void FarPhase<T>::mark(FarGroup& group, HeapSize border) const {
  const HeapSize longest = std::min(group.begin, lagged.longest_lag());
  const HeapSize begin = group.begin - longest;
  const HeapSize end = group.begin + group.lanes;
  std::vector<std::uint64_t> offsets;
  std::vector<T> keys;
  for (const HotTap& tap : taps) {
    const HeapSize offset = tap.take + tap.first;
    // The partner must be final for the last heap, and must exist for the first.
    if (tap.first >= border || begin <= offset || end > border + offset) continue;
    const HeapSize twice = tap.take + 2 * tap.first;
    if (tap.unequal && begin <= twice && twice < end) continue;
    offsets.push_back(offset);
    keys.push_back(values[tap.first]);
  }
  // Marks are clear between uses, except above the limit, where nothing is read.
  const std::size_t rows = (limit + kOpenRow - 1) / kOpenRow;
  const std::size_t stride = std::max<std::size_t>(bound, kOpenRow);
  group.marks.resize(kMarked * stride);
  const std::size_t stand_ins = group.lanes + lagged.longest_lag();
  group.first.resize(stand_ins);
  group.later.resize(stand_ins * later_slices());
  for (std::size_t k = 0; k < stand_ins; k += kMarked) {
    const std::size_t some = std::min(kMarked, stand_ins - k);
    std::uint8_t* marks = group.marks.data();
    // Heaps below the longest lag have no taps.
    kernels.of<T>().mark_taps(values + begin + k, offsets.data(), keys.data(), keys.size(), some,
                              marks, stride);
    for (std::size_t j = k; j < k + some; ++j, marks += stride) {
      std::fill(marks + limit, marks + rows * kOpenRow, std::uint8_t{1});
      for (std::size_t index = 0; index <= later_slices(); ++index) {
        const std::size_t first = index * slice / kOpenRow;
        OpenSet& open = index == 0 ? group.first[j] : group.later[j * later_slices() + index - 1];
        open.base = static_cast<std::uint32_t>(index * slice);
        kernels.take_unmarked(marks + first * kOpenRow, std::min(rows - first, slice / kOpenRow),
                              open);
      }
    }
  }
  group.open.resize(group.lanes);
  for (std::size_t lane = 0; lane < group.lanes; ++lane) {
    group.open[lane] =
        of_lane(lane, [&](std::size_t k) -> const OpenSet& { return group.first[k]; });
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
