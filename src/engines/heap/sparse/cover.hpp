/// @file
/// Learns from heaps that have values which bit rows decide a code for most heaps.
///
/// The densest rows are a bad choice. Values of these games follow hidden frequencies (common
/// values of Grundy's game recur after 58, 61, 116, 119, ... heaps), so dense rows hit the same
/// heaps. A greedy *cover* takes the rows that decide most of the heaps that are still open. One
/// cover fits a small sample too well; a second cover with other rows makes up for that. The sample
/// consists of *strips* of 64 heaps. They are spread over many heaps, because strips that lie close
/// together say less about later heaps.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <grundy/types.hpp>

#include "engines/heap/sparse/code_tables.hpp"
#include "engines/heap/sparse/row_plan.hpp"
#include "engines/heap/sparse/sliding_window.hpp"
#include "engines/heap/sparse/table.hpp"

namespace grundy::sparse {

/// Strips of 64 heaps, spread evenly over the newest part of the table.
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
  /// Rows of `pool` that cover the bits `open`, greedily and as far as possible. Makes `times`
  /// covers; no row is in two of them.
  [[nodiscard]] std::vector<RowPlan::Source> cover(std::span<const RowPlan::Source> pool,
                                                   std::vector<std::uint64_t> open,
                                                   std::size_t times) const;

 private:
  /// Writes to `hits` which of the bits `open` a row covers. Returns their number.
  std::size_t match(const RowPlan::Source& row, const std::vector<std::uint64_t>& open,
                    std::uint64_t* hits) const noexcept;

  const RowKernels& kernels_;
  std::vector<std::uint8_t> codes_;    ///< of the newest part of the table, without gaps
  std::vector<std::uint32_t> strips_;  ///< where the strips begin in codes_
  std::vector<std::uint8_t> limits_;   ///< of the heaps of the sample
};

}  // namespace grundy::sparse
