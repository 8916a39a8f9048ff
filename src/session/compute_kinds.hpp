/// @file
/// compute() for each of the three kinds of games.
// SPDX-License-Identifier: MIT
#pragma once

#include <grundy/compute.hpp>

#include "session/setup.hpp"

namespace grundy {

/// compute() for a HeapGame. @pre hooks.control is not null
/// @param place where the output of the request lies
Report compute_heaps(const Request& request, const Hooks& hooks, const OutputPlace& place = {});

/// compute() for a LatticeGame. @pre hooks.control is not null
Report compute_lattice(const Request& request, const Hooks& hooks);

/// compute() for a LatticeGame that the ranks of a team share.
Report compute_stripes(const Request& request, const Hooks& hooks);

/// compute() for a PositionGame. Its rows are found by the engine alone: nothing is sealed, watched
/// or counted beside it.
Report compute_positions(const Request& request, const Hooks& hooks);

}  // namespace grundy
