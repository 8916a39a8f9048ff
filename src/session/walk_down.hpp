/// @file
/// Finds all positions of a game from its start, and compares a list of its P-positions with the
/// options of each position.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

#include <grundy/graph/graph_game.hpp>
#include <grundy/machine.hpp>

#include "session/stored_graph.hpp"

namespace grundy {

struct WalkReport {
  std::uint64_t proved = 0;  ///< positions
  std::uint64_t listed = 0;  ///< proved positions that are listed
  /// The first position, from the highest potential down, whose options do not agree with the list.
  std::optional<std::vector<std::uint64_t>> wrong{};
};

/// Proves all positions: a position is listed exactly if none of its options is listed. A position
/// without options is listed if the player who cannot move loses. After a stop is requested, some
/// positions are left out.
/// @param told is called with the number of proved positions now and then
/// @pre the game does not split
WalkReport walk_down(const PPositions& list, const GraphGame& game, Executor& executor,
                     const std::stop_token& stop, const std::function<void(std::uint64_t)>& told);

}  // namespace grundy
