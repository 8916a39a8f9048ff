/// @file
/// How often each code occurs among the most recent heaps.
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
  /// The rows through which `taps` reach `code`, the densest first, at most `most` of them. Equally
  /// dense rows keep the order of the taps. Rows without a recent heap are left out.
  [[nodiscard]] std::vector<RowPlan::Source> densest(Nimber code, std::span<const Tap> taps,
                                                     std::size_t most) const;

 private:
  std::vector<HeapSize> count_;  ///< by code
  HeapSize heaps_;
  std::vector<std::uint32_t> rank_;  ///< by code; 0: the most frequent
  std::uint32_t occurring_ = 0;      ///< codes of this rank and above have no heaps
};

}  // namespace grundy::sparse
