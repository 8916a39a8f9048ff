// SPDX-License-Identifier: MIT
#include "engines/heap/sparse/split.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/value_copy.hpp"

namespace grundy::sparse {
namespace {

/// In place: data[k] becomes the sum over all i of data[i] * (-1)^popcount(i & k).
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

/// Number of heaps that are tested together.
constexpr HeapSize kRunOfCommon = 256;

/// Whether the kRunOfCommon heaps from n on are all common, by a loop that compilers vectorise.
template <class T>
bool all_common(const Split& split, const T* values, HeapSize n) noexcept {
  const T mask = static_cast<T>(split.mask);
  const T first = static_cast<T>(n);
  const T parity = split.parity ? 1 : 0;
  T rare = 0;
  for (std::size_t i = 0; i < kRunOfCommon; ++i) {
    std::uint32_t bits = static_cast<T>(values[i] & mask);
    if constexpr (sizeof(T) > 2) bits ^= bits >> 16;
    if constexpr (sizeof(T) > 1) bits ^= bits >> 8;
    bits ^= bits >> 4;
    bits ^= bits >> 2;
    bits ^= bits >> 1;
    rare |= static_cast<T>(bits ^ ((first + i) & parity) ^ (split.common ? 1 : 0));
  }
  return (rare & 1) == 0;
}

}  // namespace

std::optional<TwoHeapMoves> splitting_moves(const HeapRule& rule) {
  std::optional<TwoHeapMoves> moves = TwoHeapMoves::of(rule);
  if (moves && (moves->splits.empty() || !moves->halves.empty())) return std::nullopt;
  return moves;
}

Split make_split(const TwoHeapMoves& moves, Nimber mask, bool parity) noexcept {
  // With the parity, f of an option of two heaps differs from f of its heap by the parity of the
  // removed number; two common heaps must give the rare type.
  const bool odd_takes = moves.splits.front().take % 2 == 1;
  return {mask, parity, !(parity && odd_takes)};
}

std::vector<HeapSize> rare_heaps(const Split& split, Values values) {
  std::vector<HeapSize> rare;
  values.visit([&](auto table) {
    for (HeapSize begin = 1, end = 1; begin < table.size(); begin = end) {
      end = std::min<HeapSize>(begin + kRunOfCommon, table.size());
      if (end - begin == kRunOfCommon && all_common(split, table.data() + begin, begin)) continue;
      for (HeapSize n = begin; n < end; ++n) {
        if (!split.is_common(table[n], n)) rare.push_back(n);
      }
    }
  });
  return rare;
}

HeapSize recent_rare(std::span<const HeapSize> rare, HeapSize heaps) noexcept {
  return static_cast<HeapSize>(rare.end() - std::ranges::lower_bound(rare, heaps / 2));
}

bool too_many_rare(HeapSize recent, HeapSize heaps) noexcept {
  constexpr HeapSize kUseful = 8;
  return recent > heaps / 2 / kUseful;
}

void ValueCounts::add(HeapSize begin, Values values) {
  values.visit([&](auto table) {
    // If values repeat, adding to a counter must wait for the previous sum, so there are several
    // counters.
    constexpr std::size_t kLanes = 4;
    const std::size_t size = 2 * std::bit_ceil(std::size_t{largest_of(table)} + 1);
    std::vector<std::int64_t> lanes(kLanes * size, 0);
    const auto count = [&](std::size_t lane, HeapSize i) {
      ++lanes[lane * size + 2 * std::size_t{table[i]} + (begin + i) % 2];
    };
    HeapSize i = 0;
    for (; i + kLanes <= table.size(); i += kLanes) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) count(lane, i + lane);
    }
    for (; i < table.size(); ++i) count(0, i);
    if (counts_.size() < size) counts_.resize(size, 0);
    for (std::size_t entry = 0; entry < lanes.size(); ++entry)
      counts_[entry % size] += lanes[entry];
    heaps_ += table.size();
    if (begin > 0 || table.empty()) return;
    --counts_[2 * std::size_t{table[0]}];
    --heaps_;
  });
}

void ValueCounts::add(const ValueCounts& other) {
  if (counts_.size() < other.counts_.size()) counts_.resize(other.counts_.size(), 0);
  for (std::size_t entry = 0; entry < other.counts_.size(); ++entry) {
    counts_[entry] += other.counts_[entry];
  }
  heaps_ += other.heaps_;
}

HeapSize ValueCounts::rare(const Split& split) const noexcept {
  std::int64_t rare = 0;
  for (std::size_t entry = 0; entry < counts_.size(); ++entry) {
    if (!split.is_common(static_cast<Nimber>(entry / 2), entry % 2)) rare += counts_[entry];
  }
  return static_cast<HeapSize>(rare);
}

SplitChoice choose_split(const TwoHeapMoves& moves, Values values) {
  ValueCounts counts;
  counts.add(0, values);
  return choose_split(moves, counts);
}

SplitChoice choose_split(const TwoHeapMoves& moves, const ValueCounts& counts) {
  // Index 2 * value + parity of the heap, so that masks with and without the parity form one set.
  std::vector<std::int64_t> sums = counts.entries();
  walsh_hadamard(sums);
  const auto heaps = static_cast<std::int64_t>(counts.heaps());
  SplitChoice best{{}, static_cast<HeapSize>(heaps)};
  for (std::size_t k = 2; k < sums.size(); ++k) {
    const bool parity = k % 2 == 1;
    if (parity && !moves.one_parity()) continue;
    const Split split = make_split(moves, static_cast<Nimber>(k / 2), parity);
    // `sums` counts heaps with f = 0 minus heaps with f = 1.
    const std::int64_t rare = (heaps + (split.common ? sums[k] : -sums[k])) / 2;
    if (static_cast<HeapSize>(rare) < best.rare) best = {split, static_cast<HeapSize>(rare)};
  }
  return best;
}

}  // namespace grundy::sparse
