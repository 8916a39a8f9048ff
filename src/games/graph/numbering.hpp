/// @file
/// Numbers of multisets and of shapes, by the combinatorial number system (Knuth, TAOCP 7.2.1.3).
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <grundy/binomial.hpp>

namespace grundy::graph {

/// Larger numberings are refused.
inline constexpr std::uint64_t kMostNumbered = std::uint64_t{1} << 40;

/// Numbers multisets x_1 <= .. <= x_k of numbers up to m. The number of a multiset is the sum of
/// C(x_i + i - 1, i), so the multisets have exactly the numbers below C(m + k, k).
class MultisetNumbers {
 public:
  MultisetNumbers() = default;
  /// @pre count(size, largest) <= kMostNumbered
  MultisetNumbers(std::size_t size, std::uint32_t largest) : size_(size), stride_(largest + 2) {
    for (std::uint64_t i = 0; i < size; ++i) {
      for (std::uint64_t x = 0; x <= largest; ++x) terms_.push_back(binomial(x + i, i + 1));
      terms_.push_back(~std::uint64_t{0});
    }
  }

  /// The number of multisets; 2^64 - 1 if there are more.
  static constexpr std::uint64_t count(std::size_t size, std::uint64_t largest) noexcept {
    return binomial(largest + size, size);
  }

  /// C(x + i, i + 1), the contribution of entry x at index i. For x = m + 1 it exceeds every
  /// number.
  [[nodiscard]] std::uint64_t term(std::size_t i, std::uint32_t x) const noexcept {
    return terms_[i * stride_ + x];
  }

  /// The number of the multiset x[0] <= .. <= x[k - 1].
  template <class Entries>
  [[nodiscard]] std::uint64_t number(const Entries& x) const noexcept {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < size_; ++i) sum += term(i, x[i]);
    return sum;
  }

  /// Turns the entries of some multiset into those of the multiset with this number. O(k + the sum
  /// of the differences of entries)
  template <class Entries>
  void unpack(std::uint64_t number, Entries& x) const noexcept {
    for (std::size_t i = size_; i-- > 0;) {
      std::uint32_t entry = x[i];
      while (term(i, entry) > number) --entry;
      while (term(i, entry + 1) <= number) ++entry;
      number -= term(i, entry);
      x[i] = static_cast<typename Entries::value_type>(entry);
    }
  }

 private:
  std::size_t size_ = 0;
  std::size_t stride_ = 0;
  std::vector<std::uint64_t> terms_;  ///< by index and entry
};

}  // namespace grundy::graph
