/// @file
/// A stored table of positions and the game that it is of.
///
/// Digests are no signatures: whoever makes a file can make its digests. So nothing of a table is
/// handed to its game before the game was asked whether it is one of its positions.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>

#include <grundy/games.hpp>
#include <grundy/graph/file.hpp>
#include <grundy/machine.hpp>

namespace grundy {

/// Reads a file and counts what it records of its rows anew.
/// @param memory_limit bytes for what is read; unset: no limit
/// @throws Error as read_graph_file(), and Error(kCorrupt) if the counts differ
GraphFile read_stored_graph(const std::filesystem::path& path,
                            std::optional<std::uint64_t> memory_limit = {});

/// The game of a file.
/// @throws Error(kCorrupt) if it is not known here, if a graph or an order that it is played on has
/// changed, if the start position is another, or for misère values of components
AnyGame game_of(const GraphFile& file, const std::filesystem::path& path);

/// Likewise, of a list of P-positions, which need not have the start position.
AnyGame game_of(const PPositions& file, const std::filesystem::path& path);

/// Asks the game whether the key of each row is a position of it, and the one that stands for those
/// that count as one with it. O(rows)
/// @throws Error(kCorrupt) with the first row whose key is not
void check_keys(const GraphTable& table, const std::string& name, const GraphGame& game,
                Executor& executor, const std::filesystem::path& path);

}  // namespace grundy
