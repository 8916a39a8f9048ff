/// @file
/// `query` of a family of games or a census: what the file says of games.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cli/console.hpp"

namespace grundy::cli {

/// Prints a line for each game; of a family also the values of heaps that are named behind a game.
/// What is not in the file is told after all that is.
/// @throws Error(kCorrupt) if the file is damaged
int query_family(Console& console, const std::string& file, const std::vector<std::string>& asked);

}  // namespace grundy::cli
