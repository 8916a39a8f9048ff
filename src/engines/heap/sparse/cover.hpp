/// @file
/// Learns from heaps that have values which bit rows decide a code for most heaps.
///
/// The densest rows are a bad choice. Values of these games follow hidden frequencies (common
/// values of Grundy's game recur after 58, 61, 116, 119, ... heaps), so dense rows hit the same
/// heaps. A *cover* takes row after row, first those that are worth most. What a row that covers a
/// heap is worth there falls to a quarter with each row before it that covers the heap, too: a heap
/// of the sample stands for many others, which these rows cover more or less often. The
/// sample consists of *strips* of 64 heaps. They are spread over many heaps, because strips that
/// lie close together say less about later heaps.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <grundy/types.hpp>

#include "engines/heap/sparse/code_tables.hpp"
#include "engines/heap/sparse/row_plan.hpp"
#include "engines/heap/sparse/sliding_window.hpp"
#include "engines/heap/sparse/table.hpp"

namespace grundy::sparse {

/// How many rows cover each heap that needs one: bit vectors of the heaps of a sample that need a
/// row and have exactly 0, 1, .. kCoverTimes - 1 of them.
class Coverage {
 public:
  explicit Coverage(std::vector<std::uint64_t> needed)
      : words_(needed.size()), covered_(std::move(needed)) {
    covered_.resize(kCoverTimes * words_, 0);
  }

  /// Adds a row that covers the heaps `hits`.
  void add(const std::uint64_t* hits) noexcept;
  /// What such a row is worth: kWorthOfHeap for each heap that no row covers, and less for others.
  [[nodiscard]] std::size_t worth(const RowKernels& kernels,
                                  const std::uint64_t* hits) const noexcept {
    return kernels.worth(hits, covered_.data(), words_);
  }
  static constexpr std::size_t kWorthOfHeap = std::size_t{1} << 2 * (kCoverTimes - 1);

 private:
  std::size_t words_;
  std::vector<std::uint64_t> covered_;
};

/// Number of strips in a sample of a table with `size` heaps, if it has room for them: more strips
/// tell more, and cost more, and a long table is worth it.
[[nodiscard]] HeapSize strips_of(HeapSize size) noexcept;

/// Strips of 64 heaps, spread evenly over the newest part of the table.
/// @tparam T type of a code, std::uint8_t or std::uint16_t
template <class T>
class HeapSample {
 public:
  /// @param reach the longest offset of a row
  HeapSample(const SparseTable& table, const KernelSet& kernels, const CodeTables& codes,
             HeapSize reach);

  /// One bit for each heap of the sample: whether its limit (CodeTables::limit) is greater than
  /// `code`.
  [[nodiscard]] std::vector<std::uint64_t> greater_limits(Nimber code) const;
  /// The bits of `open` that none of these rows covers.
  [[nodiscard]] std::vector<std::uint64_t> uncovered(std::span<const RowPlan::Source> rows,
                                                     std::vector<std::uint64_t> open) const;
  /// Rows of `pool` that cover the bits `needed`, as long as they are worth it.
  [[nodiscard]] std::vector<RowPlan::Source> cover(std::span<const RowPlan::Source> pool,
                                                   std::vector<std::uint64_t> needed) const;

 private:
  /// Writes to `hits` which heaps of `count` strips from `first` on a row covers, under all splits
  /// (LaggedSplits).
  void match(const RowPlan::Source& row, std::size_t first, std::size_t count,
             std::uint64_t* hits) const noexcept;

  const RowKernels& kernels_;
  const std::vector<HeapSize> lags_;
  std::vector<T> codes_;               ///< of the newest part of the table, without gaps
  std::vector<std::uint32_t> strips_;  ///< where the strips begin in codes_
  std::vector<T> limits_;              ///< of the heaps of the sample
};

}  // namespace grundy::sparse
