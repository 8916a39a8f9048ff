/// @file
/// The bit rows that are read to see whether a code is reached.
///
/// A plan lists pairs of a tap and a row, under the first split if it stands for others
/// (LaggedSplits). The row of code w = v ^ (the code of the tap), shifted by
/// the offset of the tap, holds the heaps from which this tap reaches code v.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <vector>

#include <grundy/types.hpp>

#include "kernels/row_kernels.hpp"

namespace grundy::sparse {

/// Rows that are ORed, each shifted by the offset of its tap.
class RowPlan {
 public:
  struct Source {
    Nimber row;
    HeapSize offset;
    friend auto operator<=>(const Source&, const Source&) = default;

    /// The bit for heap n lies `offset` bits before the place of n in the row. It is bit shift() of
    /// the byte that is byte() bytes after the place of n in row 0.
    [[nodiscard]] std::int64_t byte(std::size_t stride) const noexcept {
      return static_cast<std::int64_t>(row * stride * 8) -
             static_cast<std::int64_t>((offset + 7) / 8);
    }
    [[nodiscard]] unsigned shift() const noexcept { return static_cast<unsigned>(0 - offset) % 8; }
  };
  RowPlan() = default;
  /// @param stride number of words from one row to the next
  RowPlan(std::vector<Source> sources, std::size_t stride);
  /// into |= all sources, for 64 * words heaps. `base` is the byte of the first heap in row 0.
  void collect(const RowKernels& kernels, const std::uint8_t* base, std::uint64_t* into,
               std::size_t words) const noexcept {
    kernels.or_shifted(base, bytes_.data(), begin_.data(), into, words);
  }

 private:
  std::vector<std::int64_t> bytes_;       ///< distances from `base`, ordered by shift
  std::array<std::uint32_t, 9> begin_{};  ///< the first source of each shift
};

}  // namespace grundy::sparse
