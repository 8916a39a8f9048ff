// SPDX-License-Identifier: MIT
#include "engines/heap/sparse/pair_filter.hpp"

#include <algorithm>

namespace grundy::sparse {
namespace {

constexpr std::size_t kPairsAtOnce = 2048;  ///< pairs between two tests whether anything is open

/// Stands for a smaller heap that is rare. Its XOR with a code or with kNoCode is no code.
constexpr std::uint16_t kSmallRare = kNoCode<std::uint16_t> / 2;

}  // namespace

PairFilter::PairFilter(const SparseTable& table, const PhaseShape& shape,
                       const FilterKernels& kernels, const SlidingWindow<std::uint16_t>& codes,
                       HeapIndex begin)
    : splits_(table.moves().splits),
      kernels_(kernels.of<std::uint16_t>()),
      small_(witness_reach(table, shape) + 1),
      kept_(small_ + table.moves().largest_take + 2 * shape.block),
      origin_(begin - static_cast<HeapIndex>(kept_)),
      codes_(small_ + 2 * kept_, kNoCode<std::uint16_t>),
      bytes_(codes_.size()) {
  const Split& split = table.split();
  for (HeapSize a = 0; a < small_; ++a) {
    const Nimber value = table.window()[a];
    const bool common = a > 0 && split.is_common(value, a);
    put(a, common ? static_cast<std::uint16_t>(split.squeeze(value)) : kSmallRare);
  }
  // Without smaller heaps there are no pairs. Then the window may be shorter than kept_.
  if (small_ > 1) set(origin_, codes.at(origin_), kept_);
}

void PairFilter::set(HeapIndex first, const std::uint16_t* codes, std::size_t heaps) noexcept {
  for (std::size_t i = 0; i < heaps; ++i) put(place(first) + i, codes[i]);
}

void PairFilter::advance(HeapIndex end) noexcept {
  if (place(end) <= codes_.size()) return;
  const std::size_t from = place(end) - kept_;
  for (std::size_t i = 0; from + i < codes_.size(); ++i) put(small_ + i, codes_[from + i]);
  origin_ = end - static_cast<HeapIndex>(kept_);
}

void PairFilter::remove_reached(HeapIndex n, std::size_t heaps, OpenSet* open) noexcept {
  const ByteTable bytes = bytes_.view();
  for (const SplitMove& move : splits_) {
    const std::size_t partner = place(n - static_cast<HeapIndex>(move.take));
    for (std::size_t a = 1; a < small_; a += kPairsAtOnce) {
      std::uint32_t which[kRun];
      const std::size_t count = list_open(open, heaps, which);
      if (count == 0) return;
      kernels_.filter_pairs(codes_.data(), bytes, a, partner - a,
                            std::min(kPairsAtOnce, small_ - a), open, which, count);
    }
  }
}

std::size_t PairFilter::list_open(const OpenSet* open, std::size_t heaps,
                                  std::uint32_t* which) noexcept {
  std::uint32_t others[kRun];
  std::size_t count = 0, other_count = 0;
  for (std::size_t first = 0; first < kFilterApart; ++first) {
    const std::size_t before = count;
    for (std::size_t j = first; j < heaps; j += kFilterApart) {
      if (!open[j].empty()) which[count++] = static_cast<std::uint32_t>(j);
    }
    if (count - before == kRun / kFilterApart) continue;
    other_count = static_cast<std::size_t>(
        std::copy(which + before, which + count, others + other_count) - others);
    count = before;
  }
  return static_cast<std::size_t>(std::copy(others, others + other_count, which + count) - which);
}

}  // namespace grundy::sparse
