// SPDX-License-Identifier: MIT
#include "verify/proof_cost.hpp"

#include <algorithm>

namespace grundy {

ProofCost::ProofCost(HeapSize first, HeapSize end,
                     const std::function<std::uint64_t(HeapSize)>& of_entry)
    : first_(first), end_(end) {
  // With this many stretches, each is a small part of any range that a machine proves.
  constexpr HeapSize kStretches = 4096;
  // In rows of many entries, equal steps would hit the same column again and again.
  constexpr HeapSize kSamples = 8;
  const HeapSize entries = end - first;
  const HeapSize count = std::min(entries, kStretches);
  for (HeapSize k = 0; k < count; ++k) {
    const HeapSize begin = first + entries / count * k + std::min(k, entries % count);
    const HeapSize size = entries / count + (k < entries % count ? 1 : 0);
    std::uint64_t sum = 0;
    for (HeapSize i = 0; i < kSamples; ++i) {
      sum += of_entry(begin + (k * 0x9e3779b97f4a7c15 + i * 0xc2b2ae3d27d4eb4f) % size);
    }
    const std::uint64_t each = std::max<std::uint64_t>(1, sum / kSamples);
    stretches_.push_back({begin, each, whole_});
    whole_ += Sum{each} * size;
  }
}

HeapSize ProofCost::border(std::uint64_t i, std::uint64_t ranges) const {
  if (i == ranges) return end_;
  const Sum target = whole_ / ranges * i + whole_ % ranges * i / ranges;
  const auto behind = std::ranges::upper_bound(stretches_, target, {}, &Stretch::before);
  const Stretch& at = *std::prev(behind);
  const auto offset = static_cast<HeapSize>((target - at.before) / at.each) + at.begin - first_;
  // Each range has at least one entry; the ranges share the others.
  const HeapSize entries = end_ - first_;
  return first_ + i + static_cast<HeapSize>(Sum{offset} * (entries - ranges) / entries);
}

double ProofCost::before(HeapSize entry) const {
  const auto behind = std::ranges::upper_bound(stretches_, entry, {}, &Stretch::begin);
  const Stretch& at = *std::prev(behind);
  return static_cast<double>(at.before + Sum{at.each} * (entry - at.begin));
}

}  // namespace grundy
