// SPDX-License-Identifier: MIT
#include "engines/heap/formula/relation.hpp"

#include <algorithm>
#include <limits>

namespace grundy {

std::uint64_t RelationSolver::memory_bytes(const Relation& relation, Nimber max_value) noexcept {
  // While a vector grows, its old and its new array are there.
  return relation.coprime ? 0 : 3 * sizeof(std::uint32_t) * std::uint64_t{max_value};
}

void RelationSolver::take_up(Values known) {
  known.visit([&](const auto& values) {
    for (HeapSize n = 0; n < values.size(); ++n) add(n, values[n]);
  });
}

void RelationSolver::solve(HeapSize begin, Values table, std::span<Nimber> values) {
  const std::size_t most = kPiecesOfThread * executor_.threads();
  const HeapSize size = (values.size() + most - 1) / most;
  pieces_.resize((values.size() + size - 1) / size);
  executor_.parallel_for(pieces_.size(), [&](std::size_t i) {
    const HeapSize from = begin + i * size;
    const HeapSize to = std::min(from + size, begin + values.size());
    relation_.coprime ? pieces_[i].primes.fill(from, to) : pieces_[i].divisors.fill(from, to);
  });
  table.visit([&](const auto& known) {
    const auto value_of = [&](HeapSize m) -> Nimber {
      return m < begin ? known[m] : values[m - begin];
    };
    for (std::size_t i = 0; i < values.size(); ++i) {
      const HeapSize n = begin + i;
      const Piece& piece = pieces_[i / size];
      values[i] = relation_.coprime ? value_by_prime(n, piece.primes.of(n), value_of)
                                    : value_by_divisors(n, piece.divisors.of(n), value_of);
      add(n, values[i]);
    }
  });
}

void RelationSolver::add(HeapSize n, Nimber value) {
  values_ = std::max(values_, std::size_t{value} + 1);
  if (relation_.coprime || n < relation_.least) return;
  heaps_.resize(values_);
  if (heaps_[value] < std::numeric_limits<std::uint32_t>::max()) ++heaps_[value];
}

template <class ValueOf>
Nimber RelationSolver::value_by_divisors(HeapSize n, std::span<const HeapSize> divisors,
                                         const ValueOf& value_of) {
  unrelated_.clear();
  for (const HeapSize d : divisors) {
    const HeapSize m = relation_.takes ? n - d : d;
    if (relation_.least <= m && m < n) unrelated_.push_back(value_of(m));
  }
  auto least = static_cast<Nimber>(heaps_.size());
  for (const Nimber value : unrelated_) --heaps_[value];
  for (const Nimber value : unrelated_) {
    if (heaps_[value] == 0) least = std::min(least, value);
  }
  for (const Nimber value : unrelated_) ++heaps_[value];
  return least;
}

template <class ValueOf>
Nimber RelationSolver::value_by_prime(HeapSize n, HeapSize least_prime,
                                      const ValueOf& value_of) const {
  if (n == 0 || (n == 1 && relation_.least == 1)) return 0;  // no move
  if (n == 2 && relation_.least == 0) return value_of(0);
  return least_prime == n || n == 1 ? static_cast<Nimber>(values_) : value_of(least_prime);
}

}  // namespace grundy
