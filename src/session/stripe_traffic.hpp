/// @file
/// How many bytes the ranks that share a table of two heaps send each other, foretold.
///
/// Small tables of the same rule are computed in this process by as many ranks, which are threads,
/// and their letters are weighed. Stripes, belts and ranks are those of the large table as far as
/// a small one can be cut like it, so that the bytes grow from one extent to the next as they did
/// between the small tables.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "session/setup.hpp"

namespace grundy {

/// Bytes of all letters between ranks for a table with one in `factor` of every extent, computed
/// here. Nothing if it cannot be cut for so many ranks, or memory is short. @pre setup has stripes
std::optional<std::uint64_t> measured_traffic(const LatticeSetup& setup, std::uint32_t factor);

/// The same for the whole table, from small ones. Nothing if no small table can be cut for so many
/// ranks.
/// @pre setup has stripes
std::optional<std::uint64_t> foretold_traffic(const LatticeSetup& setup);

}  // namespace grundy
