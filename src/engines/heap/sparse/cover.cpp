// SPDX-License-Identifier: MIT
#include "engines/heap/sparse/cover.hpp"

#include <algorithm>
#include <cstddef>

namespace grundy::sparse {
namespace {

constexpr HeapSize kNewest = 1u << 20;       ///< strips are spread over at most this many heaps
constexpr HeapSize kHeapsAStrip = 1u << 13;  ///< number of heaps of the table for each strip
constexpr HeapSize kMostStrips = 64;
constexpr HeapSize kLeastStrips = 8;

}  // namespace

HeapSample::HeapSample(const SparseTable& table, const KernelSet& kernels, const CodeTables& codes,
                       HeapSize reach)
    : kernels_(kernels.rows) {
  const HeapSize size = table.size();
  const HeapSize heaps =
      std::min({size / 2, size - table.window().begin(), kNewest + reach}) / 64 * 64;
  codes_.assign(heaps + 64, kNoCode<std::uint8_t>);
  for (HeapSize i = 0; i < heaps; ++i) {
    const HeapSize n = size - heaps + i;
    const Nimber value = table.window()[n];
    if (table.split().is_common(value, n)) {
      codes_[i] = static_cast<std::uint8_t>(table.split().squeeze(value));
    }
  }
  const HeapSize first = (reach + 63) / 64;
  const HeapSize places = heaps / 64 - first;
  const HeapSize strips =
      std::min(places, std::clamp(size / kHeapsAStrip, kLeastStrips, kMostStrips));
  for (HeapSize s = 0; s < strips; ++s) {
    strips_.push_back(static_cast<std::uint32_t>((first + s * places / strips) * 64));
    limits_.resize(limits_.size() + 64);
    codes.write_limits(kernels.codes, static_cast<HeapIndex>(size - heaps + strips_.back()),
                       codes_.data() + strips_.back(), 64, limits_.data() + 64 * s);
  }
}

std::vector<std::uint64_t> HeapSample::greater_limits(Nimber code) const {
  std::vector<std::uint64_t> bits(strips_.size());
  kernels_.greater_bits(limits_.data(), limits_.size(), static_cast<std::uint8_t>(code),
                        bits.data());
  return bits;
}

std::size_t HeapSample::match(const RowPlan::Source& row, const std::vector<std::uint64_t>& open,
                              std::uint64_t* hits) const noexcept {
  return kernels_.match_strips(codes_.data() - static_cast<std::ptrdiff_t>(row.offset),
                               strips_.data(), strips_.size(), static_cast<std::uint8_t>(row.row),
                               open.data(), hits);
}

std::vector<std::uint64_t> HeapSample::uncovered(std::span<const RowPlan::Source> rows,
                                                 std::vector<std::uint64_t> open) const {
  std::vector<std::uint64_t> hits(strips_.size());
  for (const RowPlan::Source& row : rows) {
    if (match(row, open, hits.data()) == 0) continue;
    for (std::size_t w = 0; w < hits.size(); ++w) open[w] &= ~hits[w];
  }
  return open;
}

std::vector<RowPlan::Source> HeapSample::cover(std::span<const RowPlan::Source> pool,
                                               std::vector<std::uint64_t> open,
                                               std::size_t times) const {
  const std::size_t words = strips_.size();
  std::vector<std::uint64_t> hits(pool.size() * words);
  // A source never covers more than when it was last counted.
  struct Gain {
    std::size_t most;
    std::size_t source;
  };
  std::vector<Gain> gains;
  std::vector<std::uint8_t> used(pool.size());
  for (std::size_t i = 0; i < pool.size(); ++i) {
    const std::size_t gain = match(pool[i], open, hits.data() + i * words);
    if (gain > 0) gains.push_back({gain, i});
  }
  std::vector<RowPlan::Source> chosen;
  const std::vector<std::uint64_t> nothing(words);
  const std::size_t all = kernels_.count_and_not(open.data(), nothing.data(), words);
  for (std::size_t time = 0; time < times; ++time) {
    std::vector<std::uint64_t> uncovered = open;
    std::erase_if(gains, [&](const Gain& gain) { return used[gain.source] != 0; });
    std::vector<Gain> left = gains;
    std::size_t count = all;
    // Takes every source that adds enough. The required number shrinks to a single heap.
    for (std::size_t enough = all / 4 + 1; count > 0; enough = enough - enough / 4) {
      std::erase_if(left, [&](Gain& gain) {
        if (gain.most < enough) return false;
        const std::uint64_t* const hit = hits.data() + gain.source * words;
        const std::size_t after = kernels_.count_and_not(uncovered.data(), hit, words);
        gain.most = count - after;
        if (gain.most < enough) return gain.most == 0;
        for (std::size_t w = 0; w < words; ++w) uncovered[w] &= ~hit[w];
        count = after;
        chosen.push_back(pool[gain.source]);
        used[gain.source] = 1;
        return true;
      });
      if (enough < 4) {
        if (enough == 1) break;
        --enough;
      }
    }
  }
  return chosen;
}

}  // namespace grundy::sparse
