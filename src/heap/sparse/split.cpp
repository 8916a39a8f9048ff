// SPDX-License-Identifier: MIT
#include "heap/sparse/split.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace grundy::sparse {
namespace {

/// In place: sum over all i of data[i] * (-1)^popcount(i & k), for every k.
void walsh_hadamard(std::vector<std::int64_t>& data) {
  for (std::size_t half = 1; half < data.size(); half *= 2) {
    for (std::size_t i = 0; i < data.size(); i += 2 * half) {
      for (std::size_t j = i; j < i + half; ++j) {
        const std::int64_t a = data[j];
        const std::int64_t b = data[j + half];
        data[j] = a + b;
        data[j + half] = a - b;
      }
    }
  }
}

}  // namespace

Split make_split(const Moves& moves, Nimber mask, bool position) noexcept {
  // With the position, f of an option of two heaps differs from f of its heap by the parity of the
  // take; two common heaps must give the rare type.
  const bool odd_takes = moves.splits.front().take % 2 == 1;
  return {mask, position, !(position && odd_takes)};
}

SplitChoice choose_split(const Moves& moves, Values values) {
  // Index 2 * value + parity of the heap, so that masks with and without the position are one set.
  std::vector<std::int64_t> sums(2, 0);
  values.visit([&](auto table) {
    for (HeapSize n = 1; n < table.size(); ++n) {
      const std::size_t index = 2 * std::size_t{table[n]} + n % 2;
      if (index >= sums.size()) sums.resize(std::bit_ceil(index + 1), 0);
      ++sums[index];
    }
  });
  walsh_hadamard(sums);
  const auto heaps = static_cast<std::int64_t>(values.size()) - 1;
  SplitChoice best{{}, static_cast<HeapSize>(heaps)};
  for (std::size_t k = 2; k < sums.size(); ++k) {
    const bool position = k % 2 == 1;
    if (position && !moves.one_parity()) continue;
    const Split split = make_split(moves, static_cast<Nimber>(k / 2), position);
    // `sums` counts heaps with f = 0 minus heaps with f = 1.
    const std::int64_t rare = (heaps + (split.common ? sums[k] : -sums[k])) / 2;
    if (static_cast<HeapSize>(rare) < best.rare) best = {split, static_cast<HeapSize>(rare)};
  }
  return best;
}

}  // namespace grundy::sparse
