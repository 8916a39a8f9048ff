/// @file
/// What commands say of lists of P-positions of games on positions.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <grundy/outcomes.hpp>
#include <grundy/request.hpp>

#include "cli/console.hpp"

namespace grundy::cli {

/// `compute --outcomes`. Returns the exit code, as do all of these.
int compute_list(Console& console, const Request& request);
/// `info`, `query`, `verify` of a file of FileKind::kPPositions.
int info_list(Console& console, const std::string& file);
int query_list(Console& console, const std::string& file,
               const std::vector<std::string>& positions);
int verify_list(Console& console, const OutcomesCheckRequest& request);

}  // namespace grundy::cli
