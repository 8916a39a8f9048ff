// SPDX-License-Identifier: MIT
#include "engines/heap/formula/variable_sets.hpp"

#include <algorithm>
#include <numeric>

#include "core/primes.hpp"

namespace grundy {

template <class ForEach>
void FactorLists::fill(HeapSize begin, HeapSize end, const ForEach& for_each) {
  begin_ = begin;
  first_.assign(end - begin + 1, 0);
  for_each([&](HeapSize m, auto... factors) { first_[m - begin + 1] += sizeof...(factors); });
  for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  next_.assign(first_.begin(), first_.end() - 1);
  factors_.resize(first_.back());
  for_each([&](HeapSize m, auto... factors) {
    std::size_t& next = next_[m - begin];
    ((factors_[next++] = factors), ...);
  });
}

void FactorLists::fill_with_divisors(HeapSize begin, HeapSize end) {
  const HeapSize from = std::max<HeapSize>(begin, 1);
  fill(begin, end, [&](const auto& visit) {
    for (HeapSize d = 1; d * d < end; ++d) {
      HeapSize cofactor = std::max(d, (from + d - 1) / d);
      for (HeapSize m = d * cofactor; m < end; m += d, ++cofactor) {
        d == cofactor ? visit(m, d) : visit(m, d, cofactor);
      }
    }
  });
}

void FactorLists::fill_with_primes(HeapSize begin, HeapSize end) {
  const HeapSize from = std::max<HeapSize>(begin, 1);
  const auto is_prime = [&](HeapSize n) {
    return std::ranges::none_of(
        primes_.begin(), std::ranges::upper_bound(primes_, n, {}, [](HeapSize p) { return p * p; }),
        [n](HeapSize p) { return n % p == 0; });
  };
  for (HeapSize n = primes_.empty() ? 2 : primes_.back() + 1; n * n < end; ++n) {
    if (is_prime(n)) primes_.push_back(n);
  }
  const auto for_each_small = [&](const auto& visit) {
    for (const HeapSize p : primes_) {
      if (p * p >= end) return;
      for (HeapSize m = (from + p - 1) / p * p; m < end; m += p) visit(m, p);
    }
  };
  rest_.resize(end - begin);
  std::iota(rest_.begin(), rest_.end(), begin);
  for_each_small([&](HeapSize m, HeapSize p) {
    HeapSize& rest = rest_[m - begin];
    while (rest % p == 0) rest /= p;
  });
  fill(begin, end, [&](const auto& visit) {
    for_each_small(visit);
    for (HeapSize m = from; m < end; ++m) {
      if (rest_[m - begin] > 1) visit(m, rest_[m - begin]);
    }
  });
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
