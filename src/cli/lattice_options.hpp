/// @file
/// Lattice games as they are typed: which texts mean one, its shape, a position.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <grundy/lattice/compute.hpp>

#include "cli/run_options.hpp"

namespace grundy::cli {

/// Whether a text names a game of several heaps: a rule as `2: (1,0)*`, or a name that no game of
/// one heap has.
bool is_lattice_game(std::string_view text);

/// The request for the game and shape given; without a shape `--to` bounds every heap.
/// @throws Error(kUsage) that names the option whose value is malformed
LatticeRequest make_lattice_request(const RunOptions& options, const std::string& shape,
                                    bool sorted);

}  // namespace grundy::cli
