/// @file
/// The commands for lists of P-positions of games on positions.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <grundy/outcomes.hpp>
#include <grundy/request.hpp>

#include "cli/certificate_output.hpp"
#include "cli/console.hpp"

namespace grundy::cli {

/// `compute --outcomes`. Like all functions here, it returns the exit code.
int compute_list(Console& console, const Request& request);
/// `info`, `query`, `verify` of a file of FileKind::kPPositions.
int info_list(Console& console, const std::string& file);
int query_list(Console& console, const std::string& file,
               const std::vector<std::string>& positions);
int verify_list(Console& console, const ListCheckRequest& request, CertificateOutput certificate);

}  // namespace grundy::cli
