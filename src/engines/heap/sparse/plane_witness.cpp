/// @file
/// Witnesses from planes, for many codes.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <cstring>
#include <span>
#include <vector>

#include "engines/heap/sparse/pair_filter.hpp"
#include "engines/heap/sparse/split_marks.hpp"
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
        pairs_(kernels.taps.of<std::uint16_t>(), table.moves().splits, pairs),
        codes_(codes),
        count_(planes_for(marked)),
        filter_(table, shape, kernels.filters, codes, begin) {}

  void publish(HeapIndex first, std::size_t heaps) noexcept override {
    filter_.set(first, codes_.at(first), heaps);
  }

  HeapIndex check(HeapIndex first, const std::uint16_t* limits, std::size_t heaps,
                  std::size_t share, std::size_t shares) noexcept override {
    // In a short block, shorter runs leave work for every share.
    const std::size_t run = std::clamp<std::size_t>(heaps / shares / 64 * 64, 64, PairFilter::kRun);
    for (std::size_t i = share * run; i < heaps; i += shares * run) {
      const std::size_t some = std::min(run, heaps - i);
      const std::size_t j = first_fault(first + static_cast<HeapIndex>(i), limits + i, some);
      if (j < some) return first + static_cast<HeapIndex>(i + j);
    }
    return first + static_cast<HeapIndex>(heaps);
  }

  void advance(HeapIndex end) override { filter_.advance(end); }

 private:
  /// The first of the heaps n + j, j < heaps, with a rare code below its limit that is not reached;
  /// `heaps` if there is none. Planes and sets take some 360 KB of the stack.
  /// @pre heaps is a multiple of 64, at most PairFilter::kRun
  std::size_t first_fault(HeapIndex n, const std::uint16_t* limits, std::size_t heaps) noexcept {
    std::uint8_t planes[PairFilter::kRun * planes_for(kMostCodes)];
    const Nimber most = *std::max_element(limits, limits + heaps);
    const std::size_t count = planes_for(most);
    if (count == 0) return heaps;
    for (std::size_t i = 0; i < heaps; i += 64) close_from(limits + i, planes + i * count, count);
    pairs_.mark_all(codes_.at(n), heaps, planes, 64 * count, std::min(count_, count));
    std::size_t fault = heaps;
    for (Nimber base = 0; base < most; base += kOpenValues) {
      OpenSet open[PairFilter::kRun];
      std::memset(open, 0, heaps * sizeof *open);
      for (OpenSet& set : std::span(open).first(heaps)) set.base = base;
      for (std::size_t i = 0; i < heaps; i += 64)
        insert_unmarked(planes + i * count, count, base, open + i);
      filter_.remove_reached(n, heaps, open);
      for (std::size_t j = 0; j < fault; ++j) {
        if (!reaches(n + static_cast<HeapIndex>(j), open[j])) fault = j;
      }
    }
    return fault;
  }

  /// Marks the codes from limits[j] on in the planes of heap j, and no others.
  static void close_from(const std::uint16_t* limits, std::uint8_t* planes,
                         std::size_t count) noexcept {
    for (std::size_t p = 0; p < count; ++p) {
      const auto from = static_cast<std::uint16_t>(p * kPlaneCodes);
      for (std::size_t j = 0; j < 64; ++j) planes[64 * p + j] = limits[j] <= from ? 0xff : 0;
    }
    for (std::size_t j = 0; j < 64; ++j) {
      const std::size_t p = limits[j] / kPlaneCodes;
      if (p < count)
        planes[64 * p + j] = static_cast<std::uint8_t>(0xffu << limits[j] % kPlaneCodes);
    }
  }

  /// Inserts the codes from `base` on that planes do not mark into the sets of 64 heaps.
  static void insert_unmarked(const std::uint8_t* planes, std::size_t count, Nimber base,
                              OpenSet* open) noexcept {
    const std::size_t end = std::min<std::size_t>(count, (base + kOpenValues) / kPlaneCodes);
    for (std::size_t p = base / kPlaneCodes; p < end; ++p) {
      for (std::size_t j = 0; j < 64; j += 8) {
        std::uint64_t marks;
        std::memcpy(&marks, planes + 64 * p + j, 8);
        for (std::uint64_t left = ~marks; left != 0; left &= left - 1) {
          const auto bit = static_cast<unsigned>(std::countr_zero(left));
          open[j + bit / 8].insert(static_cast<Nimber>(p * kPlaneCodes + bit % 8));
        }
      }
    }
  }

  /// Whether other options of heap n than the pairs of the filter reach these rare codes.
  [[nodiscard]] bool reaches(HeapIndex n, const OpenSet& open) const noexcept {
    if (open.empty()) return true;
    const auto heap = static_cast<HeapSize>(n);
    for (Nimber code = open.base; code < open.base + kOpenValues; ++code) {
      if (!open.contains(code)) continue;
      const Nimber value = table_.split().expand(code, false, heap);
      if (table_.find(heap, value) != SparseTable::Search::kFound) return false;
    }
    return true;
  }

  const SparseTable& table_;
  const SplitMarks<std::uint16_t> pairs_;
  const SlidingWindow<std::uint16_t>& codes_;
  const std::size_t count_;  ///< number of planes that pairs mark
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
