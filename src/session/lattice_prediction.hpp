/// @file
/// Admission of a lattice table: whether what it needs is there.
///
/// Two small tables of the same game, one with heaps of half the size, show how the time and the
/// largest value grow. Memory and disk are bounds: no value takes more bits on disk than the
/// largest one has.
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <stop_token>

#include "session/lattice_setup.hpp"

namespace grundy {

/// The prediction, unless the request is so small that it needs none.
/// @throws Error(kFailure) with the figures if memory or disk will not do
std::optional<Prediction> admit(const LatticeSetup& setup, std::stop_token stop);

}  // namespace grundy
