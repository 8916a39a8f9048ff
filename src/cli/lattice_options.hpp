/// @file
/// Reads requests for lattice games, as they are typed.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <grundy/games.hpp>

#include "cli/run_options.hpp"

namespace grundy::cli {

/// Reads the sizes that --shape gives, with `x`, `X` or the sign of multiplication between them.
/// @throws Error(kUsage) that names the option
LatticeShape shape_option(const std::string& text);

/// The request for the game of several heaps that options.game means, with the given shape. Without
/// a shape, `--to` bounds every heap. With `misere`, the player who cannot move wins.
/// @throws Error(kUsage) that names the option whose value is malformed
Request make_lattice_request(const AnyGame& game, const RunOptions& options,
                             const std::string& shape, bool sorted, bool misere);

}  // namespace grundy::cli
