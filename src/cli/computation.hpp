/// @file
/// A computation as commands run it: with progress, signals, and a report at the end.
// SPDX-License-Identifier: MIT
#pragma once

#include <grundy/lattice/compute.hpp>
#include <grundy/session.hpp>

#include "cli/console.hpp"

namespace grundy::cli {

/// Runs the request and prints the report, or every value if `print`; returns the exit code.
int run_computation(Console& console, const ComputeRequest& request, bool print);
int run_computation(Console& console, const LatticeRequest& request, bool print);

}  // namespace grundy::cli
