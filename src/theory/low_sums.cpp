// SPDX-License-Identifier: MIT
#include "theory/low_sums.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace grundy {
namespace {

/// The set of all v xor `by`.
std::uint64_t translated(std::uint64_t set, unsigned by) noexcept {
  // Bits of the places that are even in the coordinate.
  constexpr std::array<std::uint64_t, LowSums::kMostLowBits> kEven = {
      0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F,
      0x00FF00FF00FF00FF, 0x0000FFFF0000FFFF, 0x00000000FFFFFFFF};
  for (unsigned bit = 0; bit < kEven.size(); ++bit) {
    if ((by >> bit & 1u) == 0) continue;
    const unsigned step = 1u << bit;
    set = (set & kEven[bit]) << step | (set >> step & kEven[bit]);
  }
  return set;
}

/// The set of all v xor w.
std::uint64_t nim_sums(std::uint64_t a, std::uint64_t b) noexcept {
  if (std::popcount(a) > std::popcount(b)) std::swap(a, b);
  std::uint64_t sums = 0;
  for (; a != 0; a &= a - 1) sums |= translated(b, static_cast<unsigned>(std::countr_zero(a)));
  return sums;
}

void add_sums(const LowSumSets& a, const LowSumSets& b, LowSumSets& to) noexcept {
  to.all |= nim_sums(a.all, b.all);
  to.moving |= nim_sums(a.all, b.moving) | nim_sums(a.moving, b.all);
}

/// The sets of some heaps, by their tokens, where there are any.
using Parts = std::vector<std::pair<HeapSize, LowSumSets>>;

Parts parts_of(const std::vector<LowSumSets>& sets) {
  Parts parts;
  for (HeapSize tokens = 0; tokens < sets.size(); ++tokens) {
    if (sets[tokens].all != 0) parts.emplace_back(tokens, sets[tokens]);
  }
  return parts;
}

}  // namespace

LowSums::LowSums(std::span<const Nimber> values, HeapSize first, HeapSize step, unsigned low_bits,
                 unsigned heaps)
    : sets_(std::max(heaps, 2u) + 1, std::vector<LowSumSets>(values.size())) {
  const HeapSize size = values.size();
  sets_[0][0].all = 1;
  // Two pairs that can grow may exchange `step` tokens for each heap: one takes them from the
  // other. So all pairs but one have a heap below `near`.
  const HeapSize near = first + step;
  std::vector<LowSumSets> near_pairs(size);
  for (HeapSize b = 1; b < size; ++b) {
    if (values[b] >> low_bits == 0) sets_[1][b].all |= std::uint64_t{1} << values[b];
    for (HeapSize c = b; b + c < size; ++c) {
      const Nimber sum = values[b] ^ values[c];
      if (sum >> low_bits != 0) continue;
      const std::uint64_t bit = std::uint64_t{1} << sum;
      const LowSumSets pair{bit, b >= first ? bit : 0};
      sets_[2][b + c].all |= pair.all;
      sets_[2][b + c].moving |= pair.moving;
      if (b >= near) continue;
      near_pairs[b + c].all |= pair.all;
      near_pairs[b + c].moving |= pair.moving;
    }
  }
  const Parts singles = parts_of(sets_[1]);
  const Parts pairs = parts_of(near_pairs);
  const std::uint64_t full = ~std::uint64_t{0} >> (64 - (1u << low_bits));
  for (unsigned count = 3; count <= heaps; ++count) {
    for (HeapSize tokens = count; tokens < size; ++tokens) {
      LowSumSets& sums = sets_[count][tokens];
      const auto add = [&](const std::vector<LowSumSets>& others, const Parts& parts) {
        for (const auto& [of_part, part] : parts) {
          if (of_part > tokens || sums.moving == full) return;
          add_sums(others[tokens - of_part], part, sums);
        }
      };
      add(sets_[count - 1], singles);
      add(sets_[count - 2], pairs);
    }
  }
}

}  // namespace grundy
