/// @file
/// Witnesses from marks, for many codes.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>

#include "engines/heap/sparse/open_codes.hpp"
#include "engines/heap/sparse/pair_filter.hpp"
#include "engines/heap/sparse/witness.hpp"
#include "kernels/kernels.hpp"

namespace grundy::sparse {
namespace {

class MarkWitness final : public Witness<std::uint16_t> {
 public:
  MarkWitness(const SparseTable& table, const PhaseShape& shape, const KernelSet& kernels,
              const RankedTaps& ranked, const SlidingWindow<std::uint16_t>& codes, HeapIndex begin,
              std::size_t shares)
      : table_(table),
        codes_(codes),
        open_(kernels.taps, codes, ranked.marking(), shape.code_limit, shares),
        filter_(table, shape, kernels.filters, codes, begin) {}

  void publish(HeapIndex first, std::size_t heaps) noexcept override {
    filter_.set(first, codes_.at(first), heaps);
  }

  HeapIndex check(HeapIndex first, const std::uint16_t* limits, std::size_t heaps,
                  std::size_t share, std::size_t shares) noexcept override {
    for (std::size_t i = share * kMarkHeaps; i < heaps; i += shares * kMarkHeaps) {
      const HeapIndex begin = first + static_cast<HeapIndex>(i);
      const std::uint64_t* open = open_.find(begin, share);
      for (std::size_t j = 0; j < kMarkHeaps; ++j, open += open_.words()) {
        const HeapIndex n = begin + static_cast<HeapIndex>(j);
        if (!reached(n, open, limits[i + j])) return n;
      }
    }
    return first + static_cast<HeapIndex>(heaps);
  }

  void advance(HeapIndex end) override { filter_.advance(end); }

 private:
  /// Whether the open rare codes below `limit` are reached from heap n.
  [[nodiscard]] bool reached(HeapIndex n, const std::uint64_t* open, Nimber limit) noexcept {
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

  const SparseTable& table_;
  const SlidingWindow<std::uint16_t>& codes_;
  OpenCodes open_;
  PairFilter filter_;
};

}  // namespace

std::unique_ptr<Witness<std::uint16_t>> make_mark_witness(const SparseTable& table,
                                                          const PhaseShape& shape,
                                                          const KernelSet& kernels,
                                                          const RankedTaps& ranked,
                                                          const SlidingWindow<std::uint16_t>& codes,
                                                          HeapIndex begin, std::size_t shares) {
  return std::make_unique<MarkWitness>(table, shape, kernels, ranked, codes, begin, shares);
}

}  // namespace grundy::sparse
