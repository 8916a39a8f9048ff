// SPDX-License-Identifier: MIT
#include "verify/heap/value_split.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

#include <fmt/format.h>

namespace grundy {
namespace {

/// If a value exceeds this, no split is looked for.
constexpr Nimber kLargestValue = 1u << 16;
/// A split must save at least this factor, because a rare heap costs more than a pair that is
/// compared in order.
constexpr HeapSize kLeastGain = 4;

/// In place: entry m becomes the sum over i of (-1)^parity(i & m) times entry i.
void walsh_hadamard(std::vector<std::int64_t>& entries) {
  for (std::size_t half = 1; half < entries.size(); half *= 2) {
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if ((i & half) != 0) continue;
      const std::int64_t a = entries[i];
      const std::int64_t b = entries[i + half];
      entries[i] = a + b;
      entries[i + half] = a - b;
    }
  }
}

}  // namespace

// A heap n is common if f(n) xor s (k & 1) = 1.
ValueSplit::ValueSplit(const PairMoves& moves, Nimber mask, bool position) noexcept
    : mask_(mask),
      position_(position),
      common_class_(!(position && moves.splits.front().removed % 2 != 0)) {}

std::optional<ValueSplit> ValueSplit::find(const PairMoves& moves, StoredValues stored) {
  if (moves.splits.empty() || stored.largest >= kLargestValue) return std::nullopt;

  // Entry 2 v + r: heaps of value v and parity r.
  std::vector<std::int64_t> sums(2 * std::bit_ceil(std::size_t{stored.largest} + 1));
  stored.values.visit([&](auto values) {
    for (std::size_t n = 0; n < values.size(); ++n) ++sums[2 * std::size_t{values[n]} + n % 2];
  });
  walsh_hadamard(sums);
  std::optional<ValueSplit> best;
  const auto count = static_cast<std::int64_t>(stored.values.size());
  std::int64_t fewest = count;
  for (std::size_t m = 2; m < sums.size(); ++m) {
    const bool position = m % 2 != 0;
    if (position && !moves.one_parity()) continue;
    const ValueSplit split(moves, static_cast<Nimber>(m / 2), position);
    // sums[m] is the number of heaps with f = 0 minus the number with f = 1.
    const std::int64_t rare = (split.common_class_ ? count + sums[m] : count - sums[m]) / 2;
    if (rare >= fewest) continue;
    fewest = rare;
    best = split;
  }
  if (!best || static_cast<HeapSize>(fewest) > stored.values.size() / kLeastGain) {
    return std::nullopt;
  }
  stored.values.visit([&](auto values) {
    for (HeapSize n = 0; n < values.size(); ++n) {
      if (!best->common(n, values[n])) best->rare_.push_back(n);
    }
  });
  return best;
}

std::string ValueSplit::describe() const {
  // Elsewhere rare heaps are counted from heap 1 on.
  const bool has_heap_0 = !rare_.empty() && rare_.front() == 0;
  return fmt::format("mask {:#x}{}, {} rare heaps{}", mask_, position_ ? " with parity" : "",
                     rare_.size(), has_heap_0 ? ", heap 0 among them" : "");
}

}  // namespace grundy
