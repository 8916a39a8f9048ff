/// @file
/// The engines for lattice games. What each does is said at the head of its file.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include <grundy/lattice/engine.hpp>

namespace grundy {

/// As many threads are expected by LatticeEngine::memory_bytes(), which is not told their number.
inline constexpr std::size_t kManyThreads = 64;

const LatticeEngine& lattice_reference_engine() noexcept;
const LatticeEngine& lattice_layered_engine() noexcept;
const LatticeEngine& lattice_marks_engine() noexcept;
const LatticeEngine& lattice_frontier_engine() noexcept;
const LatticeEngine& lattice_wavefront_engine() noexcept;

}  // namespace grundy
