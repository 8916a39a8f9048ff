/// @file
/// The sizes of a fast phase, which follow from the table.
// SPDX-License-Identifier: MIT
#pragma once

#include <grundy/types.hpp>

#include "engines/heap/sparse/table.hpp"
#include "kernels/tap_kernels.hpp"

namespace grundy::sparse {

/// A fast phase has at most this many codes. More would need too much memory for rows and planes.
inline constexpr Nimber kMostCodes = kMostPlanes * kPlaneCodes;

struct PhaseShape {
  HeapSize block;     ///< the most heaps of a block, a multiple of 64
  HeapSize lookback;  ///< how far back bit rows reach, or pairs of codes
  Nimber code_limit;  ///< all codes are below it; a power of two

  friend bool operator==(const PhaseShape&, const PhaseShape&) = default;
};

/// A power of two above the codes of all values so far.
Nimber code_limit_of(const SparseTable& table) noexcept;

/// Whether one word for each heap is a better form of the reached codes than planes.
bool words_pay(const SparseTable& table, Nimber code_limit) noexcept;

/// The shape of a phase that begins at the end of the table.
/// @param common nearly all heaps have codes below it
/// @param most the most heaps of a block
PhaseShape shape_of(const SparseTable& table, Nimber common, HeapSize most) noexcept;

/// Whether bit rows are a better form of the codes of pairs than planes, if nearly all heaps have
/// codes below `common`. The fewer codes there are, the denser are their rows.
bool rows_pay(Nimber common, Nimber code_limit) noexcept;

/// The largest smaller heap of the pairs of common heaps that are looked for. Then the partner lies
/// in the windows, and the smaller heap is far below half of any heap that is checked.
HeapSize witness_reach(const SparseTable& table, const PhaseShape& shape) noexcept;

/// The part of witness_reach() that searches for one code look through. Rows must not reach beyond
/// it: then it does not depend on them which pair is found.
HeapSize searched_reach(const SparseTable& table, const PhaseShape& shape) noexcept;

/// What is noted for it as the depth of witnesses, at least as much. It does not depend on whether
/// there are rows, which may follow from where the phase began.
HeapSize noted_reach(const SparseTable& table, const PhaseShape& shape) noexcept;

}  // namespace grundy::sparse
