/// @file
/// A stored table of positions and its game.
///
/// Digests are no signatures: whoever makes a file can make its digests. So a key of a table is
/// handed to its game only after the game has accepted it as one of its positions.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>

#include <grundy/games.hpp>
#include <grundy/graph/file.hpp>
#include <grundy/machine.hpp>

namespace grundy {

/// Reads a file, and counts its rows anew to check its record of them.
/// @param memory_limit bytes for what is read; unset: no limit
/// @throws Error as read_graph_file(), and Error(kCorrupt) if the counts differ
GraphFile read_stored_graph(const std::filesystem::path& path,
                            std::optional<std::uint64_t> memory_limit = {});

/// The game of a file.
/// @throws Error(kCorrupt) if the game is not known here, if its graph or order has changed, if the
///   start position is another one, or for misère values of components
AnyGame game_of(const GraphFile& file, const std::filesystem::path& path);

/// The game of a list of P-positions, which need not have the start position.
AnyGame game_of(const PPositions& file, const std::filesystem::path& path);

/// Checks with the game that the key of each row is a position, and that it is the one which stands
/// for all positions that count as the same. O(rows)
/// @throws Error(kCorrupt) with the first row that fails
void check_keys(const GraphTable& table, const std::string& name, const GraphGame& game,
                Executor& executor, const std::filesystem::path& path);

}  // namespace grundy
