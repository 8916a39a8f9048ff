/// @file
/// P-positions of four-row Chomp.
///
/// Let a >= b >= c >= d be the rows. For given a, b, c there is at most one d such that (a,b,c,d)
/// is a P-position, because from a longer last row one bites down to it. Call it D(a,b,c), if it
/// exists. A bite into one of the first three rows at square j leaves the rows (a',b',c') of a
/// three-row position and the last row min(d, j). If d <= j, it leaves d, and a P-position exactly
/// if d = D(a',b',c'). If d > j, then c' = j, and it leaves a P-position exactly if D(a',b',c') =
/// j. So D(a,b,c) is the least number d that no option of (a,b,c) in three-row Chomp has as its D,
/// if d <= c, and d < j for all j with an option (.., j) whose D is j; else there is none.
///
/// The options that come from one row fill a bit set over d, which grows while that row grows
/// and the others stay: one for each (b,c) and the first row, one for each c and the second, one
/// for the third. Where a bite cuts longer rows too, all of them are equal afterwards: sets for
/// equal rows are kept beside, and a set begins as a copy of theirs. So a position of three rows
/// takes one look for a zero in the union of three sets, and a bit in each.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <grundy/lattice/engine.hpp>

namespace grundy {

/// Whether the rule is Chomp and nothing else, of four rows, in a sorted shape.
bool is_four_row_chomp(const LatticeRule& rule, const LatticeShape& shape) noexcept;

/// About n^3 / 48 bytes for rows below n.
std::uint64_t chomp_outcomes_bytes(const LatticeShape& shape) noexcept;

/// run_outcomes() of it. O(n^3) steps of a few words, and the n^4 / 24 outcomes, handed over.
/// @pre is_four_row_chomp()
RunStatus run_chomp_outcomes(const LatticeTask& task, ValueSink& sink);

}  // namespace grundy
