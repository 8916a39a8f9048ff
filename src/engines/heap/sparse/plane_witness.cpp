/// @file
/// Witnesses from planes, for many codes.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <vector>

#include "engines/heap/sparse/pair_filter.hpp"
#include "engines/heap/sparse/taps.hpp"
#include "engines/heap/sparse/witness.hpp"
#include "kernels/kernels.hpp"

namespace grundy::sparse {
namespace {

class PlaneWitness final : public Witness<std::uint16_t> {
 public:
  PlaneWitness(const SparseTable& table, const PhaseShape& shape, const KernelSet& kernels,
               const std::vector<Tap>& pairs, Nimber marked,
               const SlidingWindow<std::uint16_t>& codes, HeapIndex begin)
      : table_(table),
        kernels_(kernels.taps.of<std::uint16_t>()),
        pairs_(pairs),
        codes_(codes),
        count_(planes_for(marked)),
        filter_(table, shape, kernels.filters, codes, begin) {}

  void publish(HeapIndex first, std::size_t heaps) noexcept override {
    filter_.set(first, codes_.at(first), heaps);
  }

  HeapIndex check(HeapIndex first, const std::uint16_t* limits, std::size_t heaps,
                  std::size_t share, std::size_t shares) noexcept override {
    std::uint8_t planes[64 * planes_for(kMostCodes)];
    for (std::size_t i = share * 64; i < heaps; i += shares * 64) {
      const HeapIndex begin = first + static_cast<HeapIndex>(i);
      const Nimber most = *std::max_element(limits + i, limits + i + 64);
      const std::size_t count = std::min(count_, planes_for(most));
      std::fill_n(planes, 64 * count, std::uint8_t{0});
      kernels_.mark_planes(codes_.at(begin), pairs_.view(), planes, count);
      for (std::size_t j = 0; j < 64; ++j) {
        const HeapIndex n = begin + static_cast<HeapIndex>(j);
        if (!reached(n, planes + j, limits[i + j])) return n;
      }
    }
    return first + static_cast<HeapIndex>(heaps);
  }

  void advance(HeapIndex end) override { filter_.advance(end); }

 private:
  /// Whether the rare codes below `limit` are reached from heap n. Plane p of the heap is
  /// planes[64 * p].
  [[nodiscard]] bool reached(HeapIndex n, const std::uint8_t* planes, Nimber limit) noexcept {
    for (Nimber base = 0; base < limit; base += kOpenValues) {
      OpenSet left{{}, base};
      const Nimber end = std::min(limit, base + kOpenValues);
      for (Nimber first = base; first < end; first += kPlaneCodes) {
        const std::size_t plane = first / kPlaneCodes;
        unsigned open = plane < count_ ? planes[64 * plane] ^ 0xffu : 0xffu;
        if (end - first < kPlaneCodes) open &= (1u << (end - first)) - 1;
        for (; open != 0; open &= open - 1) {
          left.insert(first + static_cast<Nimber>(std::countr_zero(open)));
        }
      }
      filter_.remove_reached(n, left);
      if (left.empty()) continue;
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
  const TypedTapKernels<std::uint16_t>& kernels_;
  const TapList pairs_;
  const SlidingWindow<std::uint16_t>& codes_;
  const std::size_t count_;  ///< number of planes of a heap
  PairFilter filter_;
};

}  // namespace

std::unique_ptr<Witness<std::uint16_t>> make_plane_witness(
    const SparseTable& table, const PhaseShape& shape, const KernelSet& kernels,
    const std::vector<Tap>& pairs, Nimber marked, const SlidingWindow<std::uint16_t>& codes,
    HeapIndex begin) {
  return std::make_unique<PlaneWitness>(table, shape, kernels, pairs, marked, codes, begin);
}

}  // namespace grundy::sparse
