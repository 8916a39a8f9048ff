/// @file
/// Sizes of numberings of multisets and shapes.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace grundy::graph {

/// Larger numberings are refused.
inline constexpr std::uint64_t kMostNumbered = std::uint64_t{1} << 40;

/// C(n, k), or kMostNumbered + 1 if it exceeds kMostNumbered.
constexpr std::uint64_t capped_binomial(std::uint64_t n, std::uint64_t k) noexcept {
  if (k > n) return 0;
  __extension__ using Wide = unsigned __int128;
  Wide result = 1;
  for (std::uint64_t i = 1; i <= k; ++i) {
    result = result * (n - k + i) / i;  // exact: C(n - k + i, i)
    if (result > kMostNumbered) return kMostNumbered + 1;
  }
  return static_cast<std::uint64_t>(result);
}

}  // namespace grundy::graph
