/// @file
/// P-positions of four-row Chomp.
///
/// Let a >= b >= c >= d be the rows. For given a, b, c there is at most one d such that (a,b,c,d)
/// is a P-position, because a player can bite a longer last row down to d. Call this d D(a,b,c), if
/// it exists. A bite into one of the first three rows at square j leaves the rows (a',b',c') of a
/// three-row position and the last row min(d, j). If d <= j, the last row stays d, and the bite
/// leaves a P-position exactly if d = D(a',b',c'). If d > j, then c' = j, and the bite leaves a
/// P-position exactly if D(a',b',c') = j. Let d be the least number that is not the D of an option
/// of (a,b,c) in three-row Chomp. Then D(a,b,c) = d if d <= c, and d < j for all j such that an
/// option (.., j) has D = j. Otherwise D(a,b,c) does not exist.
///
/// The D of the options that shorten one row fill a bit set over d, which grows while that row
/// grows and the other rows stay the same. There is one set for each (b,c) and the first row, one
/// for each c and the second row, and one for the third row. A bite may also cut longer rows; then
/// these rows are all equal afterwards. Sets for equal rows are kept as well, and each set begins
/// as a copy of one of them. So a position of three rows costs one search for a zero in the union
/// of three sets, and one bit in each.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <grundy/lattice/engine.hpp>

namespace grundy {

/// Whether the rule is Chomp and nothing else, with four rows, in a sorted shape.
bool is_four_row_chomp(const LatticeRule& rule, const LatticeShape& shape) noexcept;

/// The bytes for rows below n: about n^3 / 48.
std::uint64_t chomp_outcomes_bytes(const LatticeShape& shape) noexcept;

/// run_outcomes() for this game. Takes O(n^3) steps of a few words, and hands over
/// n^4 / 24 outcomes.
/// @pre is_four_row_chomp()
RunStatus run_chomp_outcomes(const LatticeTask& task, ValueSink& sink);

}  // namespace grundy
