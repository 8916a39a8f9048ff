/// @file
/// `selftest --soak`: an hour of work that checks itself, to find machines that compute wrongly.
// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>

#include "cli/console.hpp"

namespace grundy::cli {

/// Computes random games twice, by different engines, kernels, threads and blocks, and compares the
/// digests, until the time is over or a signal comes. Returns the exit code.
/// @throws Error(kMismatch) at the first difference, naming both ways
int run_soak(Console& console, std::chrono::seconds duration);

}  // namespace grundy::cli
