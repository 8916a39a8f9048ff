/// @file
/// Predicts how many bytes the ranks that share a table of two heaps send each other.
///
/// Two small tables of the same rule are computed in this process, and the letters that cross each
/// border between their stripes are weighed. So it is known what crosses a border at any place of
/// the extent, and how this grows with the extent. The borders between ranks are those of the real
/// schedule (engines/lattice/stripe_schedule.hpp).
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "session/setup.hpp"

namespace grundy {

/// Bytes of all letters between ranks for the whole table, which threads compute here. Nothing if
/// memory is short.
/// @pre setup has stripes
std::optional<std::uint64_t> measured_traffic(const LatticeSetup& setup);

/// The same, estimated from small tables if the table is large. Nothing if these cannot be cut into
/// stripes, or if memory is short.
/// @pre setup has stripes
std::optional<std::uint64_t> foretold_traffic(const LatticeSetup& setup);

}  // namespace grundy
