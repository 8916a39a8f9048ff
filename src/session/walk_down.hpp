/// @file
/// All positions of a game are found from its start, and a list of its P-positions is compared with
/// the options of each.
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
  std::uint64_t listed = 0;  ///< of them
  /// The first position, from the highest potential down, whose options do not agree with the list.
  std::optional<std::vector<std::uint64_t>> wrong{};
};

/// Proves all positions: one is in the list exactly if none of its options is, and a position
/// without options if who cannot move loses. Once a stop is requested, some are left out.
/// @param told is called with the number of proved positions now and then
/// @pre the game does not split
WalkReport walk_down(const PPositions& list, const GraphGame& game, Executor& executor,
                     const std::stop_token& stop, const std::function<void(std::uint64_t)>& told);

}  // namespace grundy
