/// @file
/// Outcomes of lattice games: who wins, without the values.
///
/// A position is a P-position (the previous player wins) if its Grundy value is 0. An outcome takes
/// one byte where a value takes a set, so outcomes reach much farther than values.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include <grundy/error.hpp>
#include <grundy/lattice/engine.hpp>

namespace grundy {

/// Whether P-positions can be found only as the zeros of the values.
bool outcomes_are_in_values(const LatticeRule& rule, const LatticeShape& shape);

/// An upper bound of the memory in bytes for run_outcomes() with tiles of the engine's choice.
std::uint64_t outcomes_memory_bytes(const LatticeRule& rule, const LatticeShape& shape);

/// Like LatticeEngine::run(), but the values are 0 for P-positions and 1 for all others.
/// @throws Error from the sink, or kFailure when memory runs out
/// @pre outcomes_are_in_values() does not hold
RunStatus run_outcomes(const LatticeTask& task, ValueSink& sink);

}  // namespace grundy
