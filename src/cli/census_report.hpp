/// @file
/// Prints a census or a family of games, and proves its rows.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <grundy/atlas.hpp>
#include <grundy/census.hpp>
#include <grundy/rule_census.hpp>

#include "cli/certificate_output.hpp"
#include "cli/console.hpp"
#include "core/json.hpp"

namespace grundy::cli {

void print_census(Console& console, const CensusReport& report);
void print_census(Console& console, const RuleCensusReport& report);
Json census_json(const CensusReport& report);
Json census_json(const RuleCensusReport& report);

/// `info` of a census.
int info_census(Console& console, const std::string& file);
/// `verify` of a census. @throws Error(kMismatch) if a row is wrong
int verify_census(Console& console, const ListCheckRequest& request, CertificateOutput certificate);
/// `info` of the file of a family of games.
int info_atlas(Console& console, const std::string& file);
/// `verify` of such a file. @throws Error(kMismatch) if a value or a period is wrong
int verify_atlas(Console& console, const ListCheckRequest& request, CertificateOutput certificate);

}  // namespace grundy::cli
