/// @file
/// A computation of a game on positions. Its rows are found as it goes: it has nothing to seal, to
/// watch or to count beside the engine, and shares request, hooks, report and provenance.
// SPDX-License-Identifier: MIT
#pragma once

#include <grundy/compute.hpp>

namespace grundy {

/// compute() for a PositionGame.
Report compute_positions(const Request& request, const Hooks& hooks);

}  // namespace grundy
