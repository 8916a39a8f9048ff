// SPDX-License-Identifier: MIT
#include "engines/heap/sparse/pair_filter.hpp"

#include <algorithm>
#include <cstring>
#include <span>

#include "engines/heap/in_fours.hpp"

namespace grundy::sparse {
namespace {

constexpr std::size_t kPairsAtOnce = 2048;  ///< pairs between two tests whether anything is open

/// Stands for a smaller heap that is rare. Its XOR with a code or with kNoCode is no code.
constexpr std::uint16_t kSmallRare = kNoCode<std::uint16_t> / 2;

}  // namespace

PairFilter::PairFilter(const SparseTable& table, const PhaseShape& shape,
                       const FilterKernels& kernels, const SlidingWindow<std::uint16_t>& codes,
                       HeapIndex begin)
    : lagged_(table.moves().splits),
      kernels_(kernels),
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
  if (!lagged_.are_shared()) {
    for (const SplitMove& move : lagged_.splits) filter(move, n, heaps, open, [] {});
    return;
  }
  OpenSet unions[kRun + LaggedSplits::kLongestLag];
  const std::size_t longest = lagged_.longest_lag();
  std::memset(unions, 0xff, (heaps + longest) * sizeof *unions);
  for (OpenSet& all : std::span(unions).first(heaps + longest)) all.base = open->base;
  const auto pass_on = [&] {
    kernels_.pass_on({unions, lagged_.lags.data(), lagged_.lags.size()}, open, heaps);
  };
  pass_on();
  filter(lagged_.splits.front(), n - static_cast<HeapIndex>(longest), heaps + longest, unions,
         pass_on);
}

template <class After>
void PairFilter::filter(const SplitMove& move, HeapIndex n, std::size_t heaps, OpenSet* open,
                        const After& after) noexcept {
  const ByteTable bytes = bytes_.view();
  const std::size_t partner = place(n - static_cast<HeapIndex>(move.take));
  for (std::size_t a = 1; a < small_; a += kPairsAtOnce) {
    std::uint32_t which[kRun + LaggedSplits::kLongestLag];
    const std::size_t count = in_fours(
        heaps, [&](std::size_t j) { return !open[j].empty(); }, which);
    if (count == 0) return;
    kernels_.of<std::uint16_t>().filter_pairs(codes_.data(), bytes, a, partner - a,
                                              std::min(kPairsAtOnce, small_ - a), open, which,
                                              count);
    after();
  }
}

}  // namespace grundy::sparse
