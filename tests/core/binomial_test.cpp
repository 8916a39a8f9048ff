// SPDX-License-Identifier: MIT
#include <limits>

#include <gtest/gtest.h>

#include <grundy/binomial.hpp>

namespace grundy {
namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

TEST(Binomial, MatchesPascalsTriangleAndStopsAt64Bits) {
  for (std::uint64_t n = 1; n < 140; ++n) {
    for (std::uint64_t k = 1; k <= n; ++k) {
      const std::uint64_t a = binomial(n - 1, k), b = binomial(n - 1, k - 1);
      EXPECT_EQ(binomial(n, k), a > kMost - b ? kMost : a + b) << n << ' ' << k;
    }
  }
}

TEST(Binomial, IsExactToTheLastBit) {
  EXPECT_EQ(binomial(0, 0), 1u);
  EXPECT_EQ(binomial(5, 6), 0u);
  EXPECT_EQ(binomial(67, 33), 14226520737620288370u);  // the last row within 64 bits, OEIS A001405
  EXPECT_EQ(binomial(68, 34), kMost);
  EXPECT_EQ(binomial(kMost, 1), kMost);
  EXPECT_EQ(binomial(kMost, kMost), 1u);
  EXPECT_EQ(binomial(std::uint64_t{1} << 32, 2),
            (std::uint64_t{1} << 63) - (std::uint64_t{1} << 31));
}

}  // namespace
}  // namespace grundy
