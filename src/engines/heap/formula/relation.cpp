// SPDX-License-Identifier: MIT
#include "engines/heap/formula/relation.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace grundy {

template <class Take>
void RelationSolver::for_each_heap(HeapSize begin, HeapSize count, const Take& take) {
  constexpr HeapSize kPiece = HeapSize{1} << 13;
  const HeapSize end = begin + count;
  lists_.resize((std::min(count, block()) + kPiece - 1) / kPiece);
  for (; begin < end; begin += block()) {
    const HeapSize block_end = std::min(begin + block(), end);
    const std::size_t pieces = (block_end - begin + kPiece - 1) / kPiece;
    executor_.parallel_for(pieces, [&](std::size_t i) {
      const HeapSize from = begin + i * kPiece;
      const HeapSize to = std::min(from + kPiece, block_end);
      relation_.coprime ? lists_[i].fill_with_primes(from, to)
                        : lists_[i].fill_with_divisors(from, to);
    });
    for (HeapSize n = begin; n < block_end; ++n) take(n, lists_[(n - begin) / kPiece].of(n));
  }
}

void RelationSolver::take_up(Values known) {
  known.visit([&](const auto& values) {
    for_each_heap(0, values.size(), [&](HeapSize n, std::span<const HeapSize> factors) {
      add(n, factors, values[n]);
    });
  });
}

void RelationSolver::solve(HeapSize begin, Values table, std::span<Nimber> values) {
  table.visit([&](const auto& known) {
    const auto value_of = [&](HeapSize m) -> Nimber {
      return m < begin ? known[m] : values[m - begin];
    };
    for_each_heap(begin, values.size(), [&](HeapSize n, std::span<const HeapSize> factors) {
      Nimber& value = values[n - begin];
      value = n == 0              ? 0
              : relation_.coprime ? value_by_primes(n, factors, value_of)
                                  : value_by_divisors(n, factors, value_of);
      add(n, factors, value);
    });
  });
}

void RelationSolver::add(HeapSize n, std::span<const HeapSize> factors, Nimber value) {
  if (n < relation_.least) return;
  if (!relation_.coprime) {
    if (value >= heaps_.size()) heaps_.resize(value + 1);
    if (heaps_[value] < std::numeric_limits<std::uint32_t>::max()) ++heaps_[value];
    return;
  }
  if (value >= classes_.size()) {
    classes_.resize(value + 1);
    classes_[value] = {.first = n, .last = n, .divisor = n};
    const bool prime = factors.size() == 1 && factors.front() == n;
    if (!prime) not_prime_.push_back(value);
  }
  Class& of_value = classes_[value];
  of_value.last = n;
  of_value.divisor = std::gcd(of_value.divisor, n);
}

template <class ValueOf>
Nimber RelationSolver::value_by_divisors(HeapSize n, std::span<const HeapSize> divisors,
                                         const ValueOf& value_of) {
  unrelated_.clear();
  for (const HeapSize d : divisors) {
    const HeapSize m = relation_.takes ? n - d : d;
    if (relation_.least <= m && m < n) unrelated_.push_back(value_of(m));
  }
  // Without the unrelated heaps, no heap is left that has a value which is no option's.
  auto least = static_cast<Nimber>(heaps_.size());
  for (const Nimber value : unrelated_) --heaps_[value];
  for (const Nimber value : unrelated_) {
    if (heaps_[value] == 0) least = std::min(least, value);
  }
  for (const Nimber value : unrelated_) ++heaps_[value];
  return least;
}

template <class ValueOf>
Nimber RelationSolver::value_by_primes(HeapSize n, std::span<const HeapSize> primes,
                                       const ValueOf& value_of) const {
  auto least = static_cast<Nimber>(classes_.size());
  const auto look_at = [&](Nimber value) {
    if (value < least && !has_coprime(value, primes, value_of)) least = value;
  };
  std::ranges::for_each(not_prime_, look_at);
  for (const HeapSize p : primes) {
    if (p == n) continue;
    const Nimber value = value_of(p);
    if (classes_[value].first == p) look_at(value);
  }
  return least;
}

template <class ValueOf>
bool RelationSolver::has_coprime(Nimber value, std::span<const HeapSize> primes,
                                 const ValueOf& value_of) const {
  const Class& of_value = classes_[value];
  const auto shares_prime = [&](HeapSize m) {
    return std::ranges::any_of(primes, [m](HeapSize p) { return m % p == 0; });
  };
  if (shares_prime(of_value.divisor)) return false;
  for (HeapSize m = of_value.last + 1; m-- > of_value.first;) {
    if (value_of(m) == value && !shares_prime(m)) return true;
  }
  return false;
}

}  // namespace grundy
