/// @file
/// One life of a computation, for each kind of game.
// SPDX-License-Identifier: MIT
#pragma once

#include <grundy/compute.hpp>

namespace grundy {

Report compute_heaps(const Request& request, const Hooks& hooks);
Report compute_lattice(const Request& request, const Hooks& hooks);
Report compute_positions(const Request& request, const Hooks& hooks);

}  // namespace grundy
