/// @file
/// A computation as commands run it: with progress, signals, and a report at the end.
// SPDX-License-Identifier: MIT
#pragma once

#include <grundy/compute.hpp>

#include "cli/console.hpp"

namespace grundy::cli {

/// Runs a request for a game of heaps and prints the report, or every value if `print`; returns the
/// exit code.
int run_computation(Console& console, Request request, bool print);

/// The sentence about a run that was stopped.
/// @param is_shared whether the ranks of a team share the run
std::string stop_sentence(const Report& report, const char* unit, bool is_shared = false);

}  // namespace grundy::cli
