// SPDX-License-Identifier: MIT
#include "core/primes.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace grundy {
namespace {

std::vector<std::uint64_t> listed(std::uint64_t n) {
  const Primes primes = primes_of(n);
  return {primes.begin(), primes.end()};
}

TEST(Primes, AreThoseNumbersWhoseOnlyDivisorIsOne) {
  std::vector<std::vector<std::uint64_t>> expected(3000);
  for (std::uint64_t p = 2; p < expected.size(); ++p) {
    if (!expected[p].empty()) continue;
    for (std::uint64_t n = p; n < expected.size(); n += p) expected[n].push_back(p);
  }
  for (std::uint64_t n = 1; n < expected.size(); ++n) EXPECT_EQ(listed(n), expected[n]) << n;
}

TEST(Primes, OfLargeNumbers) {
  EXPECT_EQ(listed(328226140474), (std::vector<std::uint64_t>{2, 103, 4523, 352273})) << "of .106";
  EXPECT_EQ(listed(4294967291), (std::vector<std::uint64_t>{4294967291}));
  const std::uint64_t most = 614889782588491410;  // the product of the first 15 primes
  EXPECT_EQ(primes_of(most).count, 15u);
  EXPECT_EQ(listed((std::uint64_t{1000003} * 1000003) << 24),
            (std::vector<std::uint64_t>{2, 1000003}));
}

TEST(Primes, TheLeastPeriodDividesEveryOther) {
  for (std::uint64_t n = 1; n < 400; ++n) {
    for (std::uint64_t least = 1; least <= n; ++least) {
      if (n % least != 0) continue;
      EXPECT_EQ(least_period_of(n, [&](std::uint64_t q) { return q % least == 0; }), least);
    }
  }
}

}  // namespace
}  // namespace grundy
