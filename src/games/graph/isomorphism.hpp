/// @file
/// Isomorphism of the graphs that sets of cells of a board are. Two bent paths are one and the same
/// graph, but no symmetry of the board tells so.
///
/// Cells get colours that an isomorphism preserves (colour refinement, the Weisfeiler-Leman test of
/// dimension 1; BoardKernels::colour()). Colours guide the search for an isomorphism. What proves
/// it is that every edge was found again.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include "games/graph/board.hpp"
#include "kernels/kernels.hpp"

namespace grundy::graph {

/// For each set a number that sets share which are isomorphic, and others hardly ever.
/// @pre hashes.size() == sets.size(); the board has more than one row
void isomorphism_hashes(const Board& board, const KernelSet& kernels,
                        std::span<const std::uint64_t> sets,
                        std::span<std::uint64_t> hashes) noexcept;

/// True only if the sets a and b are isomorphic. Of cells that colours do not tell apart
/// the first one is taken, so an isomorphism can be missed. @pre the board has more than one row
[[nodiscard]] bool are_isomorphic(const Board& board, const KernelSet& kernels, std::uint64_t a,
                                  std::uint64_t b) noexcept;

}  // namespace grundy::graph
