/// @file
/// Prime factors. The least period divides every other period. So division by primes finds and
/// proves it.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace grundy {

/// The primes that divide a number, in ascending order.
struct Primes {
  std::array<std::uint64_t, 15> all{};  ///< the product of the first 16 has more than 64 bits
  std::size_t count = 0;

  [[nodiscard]] constexpr const std::uint64_t* begin() const noexcept { return all.data(); }
  [[nodiscard]] constexpr const std::uint64_t* end() const noexcept { return all.data() + count; }
};

/// @pre n > 0. O(sqrt(n)) divisions
constexpr Primes primes_of(std::uint64_t n) noexcept {
  Primes primes;
  for (std::uint64_t p = 2; p <= n / p; p += p == 2 ? 1 : 2) {
    if (n % p != 0) continue;
    primes.all[primes.count++] = p;
    while (n % p == 0) n /= p;
  }
  if (n > 1) primes.all[primes.count++] = n;
  return primes;
}

/// The least period, given that n > 0 is a period. @param has says whether a divisor is a period
template <class HasPeriod>
constexpr std::uint64_t least_period_of(std::uint64_t n, const HasPeriod& has) {
  std::uint64_t least = n;
  for (const std::uint64_t prime : primes_of(n)) {
    while (least % prime == 0 && has(least / prime)) least /= prime;
  }
  return least;
}

}  // namespace grundy
