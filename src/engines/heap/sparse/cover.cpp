// SPDX-License-Identifier: MIT
#include "engines/heap/sparse/cover.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>

namespace grundy::sparse {
namespace {

constexpr HeapSize kNewest = 1u << 20;  ///< strips are spread over at most this many heaps
/// The hits of 4096 rows in so many strips take 8 MiB, for each thread.
constexpr HeapSize kMostStrips = 256;

/// A row costs as much as the search for one witness costs for this many heaps.
constexpr std::size_t kHeapsOfRow = 1u << 15;
/// The codes that so many strips look back to stay in the cache.
constexpr std::size_t kCachedStrips = 16;
/// Rows that are worth this part of the best one are taken without a look at the others. Finer
/// steps take longer and choose no better rows (NOTES.md).
constexpr std::size_t kStep = 4;
/// What a row must be worth in a small sample.
constexpr std::size_t kLeastWorth = Coverage::kWorthOfHeap / 8;

}  // namespace

HeapSize strips_of(HeapSize size) noexcept {
  const HeapSize few = std::min<HeapSize>(size >> 13, 64);
  const HeapSize many = std::min<HeapSize>(size >> 17, kMostStrips);
  return std::max<HeapSize>({few, many, 8});
}

template <class T>
HeapSample<T>::HeapSample(const SparseTable& table, const KernelSet& kernels,
                          const CodeTables& codes, HeapSize reach)
    : kernels_(kernels.rows), lags_(LaggedSplits(table.moves().splits).lags) {
  const HeapSize size = table.size();
  const HeapSize heaps =
      std::min({size / 2, size - table.window().begin(), kNewest + reach}) / 64 * 64;
  codes_.assign(heaps + 64, kNoCode<T>);
  for (HeapSize i = 0; i < heaps; ++i) {
    const HeapSize n = size - heaps + i;
    const Nimber value = table.window()[n];
    if (table.split().is_common(value, n)) {
      codes_[i] = static_cast<T>(table.split().squeeze(value));
    }
  }
  const HeapSize first = (reach + 63) / 64;
  const HeapSize places = heaps / 64 - first;
  const HeapSize strips = std::min(places, strips_of(size));
  for (HeapSize s = 0; s < strips; ++s) {
    strips_.push_back(static_cast<std::uint32_t>((first + s * places / strips) * 64));
    limits_.resize(limits_.size() + 64);
    codes.write_limits(kernels.codes, static_cast<HeapIndex>(size - heaps + strips_.back()),
                       codes_.data() + strips_.back(), 64, limits_.data() + 64 * s);
  }
}

template <class T>
std::vector<std::uint64_t> HeapSample<T>::greater_limits(Nimber code) const {
  std::vector<std::uint64_t> bits(strips_.size());
  kernels_.of<T>().greater_bits(limits_.data(), limits_.size(), static_cast<T>(code), bits.data());
  return bits;
}

template <class T>
void HeapSample<T>::match(const RowPlan::Source& row, std::size_t first, std::size_t count,
                          std::uint64_t* hits) const noexcept {
  const auto match_at = [&](HeapSize offset, std::uint64_t* into) {
    kernels_.of<T>().match_strips(codes_.data() - static_cast<std::ptrdiff_t>(offset),
                                  strips_.data() + first, count, static_cast<T>(row.row), into);
  };
  match_at(row.offset, hits);
  for (const HeapSize lag : std::span(lags_).subspan(1)) {
    std::uint64_t more[kMostStrips];
    match_at(row.offset + lag, more);
    for (std::size_t s = 0; s < count; ++s) hits[s] |= more[s];
  }
}

void Coverage::add(const std::uint64_t* hits) noexcept {
  for (std::size_t i = 0; i < words_; ++i) {
    std::uint64_t moved = 0;
    for (std::size_t k = 0; k < kCoverTimes; ++k) {
      std::uint64_t& here = covered_[k * words_ + i];
      const std::uint64_t hit = here & hits[i];
      here = (here ^ hit) | moved;
      moved = hit;
    }
  }
}

template <class T>
std::vector<std::uint64_t> HeapSample<T>::uncovered(std::span<const RowPlan::Source> rows,
                                                    std::vector<std::uint64_t> open) const {
  std::vector<std::uint64_t> hits(strips_.size());
  for (const RowPlan::Source& row : rows) {
    match(row, 0, strips_.size(), hits.data());
    for (std::size_t w = 0; w < hits.size(); ++w) open[w] &= ~hits[w];
  }
  return open;
}

template <class T>
std::vector<RowPlan::Source> HeapSample<T>::cover(std::span<const RowPlan::Source> pool,
                                                  std::vector<std::uint64_t> needed) const {
  Coverage coverage(std::move(needed));
  const std::size_t words = strips_.size();
  const std::size_t enough =
      std::max(kLeastWorth, 64 * words * Coverage::kWorthOfHeap / kHeapsOfRow);
  const auto hits = std::make_unique_for_overwrite<std::uint64_t[]>(pool.size() * words);
  for (std::size_t first = 0; first < words; first += kCachedStrips) {
    const std::size_t count = std::min(kCachedStrips, words - first);
    for (std::size_t i = 0; i < pool.size(); ++i) {
      match(pool[i], first, count, &hits[i * words + first]);
    }
  }
  // A row is never worth more than when it was last looked at.
  struct Row {
    std::size_t most;
    std::size_t place;
  };
  std::vector<Row> rows;
  std::size_t most = 0;
  for (std::size_t i = 0; i < pool.size(); ++i) {
    const std::size_t worth = coverage.worth(kernels_, &hits[i * words]);
    if (worth >= enough) rows.push_back({worth, i});
    most = std::max(most, worth);
  }
  std::vector<RowPlan::Source> chosen;
  for (std::size_t wanted = most; !rows.empty();) {
    wanted = std::max(enough, wanted / kStep);
    std::erase_if(rows, [&](Row& row) {
      if (row.most < wanted) return false;
      const std::uint64_t* const hit = &hits[row.place * words];
      row.most = coverage.worth(kernels_, hit);
      if (row.most < wanted) return row.most < enough;
      coverage.add(hit);
      chosen.push_back(pool[row.place]);
      return true;
    });
    if (wanted == enough) break;
  }
  return chosen;
}

template class HeapSample<std::uint8_t>;
template class HeapSample<std::uint16_t>;

}  // namespace grundy::sparse
