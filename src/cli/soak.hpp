/// @file
/// `selftest --soak`: an hour of work that checks itself, to find machines that compute wrongly.
// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <functional>
#include <stop_token>

#include <grundy/compute.hpp>

#include "cli/console.hpp"

namespace grundy::cli {

/// Computes the values; a test passes one that makes errors.
using Computation = std::function<Report(const Request&, const std::stop_token&)>;

/// Computes random games twice, in ways that differ in engine, kernel, threads or block, and
/// compares the digests. It does so at least once, until the time is over or a signal comes.
/// Returns the exit code.
/// @throws Error(kMismatch) at the first difference, with both ways
int run_soak(Console& console, std::chrono::seconds duration, const Computation& computation);

}  // namespace grundy::cli
