/// @file
/// Files of outcomes at the command line: what is in them, who wins a position, proofs.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <grundy/outcomes.hpp>

#include "cli/console.hpp"

namespace grundy::cli {

/// `info` of a file of outcomes.
int info_outcomes(Console& console, const std::string& file);
/// `query`: P or N, with the moves that win, for each heap or range of heaps of a game of one heap,
/// or for one position or range of positions of several. As JSON one object, or a list of several.
/// @throws Error(kUsage)
int query_outcomes(Console& console, const std::string& file,
                   const std::vector<std::string>& heaps);
/// `verify`. @throws Error(kMismatch) if a position is wrong
int verify_outcomes(Console& console, const OutcomesCheckRequest& request);

}  // namespace grundy::cli
