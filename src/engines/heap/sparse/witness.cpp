// SPDX-License-Identifier: MIT
#include "engines/heap/sparse/witness.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>

namespace grundy::sparse {
namespace {

constexpr std::size_t kStrip = 32;        ///< words of heaps whose rows are looked at together
constexpr HeapSize kFarthest = 1u << 14;  ///< the smaller heap of a pair is less, or less than half
                                          ///< of the window

}  // namespace

HeapSize witness_reach(const SparseTable& table, const PhaseShape& shape) noexcept {
  // Two blocks are a quarter of the window at most, and the reach, which is reported, does not
  // depend on how many heaps a block has.
  const HeapSize lost =
      std::max(2 * shape.block, shape.row_window / 4) + table.moves().largest_take;
  const HeapSize farthest = std::max(kFarthest, shape.row_window / 2);
  return lost < shape.row_window ? std::min(farthest, shape.row_window - lost) - 1 : 0;
}

RowWitness::RowWitness(const SparseTable& table, const PhaseShape& shape,
                       const SparseKernels& kernels, const std::vector<RowPlan>& plans,
                       const SlidingWindow<std::uint8_t>& codes, const BitRows& rows)
    : table_(table),
      code_limit_(shape.code_limit),
      kernels_(kernels),
      plans_(plans),
      codes_(codes),
      rows_(rows) {
  const Split& split = table.split();
  for (HeapSize a = witness_reach(table, shape) / kXorStep * kXorStep; a > 0; --a) {
    const Nimber value = table.window()[a];
    const bool common = split.is_common(value, a);
    small_.push_back(common ? static_cast<std::uint8_t>(split.squeeze(value))
                            : kNoCode<std::uint8_t>);
    common_.push_back(common);
  }
}

/// Whether some option of heap n has the rare value of this code.
bool RowWitness::reached(HeapIndex n, Nimber code) const noexcept {
  for (const SplitMove& move : table_.moves().splits) {
    const std::uint8_t* const partners =
        codes_.at(n - static_cast<HeapIndex>(move.take + small_.size()));
    const std::size_t place =
        kernels_.find_xor(small_.data(), partners, small_.size(), static_cast<std::uint8_t>(code));
    // A small rare heap has no code, whatever stands for it. Rare partners are not hit: either
    // their mark is out of reach for nim-sums of codes, or there are none.
    if (place < small_.size() && common_[place] != 0) return true;
  }
  const auto heap = static_cast<HeapSize>(n);
  return table_.find(heap, table_.split().expand(code, false, heap)) == SparseTable::Search::kFound;
}

HeapIndex RowWitness::check(HeapIndex first, const std::uint8_t* limits, std::size_t heaps,
                            std::size_t share, std::size_t shares) const noexcept {
  HeapIndex failed = first + static_cast<HeapIndex>(heaps);
  // What rows leave is settled many at a time, so that codes stay in the cache, and not rows.
  struct Left {
    HeapIndex n;
    Nimber code;
  };
  std::array<Left, 1024> left;
  std::size_t count = 0;
  const auto settle = [&] {
    for (const Left& l : std::span(left).first(count)) {
      if (l.n < failed && !reached(l.n, l.code)) failed = l.n;
    }
    count = 0;
  };
  for (std::size_t done = 0; done < heaps; done += 64 * kStrip) {
    const std::size_t words = std::min(kStrip, (heaps - done) / 64);
    const HeapIndex begin = first + static_cast<HeapIndex>(done);
    for (auto code = static_cast<Nimber>(share); code < code_limit_;
         code += static_cast<Nimber>(shares)) {
      std::uint64_t open[kStrip];
      std::uint64_t found[kStrip] = {};
      kernels_.greater_bits(limits + done, 64 * words, static_cast<std::uint8_t>(code), open);
      // If no heap has a larger limit, none has one for the next codes.
      if (std::all_of(open, open + words, [](std::uint64_t w) { return w == 0; })) break;
      plans_[code].collect(kernels_, rows_.bytes_at(begin), found, words);
      for (std::size_t w = 0; w < words; ++w) {
        for (std::uint64_t bits = open[w] & ~found[w]; bits != 0; bits &= bits - 1) {
          if (count == left.size()) settle();
          left[count++] = {begin + static_cast<HeapIndex>(w * 64) + std::countr_zero(bits), code};
        }
      }
    }
  }
  settle();
  return failed;
}

MarkWitness::MarkWitness(const SparseTable& table, const PhaseShape& shape,
                         const KernelSet& kernels, const RankedTaps& ranked,
                         const SlidingWindow<std::uint16_t>& codes, HeapIndex begin,
                         std::size_t shares)
    : table_(table),
      mark_kernels_(mark_kernels(kernels)),
      codes_(codes),
      words_((shape.code_limit + 63) / 64),
      stride_(64 * words_ + 64),
      parts_(shares),
      filter_(table, shape, filter_kernels(kernels), codes, begin) {
  std::vector<Tap> taps(ranked.taps.begin(),
                        ranked.taps.begin() + static_cast<std::ptrdiff_t>(ranked.marked));
  std::ranges::sort(taps, {}, [](const Tap& tap) { return std::pair(tap.offset, tap.code); });
  for (const Tap& tap : taps) {
    offsets_.push_back(tap.offset);
    tap_codes_.push_back(static_cast<std::uint16_t>(tap.code));
  }
  for (Part& part : parts_) {
    part.marks.resize(kMarkHeaps * stride_);
    part.open.resize(kMarkHeaps * words_);
  }
}

HeapIndex MarkWitness::check(HeapIndex first, const std::uint16_t* limits, std::size_t heaps,
                             std::size_t share, std::size_t shares) noexcept {
  Part& part = parts_[share];
  const MarkTaps taps{offsets_.data(), tap_codes_.data(), offsets_.size()};
  for (std::size_t i = share * kMarkHeaps; i < heaps; i += shares * kMarkHeaps) {
    const HeapIndex begin = first + static_cast<HeapIndex>(i);
    mark_kernels_.mark(codes_.at(begin), taps, static_cast<std::uint16_t>(64 * words_),
                       part.marks.data(), stride_);
    mark_kernels_.take_unmarked(part.marks.data(), stride_, words_, part.open.data());
    for (std::size_t j = 0; j < kMarkHeaps; ++j) {
      const HeapIndex n = begin + static_cast<HeapIndex>(j);
      if (!reached(n, part.open.data() + words_ * j, limits[i + j])) return n;
    }
  }
  return first + static_cast<HeapIndex>(heaps);
}

/// Whether the open rare codes below `limit` are reached from heap n.
bool MarkWitness::reached(HeapIndex n, const std::uint64_t* open, Nimber limit) noexcept {
  for (Nimber base = 0; base < limit; base += kOpenValues) {
    OpenSet left{{}, base};
    const Nimber end = std::min(limit, base + kOpenValues);
    for (Nimber word = base / 64; 64 * word < end; ++word) {
      std::uint64_t bits = open[word];
      if (end - 64 * word < 64) bits &= (std::uint64_t{1} << (end - 64 * word)) - 1;
      for (; bits != 0; bits &= bits - 1) {
        left.insert(64 * word + static_cast<Nimber>(std::countr_zero(bits)));
      }
    }
    filter_.remove_reached(n, left);
    for (Nimber code = base; code < end; ++code) {
      if (!left.contains(code)) continue;
      const auto heap = static_cast<HeapSize>(n);
      const Nimber value = table_.split().expand(code, false, heap);
      if (table_.find(heap, value) != SparseTable::Search::kFound) return false;
    }
  }
  return true;
}

}  // namespace grundy::sparse
