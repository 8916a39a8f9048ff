/// @file
/// Files of statistics of several heaps at the command line: what they hold, proofs.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <grundy/statistics_check.hpp>

#include "cli/certificate_output.hpp"
#include "cli/console.hpp"

namespace grundy::cli {

/// `info` of a file of statistics of several heaps.
int info_lattice_statistics(Console& console, const std::string& file);
/// `verify`. @throws Error(kMismatch) if anything was counted otherwise
int verify_lattice_statistics(Console& console, const ListCheckRequest& request,
                              CertificateOutput certificate);

}  // namespace grundy::cli
