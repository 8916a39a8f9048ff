/// @file
/// A table of two heaps that ranks share: each computes belts of slabs, and what crosses a border
/// between two belts goes to the rank that has the next one.
///
/// A *slab of tiles* is a row of tiles of a box, or a column of tiles of a sorted table, whose
/// slabs go by the larger heap; its tiles are numbered by their *place* in it. A tile depends on
/// the one before it in its slab and on the one of the same place in the slab before. Consecutive
/// slabs make a stripe, whose number depends on the table only, and consecutive stripes a belt. In
/// a box each rank has one belt. In a sorted table slabs have different lengths; there stripes are
/// dealt in rounds, forwards and backwards in turn (stripe_schedule.hpp), so that all have work
/// from the beginning to the end.
///
/// A rank computes the tile of the least place that can be computed, as others wait for early
/// places most; of belts at about the same place the first. With P ranks of c threads and n places
/// the pipeline is filled and emptied in the time of about P c places.
///
/// Letters down, one for a place: the lines that cross the border there (only their words between
/// those that are full and those that are empty) and the values near it. Letters up: that one was
/// used. A belt is at most kAhead letters ahead of the next one, which bounds memory. Every letter
/// also tells how many positions each rank has done, as far as its sender has heard. An empty
/// letter says that its sender has stopped.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include <grundy/lattice/engine.hpp>
#include <grundy/team.hpp>

namespace grundy {

/// LatticeEngine::rank_memory_bytes().
std::uint64_t stripes_memory_bytes(const LatticeRule& rule, const LatticeShape& shape,
                                   std::uint32_t edge, std::uint64_t ranks, std::size_t threads);

/// LatticeEngine::run_stripes().
RunStatus run_stripes_of(const LatticeTask& task, Team& team,
                         std::span<const LatticeStripe> stripes);

}  // namespace grundy
