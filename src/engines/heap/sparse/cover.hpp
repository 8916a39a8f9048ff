/// @file
/// Which bit rows decide a code for most heaps, learned from heaps that have values.
///
/// It does not do to take the densest rows. Values of these games follow hidden frequencies (common
/// ones of Grundy's game recur after 58, 61, 116, 119, ... heaps), so the hits of dense rows
/// coincide. A greedy *cover* takes the rows that decide most of what is still open. One cover fits
/// a small sample too well; a second cover with other rows makes up for that. The sample consists
/// of *strips* of 64 heaps that are spread over many heaps, because neighbours say less about later
/// heaps.
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
  HeapSample(const SparseTable& table, const RowKernels& kernels, const CodeTables& codes,
             HeapSize reach);

  /// For the heaps of the sample, a bit each: whether the heap's limit is greater than `code`
  /// (CodeTables::limit).
  [[nodiscard]] std::vector<std::uint64_t> greater_limits(Nimber code) const;
  /// Rows of `pool` that cover the bits `open` greedily, as far as they can be: so many times, each
  /// time with rows that were not taken before.
  [[nodiscard]] std::vector<RowPlan::Source> cover(std::span<const RowPlan::Source> pool,
                                                   std::vector<std::uint64_t> open,
                                                   std::size_t times) const;

 private:
  const RowKernels& kernels_;
  std::vector<std::uint8_t> codes_;    ///< of the newest part of the table, without gaps
  std::vector<std::uint32_t> strips_;  ///< where in it the strips begin
  std::vector<std::uint8_t> limits_;   ///< of the sample's heaps
};

}  // namespace grundy::sparse
