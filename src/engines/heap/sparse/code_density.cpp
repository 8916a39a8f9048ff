// SPDX-License-Identifier: MIT
#include "engines/heap/sparse/code_density.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

namespace grundy::sparse {
namespace {

/// The most heaps that are counted.
constexpr HeapSize kSample = 1u << 15;

}  // namespace

CodeDensity::CodeDensity(const SparseTable& table, Nimber code_limit)
    : count_(code_limit, 0),
      heaps_(std::min({table.size() / 2, table.size() - table.window().begin(), kSample})),
      rank_(code_limit) {
  for (HeapSize n = table.size() - heaps_; n < table.size(); ++n) {
    const Nimber value = table.window()[n];
    if (table.split().is_common(value, n)) ++count_[table.split().squeeze(value)];
  }
  std::vector<Nimber> order(code_limit);
  std::iota(order.begin(), order.end(), Nimber{0});
  std::ranges::stable_sort(order, std::greater(), [&](Nimber code) { return count_[code]; });
  for (std::uint32_t i = 0; i < code_limit; ++i) {
    rank_[order[i]] = i;
    if (count_[order[i]] > 0) occurring_ = i + 1;
  }
}

Nimber CodeDensity::quantile(HeapSize part) const noexcept {
  auto code = static_cast<Nimber>(count_.size());
  for (HeapSize above = 0; code > 0 && (above + count_[code - 1]) * part <= heaps_; --code) {
    above += count_[code - 1];
  }
  return code;
}

std::vector<RowPlan::Source> CodeDensity::densest(Nimber code, std::span<const Tap> taps,
                                                  std::size_t most) const {
  // Counting sort by rank.
  std::vector<std::size_t> place(occurring_ + 1, 0);
  for (const Tap& tap : taps) {
    const std::uint32_t rank = rank_[code ^ tap.code];
    if (rank < occurring_) ++place[rank + 1];
  }
  std::partial_sum(place.begin(), place.end(), place.begin());
  std::vector<RowPlan::Source> sources(place.back());
  for (const Tap& tap : taps) {
    const std::uint32_t rank = rank_[code ^ tap.code];
    if (rank < occurring_) sources[place[rank]++] = {code ^ tap.code, tap.offset};
  }
  sources.resize(std::min(most, sources.size()));
  return sources;
}

}  // namespace grundy::sparse
