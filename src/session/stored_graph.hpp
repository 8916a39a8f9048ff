/// @file
/// A stored table of positions and its game.
///
/// Digests are no signatures: whoever makes a file can make its digests. So a key of a table is
/// handed to its game only after the game has accepted it as one of its positions.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <grundy/graph/file.hpp>
#include <grundy/machine.hpp>

namespace grundy {

/// Reads a file, and counts its rows anew to check its record of them.
/// @param memory_limit bytes for what is read; unset: no limit
/// @throws Error as read_graph_file(), and Error(kCorrupt) if the counts differ
GraphFile read_stored_graph(const std::filesystem::path& path,
                            std::optional<std::uint64_t> memory_limit = {});

/// What a game without a name is called.
inline constexpr const char* kNamelessGame = "a game without a name";

/// The name of the game of a file for a message: in quotes, or that it has none.
std::string quoted_game(const std::string& name);

/// The game of a file: the one that is given, or else the game of the catalogue with its name. Null
/// if the catalogue has none of that name.
/// @throws Error(kCorrupt) if the game cannot be made here, if its graph or order has changed, if
///   the start position is another one, or for misère values of components; Error(kUsage) if the
///   game that is given counts other positions as one
std::shared_ptr<const GraphGame> game_of(const GraphFile& file, const std::filesystem::path& path,
                                         std::shared_ptr<const GraphGame> given = nullptr);

/// The game of a list of P-positions, which need not have the start position.
std::shared_ptr<const GraphGame> game_of(const PPositions& file, const std::filesystem::path& path,
                                         std::shared_ptr<const GraphGame> given = nullptr);

/// Returns `game`, that of a file. @throws Error(kUsage) if it is null
std::shared_ptr<const GraphGame> required_game(std::shared_ptr<const GraphGame> game,
                                               const GraphFileInfo& info,
                                               const std::filesystem::path& path);

/// The rows whose sum is a position, as its game writes it. Without a game a position is its key,
/// as key_text() writes it.
/// @param game may be null
/// @throws Error(kUsage) if it is not a position, or not in the table
std::vector<std::uint64_t> rows_of(const GraphFile& file, const GraphGame* game,
                                   std::string_view position, const std::filesystem::path& path);

/// Checks with the game that the key of each row is a position, and that it is the one which stands
/// for all positions that count as the same. O(rows)
/// @throws Error(kCorrupt) with the first row that fails
void check_keys(const GraphTable& table, const std::string& name, const GraphGame& game,
                Executor& executor, const std::filesystem::path& path);

}  // namespace grundy
