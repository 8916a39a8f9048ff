/// @file
/// The engines for lattice games. What each does is said at the head of its file.
// SPDX-License-Identifier: MIT
#pragma once

#include <grundy/lattice/engine.hpp>

namespace grundy {

const LatticeEngine& lattice_reference_engine() noexcept;
const LatticeEngine& lattice_layered_engine() noexcept;
const LatticeEngine& lattice_frontier_engine() noexcept;
const LatticeEngine& lattice_wavefront_engine() noexcept;

}  // namespace grundy
