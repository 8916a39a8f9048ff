/// @file
/// The sizes of a fast phase, and how they follow from the table.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include <grundy/types.hpp>

#include "engines/heap/sparse/table.hpp"

namespace grundy::sparse {

/// Heaps per block where codes have two bytes, at most.
inline constexpr HeapSize kLargestMarkBlock = 2048;

struct PhaseShape {
  HeapSize block;     ///< heaps per round, a multiple of 64
  HeapSize lookback;  ///< how far back bit rows, or pairs of codes, reach
  Nimber code_limit;  ///< codes are below; a power of two

  friend bool operator==(const PhaseShape&, const PhaseShape&) = default;
};

/// The codes of the values so far are below this power of two.
Nimber code_limit_of(const SparseTable& table) noexcept;

/// Whether reached codes are better kept as one word a heap than in planes.
bool words_pay(const SparseTable& table, Nimber code_limit) noexcept;

/// The shape of a phase that begins at the table's end.
/// @param code_bytes bytes of a code, 1 or 2
/// @param most heaps per block, at most
PhaseShape shape_of(const SparseTable& table, std::size_t code_bytes, HeapSize most,
                    std::size_t threads) noexcept;

/// A pair of common heaps is looked for only where the smaller heap is at most this. Then its
/// partner lies in the windows, and the smaller heap is far below half of any heap that is checked.
HeapSize witness_reach(const SparseTable& table, const PhaseShape& shape) noexcept;

}  // namespace grundy::sparse
