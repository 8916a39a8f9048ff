/// @file
/// A table of two heaps that ranks share. Each rank computes belts of slabs, and sends what crosses
/// a border between two belts to the rank with the next belt.
///
/// A *slab of tiles* is a row of tiles of a box. In a sorted table, whose slabs go by the larger
/// heap, it is a column of tiles. The tiles in it are numbered by their *place*. A tile depends on
/// the tile before it in its slab and on the tile at the same place in the slab before. Consecutive
/// slabs form a stripe; the borders of stripes depend on the table only. Consecutive stripes
/// form a belt. In a box each rank has one belt. In a sorted table slabs have different lengths.
/// There stripes are dealt in rounds, forwards and backwards in turn (stripe_schedule.hpp), so that
/// all ranks have work from beginning to end.
///
/// A rank computes the tile with the least place that can be computed, because other ranks wait for
/// early places most. If several belts are at about the same place, the first belt comes first.
/// With P ranks of c threads and n places, filling and emptying the pipeline takes the time of
/// about P c places.
///
/// There is one letter down for each place. It has the lines that cross the border there (only
/// their words that are neither full nor empty) and the values near the border. A letter up says
/// that a letter down was used. A belt is at most kAhead letters ahead of the next one, which
/// bounds memory. Every letter also says how many positions each rank has done, as far as its
/// sender knows. An empty letter says that its sender has stopped.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include <grundy/lattice/engine.hpp>
#include <grundy/team.hpp>

namespace grundy {

/// LatticeEngine::rank_memory_bytes().
std::uint64_t stripes_memory_bytes(const LatticeRule& rule, const LatticeShape& shape,
                                   std::uint32_t edge, std::uint64_t ranks, std::size_t threads,
                                   Nimber largest);

/// LatticeEngine::run_stripes().
/// @param line_bytes if it is not null, it receives the most bytes that the lines of this rank took
RunStatus run_stripes_of(const LatticeTask& task, Team& team,
                         std::span<const LatticeStripe> stripes,
                         std::uint64_t* line_bytes = nullptr);

}  // namespace grundy
