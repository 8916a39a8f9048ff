/// @file
/// Predicts how many bytes the ranks that share a table of two heaps send each other.
///
/// Small tables of the same rule are computed in this process by the same number of ranks, which
/// are threads, and their letters are weighed. Stripes, belts and ranks are those of the large
/// table, as far as a small table can be cut in the same way. So the bytes grow from one extent to
/// the next as they did between the small tables.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "session/setup.hpp"

namespace grundy {

/// Bytes of all letters between ranks for a table with every extent divided by `factor`, computed
/// here. Nothing if the table cannot be cut for this number of ranks, or if memory is short.
/// @pre setup has stripes
std::optional<std::uint64_t> measured_traffic(const LatticeSetup& setup, std::uint32_t factor);

/// The same for the whole table, estimated from small tables. Nothing if no small table can be cut
/// for this number of ranks.
/// @pre setup has stripes
std::optional<std::uint64_t> foretold_traffic(const LatticeSetup& setup);

}  // namespace grundy
