// SPDX-License-Identifier: MIT
#include "engines/heap/sparse/mark_lists.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

namespace grundy::sparse {
namespace {

/// A place of a list without a candidate.
constexpr std::uint16_t kDead = std::numeric_limits<std::uint16_t>::max();

/// The number of taps of each pass except the last one, which has all other taps. Earlier passes
/// have the taps with better ranks.
constexpr std::size_t kPassTaps[] = {1024, 2048, 8192};

/// The pass of a tap that does not mark, with `before` such taps ranked before it.
std::size_t pass_of(std::size_t before) noexcept {
  std::size_t pass = 0;
  for (const std::size_t taps : kPassTaps) {
    if (before < taps) break;
    before -= taps;
    ++pass;
  }
  return pass;
}

/// The taps with partners two blocks back or more, by place.
std::vector<Tap> far_taps(const TapLevels& levels, HeapSize block) {
  std::vector<Tap> far;
  for (const Tap& tap : levels.from_64) {
    if (tap.offset >= 2 * block) far.push_back(tap);
  }
  std::ranges::sort(far, {}, by_place);
  return far;
}

/// The far taps that mark.
std::vector<Tap> marking_taps(const RankedTaps& ranked, const std::vector<Tap>& far) {
  std::vector<Tap> marking = ranked.marking();
  std::erase_if(marking, [&](const Tap& tap) { return !contains(far, tap); });
  return marking;
}

}  // namespace

MarkLists::MarkLists(const PhaseShape& shape, const TapKernels& kernels, const TapLevels& levels,
                     const RankedTaps& ranked, Nimber limit, const SlidingWindow<Code>& codes)
    : block_(shape.block),
      kernels_(kernels),
      levels_(levels),
      codes_(codes),
      parts_(block_, kLeastPart, kMostParts),
      far_(far_taps(levels, block_)),
      open_(kernels, codes, marking_taps(ranked, far_), limit, parts_.count()),
      seen_(parts_.count(), std::vector<std::uint8_t>(std::size_t{kDead} + 1)),
      lists_(2 * block_ * kCandidates) {
  std::vector<Tap> passes[kPasses];
  for (std::size_t i = ranked.marked; i < ranked.taps.size(); ++i) {
    if (contains(far_, ranked.taps[i]))
      passes[pass_of(i - ranked.marked)].push_back(ranked.taps[i]);
  }
  std::vector<Tap> by_rank = ranked.taps;
  std::ranges::sort(by_rank, {}, by_place);
  for (const Tap& tap : far_) {
    if (contains(by_rank, tap)) continue;
    const bool room = passes[kPasses - 2].size() < kPassTaps[kPasses - 2];
    passes[room ? kPasses - 2 : kPasses - 1].push_back(tap);
  }
  for (std::size_t i = 0; i < kPasses; ++i) passes_[i] = TapList(std::move(passes[i]));
}

void MarkLists::far(HeapIndex begin, std::size_t part) noexcept {
  const auto [first, end] = parts_.heaps(begin, part);
  for (HeapIndex n = first; n < end; n += 64) {
    Code lists[kLists * kList];
    for (std::size_t j = 0; j < 64; j += kMarkHeaps) list_open(n, j, part, lists);
    std::size_t count = kLists;
    for (const TapList& taps : passes_) {
      for (std::size_t i = 0; i < count; ++i) {
        kernels_.of<Code>().eliminate(codes_.at(n), taps.view(), lists + i * kList, 64 / kHeaps);
      }
      if (count > 1) {
        close_gaps(lists, count, count / 2);
        count /= 2;
      }
    }
    Code* const own = at(n);
    std::copy_n(lists, kList, own);
    for (std::size_t j = 0; j < 64; ++j) {
      Code all = kDead;
      for (std::size_t c = 0; c < kCandidates; ++c) all &= own[place(j) + c * kHeaps];
      if (all == kDead) list_from_all(n + static_cast<HeapIndex>(j), part, own + place(j));
    }
  }
}

/// Lists the least codes that the marks leave open, for kMarkHeaps heaps from n + first on.
void MarkLists::list_open(HeapIndex n, std::size_t first, std::size_t part, Code* lists) noexcept {
  const std::size_t words = open_.words();
  const std::uint64_t* open = open_.find(n + static_cast<HeapIndex>(first), part);
  for (std::size_t j = 0; j < kMarkHeaps; ++j, open += words) {
    Code* const own = lists + place(first + j);
    std::size_t word = 0;
    std::uint64_t left = open[0];
    for (std::size_t c = 0; c < kLists * kCandidates; ++c) {
      while (left == 0 && word + 1 < words) left = open[++word];
      own[slot(c)] =
          left == 0
              ? kDead
              : static_cast<Code>(64 * word + static_cast<std::size_t>(std::countr_zero(left)));
      left &= left - 1;
    }
  }
}

/// Moves the remaining candidates to the front, into the first `kept` lists.
void MarkLists::close_gaps(Code* lists, std::size_t count, std::size_t kept) noexcept {
  for (std::size_t j = 0; j < 64; ++j) {
    Code* const own = lists + place(j);
    std::size_t next = 0;
    for (std::size_t c = 0; c < count * kCandidates; ++c) {
      const Code code = own[slot(c)];
      own[slot(next)] = code;  // overwritten by the next code if this one is dead
      next += code != kDead ? 1 : 0;
      if (next == kept * kCandidates) break;
    }
    for (; next < kept * kCandidates; ++next) own[slot(next)] = kDead;
  }
}

/// Lists the least codes of heap n that no far tap reaches.
void MarkLists::list_from_all(HeapIndex n, std::size_t part, Code* own) noexcept {
  std::uint8_t* const seen = seen_[part].data();
  std::fill_n(seen, limit(), std::uint8_t{0});
  const Code* const here = codes_.at(n);
  for (const Tap& tap : far_) seen[here[-static_cast<HeapIndex>(tap.offset)] ^ tap.code] = 1;
  std::size_t listed = 0;
  for (std::size_t code = 0; code < limit() && listed < kCandidates; ++code) {
    if (seen[code] == 0) own[listed++ * kHeaps] = static_cast<Code>(code);
  }
}

}  // namespace grundy::sparse
