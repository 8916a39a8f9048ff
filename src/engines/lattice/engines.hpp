/// @file
/// The engines for lattice games, and what finds their outcomes. What each does is said at the head
/// of its file.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <grundy/lattice/engine.hpp>

namespace grundy {

/// As many threads are expected by LatticeEngine::memory_bytes(), which is not told their number.
inline constexpr std::size_t kManyThreads = 64;

/// Reports that `done` positions were handed over, which are the same part of the work.
void report_positions(const LatticeTask& task, std::uint64_t done);

const LatticeEngine& lattice_reference_engine() noexcept;
const LatticeEngine& lattice_layered_engine() noexcept;
const LatticeEngine& lattice_marks_engine() noexcept;
const LatticeEngine& lattice_quotients_engine() noexcept;
const LatticeEngine& lattice_frontier_engine() noexcept;
const LatticeEngine& lattice_wavefront_engine() noexcept;

// run_outcomes() and its memory, by engines that need not find values.
std::uint64_t frontier_outcomes_bytes(const LatticeRule& rule, const LatticeShape& shape);
RunStatus run_frontier_outcomes(const LatticeTask& task, ValueSink& sink);

/// Empty if marks find outcomes, else the reason in one clause.
std::string marked_outcomes_refusal(const LatticeRule& rule, const LatticeShape& shape);
std::uint64_t marked_outcomes_bytes(const LatticeRule& rule, const LatticeShape& shape);
RunStatus run_marked_outcomes(const LatticeTask& task, ValueSink& sink);

}  // namespace grundy
