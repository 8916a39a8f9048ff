/// @file
/// Files of outcomes at the command line: what they hold, who wins a position, proofs.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <grundy/outcomes.hpp>

#include "cli/certificate_output.hpp"
#include "cli/console.hpp"

namespace grundy::cli {

/// `info` of a file of outcomes.
int info_outcomes(Console& console, const std::string& file);
/// `query`: P or N, with the winning moves. It takes heaps or ranges of heaps for a game of one
/// heap, and one position or one range of positions for several heaps. As JSON it is an object, or
/// a list if there are several answers.
/// @throws Error(kUsage)
int query_outcomes(Console& console, const std::string& file,
                   const std::vector<std::string>& heaps);
/// `verify`. @throws Error(kMismatch) if a position is wrong
int verify_outcomes(Console& console, const ListCheckRequest& request,
                    CertificateOutput certificate);

}  // namespace grundy::cli
