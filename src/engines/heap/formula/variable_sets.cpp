// SPDX-License-Identifier: MIT
#include "engines/heap/formula/variable_sets.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <grundy/heap/subtraction.hpp>

#include "core/primes.hpp"

namespace grundy {
namespace {

/// Calls `visit(d, m)` for all d and all multiples m = d * e with d <= e and begin <= m < end.
template <class Visit>
void for_each_divisor_pair(HeapSize begin, HeapSize end, Visit visit) {
  for (HeapSize d = 1; d * d < end; ++d) {
    HeapSize cofactor = std::max(d, (begin + d - 1) / d);
    for (HeapSize m = d * cofactor; m < end; m += d, ++cofactor) visit(d, cofactor, m);
  }
}

}  // namespace

void DivisorLists::fill(HeapSize begin, HeapSize end) {
  begin_ = begin;
  first_.assign(end - begin + 1, 0);
  const HeapSize from = std::max<HeapSize>(begin, 1);
  for_each_divisor_pair(from, end, [&](HeapSize d, HeapSize cofactor, HeapSize m) {
    first_[m - begin + 1] += d == cofactor ? 1 : 2;
  });
  for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  next_.assign(first_.begin(), first_.end() - 1);
  divisors_.resize(first_.back());
  for_each_divisor_pair(from, end, [&](HeapSize d, HeapSize cofactor, HeapSize m) {
    std::size_t& next = next_[m - begin];
    divisors_[next++] = d;
    if (d != cofactor) divisors_[next++] = cofactor;
  });
}

void LeastPrimes::fill(HeapSize begin, HeapSize end) {
  begin_ = begin;
  least_.resize(end - begin);
  std::iota(least_.begin(), least_.end(), begin);
  const SubtractionRule primes{.kind = SubtractionRule::Kind::kPrimes, .elements = {}};
  const auto root = static_cast<HeapSize>(std::sqrt(static_cast<double>(end)));
  for (const HeapSize p : primes.allowed_up_to(root + 1)) {
    for (HeapSize m = std::max(p, (begin + p - 1) / p) * p; m < end; m += p) {
      HeapSize& least = least_[m - begin];
      if (least == m) least = p;
    }
  }
}

void NumberBits::remove_multiples(HeapSize p, HeapSize from, HeapSize to) noexcept {
  if (p >= 64) {
    for (HeapSize m = (from + p - 1) / p * p; m <= to; m += p) remove(m);
    return;
  }
  // The multiples in a word are those in the first word, shifted by the remainder of 64 steps by p.
  std::uint64_t pattern = 0;
  for (HeapSize m = 0; m < 64; m += p) pattern |= std::uint64_t{1} << m;
  HeapSize offset = (p - 64 * first_word_ % p) % p;
  for (std::size_t w = first_word_; w < last_word_; ++w) {
    words_[w] &= ~(pattern << offset);
    offset = (offset + p - 64 % p) % p;
  }
}

void NumberBits::fill(VariableSource source, VariableRange range, HeapSize n) {
  first_word_ = last_word_ = 0;
  if (range.hi < range.lo) return;
  const auto lo = static_cast<HeapSize>(range.lo);
  const auto hi = static_cast<HeapSize>(range.hi);
  first_word_ = lo / 64;
  last_word_ = hi / 64 + 1;
  if (words_.size() < last_word_) words_.resize(std::bit_ceil(last_word_));
  std::fill(words_.begin() + static_cast<std::ptrdiff_t>(first_word_),
            words_.begin() + static_cast<std::ptrdiff_t>(last_word_), ~std::uint64_t{0});
  if (source == VariableSource::kNonDivisors) {
    for (HeapSize d = 1; d <= n / d; ++d) {
      if (n % d != 0) continue;
      for (const HeapSize divisor : {d, n / d}) {
        if (lo <= divisor && divisor <= hi) remove(divisor);
      }
    }
  } else if (source != VariableSource::kAll) {
    for (const HeapSize p : primes_of(n)) remove_multiples(p, lo, hi);
    if (source == VariableSource::kCommonFactors) {
      for (std::size_t w = first_word_; w < last_word_; ++w) words_[w] = ~words_[w];
    }
  }
  words_[first_word_] &= ~std::uint64_t{0} << lo % 64;
  words_[last_word_ - 1] &= ~std::uint64_t{0} >> (63 - hi % 64);
}

}  // namespace grundy
