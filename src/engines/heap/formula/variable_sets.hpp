/// @file
/// The numbers that the variable of a clause goes through: divisors of many heaps by a sieve, and
/// bit sets of numbers with and without common divisors. Least primes of many heaps, too.
// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include <grundy/types.hpp>

#include "engines/heap/formula/plan.hpp"

namespace grundy {

/// Number of pieces of a block for each thread, so that threads end together. Each piece has lists
/// of its own.
inline constexpr std::size_t kPiecesOfThread = 4;

/// The divisors of consecutive numbers. O(sqrt(end) + divisors).
class DivisorLists {
 public:
  /// Lists the divisors of the numbers begin .. end-1; 0 has none here.
  void fill(HeapSize begin, HeapSize end);
  /// The divisors of n, in no particular order. @pre n was among the numbers
  [[nodiscard]] std::span<const HeapSize> of(HeapSize n) const noexcept {
    const HeapSize i = n - begin_;
    return std::span(divisors_).subspan(first_[i], first_[i + 1] - first_[i]);
  }

 private:
  HeapSize begin_ = 0;
  std::vector<std::size_t> first_;  ///< of each number; then the end
  std::vector<std::size_t> next_;
  std::vector<HeapSize> divisors_;
};

/// The least prime of consecutive numbers. O(sqrt(end) + multiples of primes)
class LeastPrimes {
 public:
  /// Finds those of the numbers begin .. end-1.
  void fill(HeapSize begin, HeapSize end);
  /// The least prime of n; of 0 and 1 the number itself. @pre n was among the numbers
  [[nodiscard]] HeapSize of(HeapSize n) const noexcept { return least_[n - begin_]; }

 private:
  HeapSize begin_ = 0;
  std::vector<HeapSize> least_;
};

/// A set of numbers between 0 and a bound, one bit each.
class NumberBits {
 public:
  /// The numbers of the range that the source allows for n. Takes O(n / 64) steps for each prime of
  /// n below 64, O(n / p) for each larger prime p, and O(sqrt(n)).
  /// @pre the source is kNonDivisors or a later one
  void fill(VariableSource source, VariableRange range, HeapSize n);

  template <class Visit>
  void for_each(Visit visit) const {
    for (std::size_t w = first_word_; w < last_word_; ++w) {
      for (std::uint64_t word = words_[w]; word != 0; word &= word - 1) {
        visit(static_cast<std::int64_t>(64 * w) + std::countr_zero(word));
      }
    }
  }

 private:
  void remove(HeapSize number) noexcept {
    words_[number / 64] &= ~(std::uint64_t{1} << number % 64);
  }
  void remove_multiples(HeapSize p, HeapSize from, HeapSize to) noexcept;

  std::vector<std::uint64_t> words_;
  std::size_t first_word_ = 0, last_word_ = 0;
};

}  // namespace grundy
