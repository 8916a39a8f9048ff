/// @file
/// The option --part: the share of one of several machines.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <grundy/part.hpp>

namespace grundy::cli {

/// `2/8`, or `auto`: the share of a job of a Slurm array, from its variables.
/// @throws Error(kUsage)
WorkPart parse_part(const std::string& text);

}  // namespace grundy::cli
