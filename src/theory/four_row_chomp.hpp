/// @file
/// The P-positions of four-row Chomp, by a way that shares no code with the engine, so that lists
/// are proved by it.
///
/// Rows are a >= b >= c >= d. For each a, b, c there is at most one d with which they are a
/// P-position, since a longer last row can be shortened to it: the least d that no move in the
/// first three rows forbids by leading to a P-position. Such a move leaves l squares of a row and
/// at most l of the rows below it. If the P-position that it leads to has e squares in its last
/// row,
/// - d = e is forbidden: the last row was left as it is,
/// - and, if e = l, all larger d: the last row was cut to l.
///
/// What is forbidden stands in sets of numbers d, one for each row that is shortened and each way
/// in which that cuts the second and third row. Sets grow with l.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include <grundy/sink.hpp>

namespace grundy {

/// The rows of a position, the longest first.
using FourRows = std::array<std::uint32_t, 4>;

/// Calls `visit` with every P-position whose longest row has at most `longest` squares, in
/// ascending order of the rows, until it returns kStop. The first one is the bar without squares,
/// which does not occur in play. Takes O(longest^3) steps of a few words.
void for_each_p_position_of_chomp(std::uint32_t longest,
                                  const std::function<Flow(const FourRows&)>& visit);

/// The bytes that this takes.
std::uint64_t p_positions_of_chomp_bytes(std::uint32_t longest) noexcept;

}  // namespace grundy
