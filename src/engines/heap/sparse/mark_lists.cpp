// SPDX-License-Identifier: MIT
#include "engines/heap/sparse/mark_lists.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

namespace grundy::sparse {
namespace {

constexpr std::uint16_t kDead = std::numeric_limits<std::uint16_t>::max();

/// Of the taps behind the marked ones so many meet each number of lists, the larger ones first.
constexpr std::size_t kStageTaps[] = {1024, 2048, 8192};

std::size_t stage_of(std::size_t behind) noexcept {
  std::size_t stage = 0;
  for (const std::size_t taps : kStageTaps) {
    if (behind < taps) break;
    behind -= taps;
    ++stage;
  }
  return stage;
}

constexpr auto by_place = [](const Tap& tap) { return std::pair(tap.offset, tap.code); };

}  // namespace

MarkLists::MarkLists(const PhaseShape& shape, const SparseKernels& kernels, const TapLevels& levels,
                     const MarkKernels& marks, const RankedTaps& ranked, Nimber limit,
                     const SlidingWindow<Code>& codes)
    : block_(shape.block),
      kernels_(kernels.of<Code>()),
      mark_kernels_(marks),
      levels_(levels),
      codes_(codes),
      words_(std::max<std::size_t>(1, (limit + 63) / 64)),
      stride_(64 * words_ + 64),
      part_(std::max(kLeastPart, block_ / kMostParts / 64 * 64)),
      parts_((block_ + part_ - 1) / part_),
      lists_(2 * block_ * kCandidates) {
  for (const Tap& tap : levels.from_64) {
    if (tap.offset >= 2 * block_) far_.push_back(tap);
  }
  std::ranges::sort(far_, {}, by_place);
  std::vector<std::uint8_t> taken(far_.size());
  std::vector<Tap> marked;
  std::vector<Tap> stages[kStages];
  for (std::size_t i = 0; i < ranked.taps.size(); ++i) {
    const auto place = std::ranges::lower_bound(far_, by_place(ranked.taps[i]), {}, by_place);
    if (place == far_.end() || by_place(*place) != by_place(ranked.taps[i])) continue;
    taken[static_cast<std::size_t>(place - far_.begin())] = 1;
    const std::size_t behind = i - std::min(i, ranked.marked);
    (i < ranked.marked ? marked : stages[stage_of(behind)]).push_back(ranked.taps[i]);
  }
  for (std::size_t i = 0; i < far_.size(); ++i) {
    if (taken[i] != 0) continue;
    const bool room = stages[kStages - 2].size() < kStageTaps[kStages - 2];
    stages[room ? kStages - 2 : kStages - 1].push_back(far_[i]);
  }
  std::ranges::sort(marked, {}, by_place);
  for (const Tap& tap : marked) {
    marked_offsets_.push_back(tap.offset);
    marked_codes_.push_back(static_cast<Code>(tap.code));
  }
  for (std::size_t i = 0; i < kStages; ++i) stages_[i] = TapList(std::move(stages[i]));
  for (Part& part : parts_) {
    part.marks.resize(kMarkHeaps * stride_);
    part.open.resize(kMarkHeaps * words_);
    part.seen.resize(std::size_t{kDead} + 1);
  }
}

void MarkLists::far(HeapIndex begin, std::size_t part) noexcept {
  const HeapIndex first = begin + static_cast<HeapIndex>(part * part_);
  const HeapIndex end =
      std::min(first + static_cast<HeapIndex>(part_), begin + static_cast<HeapIndex>(block_));
  for (HeapIndex n = first; n < end; n += 64) {
    Code lists[kLists * kList];
    for (std::size_t j = 0; j < 64; j += kMarkHeaps) list(n, j, parts_[part], lists);
    std::size_t count = kLists;
    for (const TapList& taps : stages_) {
      for (std::size_t i = 0; i < count; ++i) {
        kernels_.eliminate(codes_.at(n), taps.view(), lists + i * kList, 64 / kHeaps);
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
      if (all == kDead) list_from_all(n + static_cast<HeapIndex>(j), parts_[part], own + place(j));
    }
  }
}

/// Lists the least codes that marked taps leave open, for the heaps from n + first on.
void MarkLists::list(HeapIndex n, std::size_t first, Part& part, Code* lists) const noexcept {
  const MarkTaps taps{marked_offsets_.data(), marked_codes_.data(), marked_codes_.size()};
  mark_kernels_.mark(codes_.at(n) + first, taps, static_cast<Code>(64 * words_), part.marks.data(),
                     stride_);
  mark_kernels_.take_unmarked(part.marks.data(), stride_, words_, part.open.data());
  for (std::size_t j = 0; j < kMarkHeaps; ++j) {
    Code* const own = lists + place(first + j);
    const std::uint64_t* const open = part.open.data() + words_ * j;
    std::size_t word = 0;
    std::uint64_t left = open[0];
    for (std::size_t c = 0; c < kLists * kCandidates; ++c) {
      while (left == 0 && word + 1 < words_) left = open[++word];
      own[slot(c)] =
          left == 0
              ? kDead
              : static_cast<Code>(64 * word + static_cast<std::size_t>(std::countr_zero(left)));
      left &= left - 1;
    }
  }
}

/// Puts the candidates that are left into as many of the first `kept` lists as they need.
void MarkLists::close_gaps(Code* lists, std::size_t count, std::size_t kept) noexcept {
  for (std::size_t j = 0; j < 64; ++j) {
    Code* const own = lists + place(j);
    std::size_t next = 0;
    for (std::size_t c = 0; c < count * kCandidates; ++c) {
      const Code code = own[slot(c)];
      own[slot(next)] = code;  // stays if a candidate follows
      next += code != kDead ? 1 : 0;
      if (next == kept * kCandidates) break;
    }
    for (; next < kept * kCandidates; ++next) own[slot(next)] = kDead;
  }
}

/// The least codes of heap n that no far tap reaches.
void MarkLists::list_from_all(HeapIndex n, Part& part, Code* own) const noexcept {
  std::fill_n(part.seen.begin(), 64 * words_, std::uint8_t{0});
  const Code* const here = codes_.at(n);
  std::uint8_t* const seen = part.seen.data();
  for (const Tap& tap : far_) seen[here[-static_cast<HeapIndex>(tap.offset)] ^ tap.code] = 1;
  std::size_t listed = 0;
  for (std::size_t code = 0; code < 64 * words_ && listed < kCandidates; ++code) {
    if (seen[code] == 0) own[listed++ * kHeaps] = static_cast<Code>(code);
  }
}

}  // namespace grundy::sparse
