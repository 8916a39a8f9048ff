/// @file
/// `query` of a family of games or a census: what the file says about games.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cli/console.hpp"

namespace grundy::cli {

/// Prints a line for each game; for a family also the values of the heaps that follow a game. Games
/// and heaps that are not in the file are reported after all that are.
/// @throws Error(kCorrupt) if the file is damaged
int query_family(Console& console, const std::string& file, const std::vector<std::string>& asked);

}  // namespace grundy::cli
