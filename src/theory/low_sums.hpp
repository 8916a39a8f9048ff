/// @file
/// Numbers below 2^k that are nim-sums of heaps with a given number of tokens, composed heap by
/// heap: what the other heaps of an option add to the value of one of its heaps.
// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include <grundy/types.hpp>

namespace grundy {

/// Nim-sums below 2^k, k <= 6: bit v of a word stands for v.
struct LowSumSets {
  std::uint64_t all = 0;
  /// Two of the heaps can grow without a change of the nim-sum: they are at or behind the first
  /// heap of the pattern, and their values agree but for the lowest k bits.
  std::uint64_t moving = 0;
};

/// The nim-sums below 2^k of heaps each of which has a value below 2^k, or is one of two whose
/// values agree but for the lowest k bits.
class LowSums {
 public:
  static constexpr unsigned kMostLowBits = 6;

  /// Takes O(N^2) time for N values and each number of heaps up to `heaps`, and 16 N bytes.
  /// @param first the first heap of a pattern G(n + p) = G(n) + s
  /// @param step p or a multiple of it such that 2^k divides the multiple of s
  LowSums(std::span<const Nimber> values, HeapSize first, HeapSize step, unsigned low_bits,
          unsigned heaps);

  /// Calls body(nim-sum, whether two heaps can grow) for each nim-sum of `heaps` heaps with these
  /// tokens together.
  template <class Body>
  void for_each(unsigned heaps, HeapSize tokens, Body body) const {
    const LowSumSets& sets = sets_[heaps][tokens];
    for (std::uint64_t rest = sets.all; rest != 0; rest &= rest - 1) {
      const auto sum = static_cast<Nimber>(std::countr_zero(rest));
      body(sum, (sets.moving >> sum & 1u) != 0);
    }
  }

 private:
  std::vector<std::vector<LowSumSets>> sets_;  ///< by the number of heaps and of tokens
};

}  // namespace grundy
