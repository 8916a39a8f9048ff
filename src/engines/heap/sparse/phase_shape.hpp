/// @file
/// The sizes of a fast phase, which follow from the table.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include <grundy/types.hpp>

#include "engines/heap/sparse/table.hpp"

namespace grundy::sparse {

/// The most heaps in a block with codes of two bytes.
inline constexpr HeapSize kLargestMarkBlock = 2048;

struct PhaseShape {
  HeapSize block;     ///< number of heaps in a round, a multiple of 64
  HeapSize lookback;  ///< how far back bit rows, or pairs of codes, reach
  Nimber code_limit;  ///< all codes are below it; a power of two

  friend bool operator==(const PhaseShape&, const PhaseShape&) = default;
};

/// A power of two above the codes of all values so far.
Nimber code_limit_of(const SparseTable& table) noexcept;

/// Whether one word for each heap is a better form of the reached codes than planes.
bool words_pay(const SparseTable& table, Nimber code_limit) noexcept;

/// Whether there are so few threads that they hardly wait for the sequential stage.
bool are_few(std::size_t threads) noexcept;

/// The shape of a phase that begins at the end of the table.
/// @param code_bytes number of bytes of a code, 1 or 2
/// @param most the most heaps of a block
PhaseShape shape_of(const SparseTable& table, std::size_t code_bytes, HeapSize most,
                    std::size_t threads) noexcept;

/// The largest smaller heap of the pairs of common heaps that are looked for. Then the partner lies
/// in the windows, and the smaller heap is far below half of any heap that is checked.
HeapSize witness_reach(const SparseTable& table, const PhaseShape& shape) noexcept;

}  // namespace grundy::sparse
