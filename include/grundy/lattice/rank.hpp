/// @file
/// Ranks of sorted positions, by the combinatorial number system in colexicographic order.
///
/// For x1 <= x2 <= .. <= xk the rank is the sum of C(x_i + i - 1, i). The positions with largest
/// heap at most m have exactly the ranks below C(m + k, k), so a larger table only appends; and
/// the order of ranks extends the product order, so it is topological (Knuth, TAOCP 7.2.1.3).
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <grundy/binomial.hpp>
#include <grundy/lattice/rule.hpp>

namespace grundy {

/// The number of sorted positions whose `heaps` heaps have fewer than `size` tokens each.
/// @pre it has at most 64 bits
constexpr std::uint64_t sorted_count(unsigned heaps, std::uint64_t size) noexcept {
  return size == 0 ? 0 : binomial(size - 1 + heaps, heaps);
}

/// The rank of a position. @pre the heaps ascend
constexpr std::uint64_t rank_of(unsigned heaps, const LatticePoint& p) noexcept {
  std::uint64_t rank = 0;
  for (unsigned i = 0; i < heaps; ++i) rank += sorted_count(i + 1, p[i]);
  return rank;
}

/// The position with a given rank. O(heaps log size of the largest heap)
/// @pre rank < 2^(64 - heaps), so that doubling a heap keeps its rank within 64 bits
constexpr LatticePoint position_of(unsigned heaps, std::uint64_t rank) noexcept {
  LatticePoint p{};
  for (unsigned i = heaps; i-- > 0;) {
    std::uint64_t low = 0;
    std::uint64_t high = 1;
    while (sorted_count(i + 1, high) <= rank) high *= 2;
    while (high - low > 1) {  // sorted_count(low) <= rank < sorted_count(high)
      const std::uint64_t middle = (low + high) / 2;
      (sorted_count(i + 1, middle) <= rank ? low : high) = middle;
    }
    p[i] = static_cast<std::uint32_t>(low);
    rank -= sorted_count(i + 1, low);
  }
  return p;
}

}  // namespace grundy
