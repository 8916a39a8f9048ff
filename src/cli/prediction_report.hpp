/// @file
/// What a run will need, for people and as JSON; shared by the commands with `--dry-run`.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <grundy/compute.hpp>

#include "cli/console.hpp"

namespace grundy::cli {

/// Engine, kernel, threads.
std::string engine_text(const Prediction& p);

/// Time, memory and disk, as lines and as members of an object, which also has the ranks' traffic.
void print_needs(Console& console, const Prediction& p);
Json needs_json(const Console& console, const Prediction& p);

/// Prints what ranks share, if there are ranks.
void print_ranks(Console& console, const Prediction& p);

}  // namespace grundy::cli
