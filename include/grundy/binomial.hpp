/// @file
/// Binomial coefficients. Sorted positions, multisets and sets of moves are numbered by sums of
/// them, the combinatorial number system (Knuth, TAOCP 7.2.1.3).
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>

namespace grundy {

/// C(n, k), or 2^64 - 1 if it is larger. O(min(k, n - k))
constexpr std::uint64_t binomial(std::uint64_t n, std::uint64_t k) noexcept {
  if (k > n) return 0;
  if (k > n - k) k = n - k;
  std::uint64_t result = 1;
  // After step i the result is C(n - k + i, i): every division is exact, and no step makes it less.
  for (std::uint64_t i = 1; i <= k; ++i) {
    std::uint64_t product = 0;
    if (!__builtin_mul_overflow(result, n - k + i, &product)) {
      result = product / i;
      continue;
    }
    __extension__ using Wide = unsigned __int128;
    const Wide quotient = Wide{result} * (n - k + i) / i;
    if (quotient > std::numeric_limits<std::uint64_t>::max())
      return std::numeric_limits<std::uint64_t>::max();
    result = static_cast<std::uint64_t>(quotient);
  }
  return result;
}

}  // namespace grundy
