/// @file
/// Counts how often each code occurs among the most recent heaps.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <grundy/types.hpp>

#include "engines/heap/sparse/row_plan.hpp"
#include "engines/heap/sparse/table.hpp"
#include "engines/heap/sparse/taps.hpp"

namespace grundy::sparse {

class CodeDensity {
 public:
  CodeDensity(const SparseTable& table, Nimber code_limit);

  /// The least code such that at most one heap in `part` has this code or a larger one.
  [[nodiscard]] Nimber quantile(HeapSize part) const noexcept;
  /// The densest rows through which `taps` reach `code`, at most `most` of them, the densest first.
  /// Equally dense rows keep the order of the taps. Rows without a recent heap are left out.
  [[nodiscard]] std::vector<RowPlan::Source> densest(Nimber code, std::span<const Tap> taps,
                                                     std::size_t most) const;

 private:
  std::vector<HeapSize> count_;  ///< by code
  HeapSize heaps_;
  std::vector<std::uint32_t> rank_;  ///< by code; 0 for the most frequent one
  std::uint32_t occurring_ = 0;      ///< codes of this rank or above have no heaps
};

}  // namespace grundy::sparse
