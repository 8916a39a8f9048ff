/// @file
/// Which bit rows are read to see whether a code is reached.
///
/// A plan names (tap, row) pairs: shifted by the tap's offset, the row of code w = v ^ tap code
/// holds the heaps at which this tap reaches v.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <grundy/types.hpp>

#include "kernels/row_kernels.hpp"

namespace grundy::sparse {

/// Rows to be ORed, each shifted to where its tap points.
class RowPlan {
 public:
  struct Source {
    Nimber row;
    HeapSize offset;

    /// The bit that tells of heap n lies `offset` bits before the place of n in the row: so many
    /// bytes from the place of n in row 0,
    [[nodiscard]] std::int64_t byte(std::size_t stride) const noexcept {
      return static_cast<std::int64_t>(row * stride * 8) -
             static_cast<std::int64_t>((offset + 7) / 8);
    }
    /// and so many bits onward from there.
    [[nodiscard]] unsigned shift() const noexcept { return static_cast<unsigned>(0 - offset) % 8; }
  };
  RowPlan() = default;
  /// @param stride words from one row to the next
  RowPlan(std::vector<Source> sources, std::size_t stride);
  /// into |= all sources, for the 64 * words heaps from the one on whose byte of row 0 is `base`.
  void collect(const RowKernels& kernels, const std::uint8_t* base, std::uint64_t* into,
               std::size_t words) const noexcept;

 private:
  std::vector<std::int64_t> bytes_;       ///< from `base`; ordered by shift
  std::array<std::uint32_t, 9> begin_{};  ///< of the sources of each shift
};

}  // namespace grundy::sparse
