/// @file
/// All numbers below a bound, once each, in an order that spreads over the range.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <numeric>
#include <random>

namespace grundy {

/// The order is i -> (i step + start) mod count, with a random step coprime to count.
class Spread {
 public:
  /// @pre count > 0
  Spread(std::uint64_t seed, std::uint64_t count) : count_(count) {
    std::mt19937_64 random(seed);
    start_ = random() % count;
    do {
      step_ = 1 + random() % count;
    } while (std::gcd(step_, count) != 1);
  }
  /// The number at place i. @pre i < count
  std::uint64_t operator()(std::uint64_t i) const noexcept {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((Wide{i} * step_ + start_) % count_);
  }

 private:
  std::uint64_t count_;
  std::uint64_t start_;
  std::uint64_t step_;
};

}  // namespace grundy
