/// @file
/// What small tables foretell of a large one of the same game of several heaps: its time, memory,
/// and disk.
///
/// Three tables, with heaps of half the size from one to the next, show how the time and the
/// largest value grow. The time of a run is that of the largest one, times a power of the growth.
/// So an error of the growth is raised to a power, too: the first and the last table tell it,
/// because their times differ most, and of each table the least of some times counts.
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <stop_token>

#include <grundy/compute.hpp>
#include <grundy/types.hpp>

#include "session/setup.hpp"

namespace grundy {

/// A bound of all values: no value exceeds the length of the longest game, and every move takes a
/// token or the pass.
Nimber largest_possible(const LatticeSetup& setup) noexcept;

/// Whether a table is so small that it needs no forecast.
bool needs_no_trial(const LatticeSetup& setup) noexcept;

/// Returns nothing if it was stopped. The cost is at most a few percent of that of the run.
std::optional<Prediction> forecast(const LatticeSetup& setup, const std::stop_token& stop);

}  // namespace grundy
