/// @file
/// Lattice games as they are typed: which texts mean one, and its shape.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <grundy/lattice/catalogue.hpp>

#include "cli/run_options.hpp"

namespace grundy::cli {

/// Whether a text names a game of several heaps: a rule as `2: (1,0)*`, a rules file `x.toml`, a
/// name with parameters as `nim(3)`, or a name that no game of one heap has.
bool is_lattice_game(const std::string& text);

/// The game itself. @throws Error(kUsage) if there is none
ResolvedLatticeGame lattice_game(const std::string& text);

/// The request for the game and shape given; without a shape `--to` bounds every heap.
/// @throws Error(kUsage) that names the option whose value is malformed
Request make_lattice_request(const RunOptions& options, const std::string& shape, bool sorted);

}  // namespace grundy::cli
