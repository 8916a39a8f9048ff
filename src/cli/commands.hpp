/// @file
/// The commands: one function each, which describes its options and says what to run.
///
/// To add a command: write commands/NAME.cpp, declare it here, add it to the list in app.cpp, and
/// give its help an example. An option that names what is written says so (`Option::writes`).
// SPDX-License-Identifier: MIT
#pragma once

#include "cli/command.hpp"
#include "cli/console.hpp"

namespace grundy::cli {

Command compute_command(Console& console);
Command resume_command(Console& console);
Command info_command(Console& console);
Command query_command(Console& console);
Command period_command(Console& console);
Command atlas_command(Console& console);
Command census_command(Console& console);
Command stats_command(Console& console);
/// @param program the program that is described; must outlive the command
Command generate_command(Console& console, const Program& program);
Command export_command(Console& console);
Command verify_command(Console& console);
Command genus_command(Console& console);
Command merge_command(Console& console);
Command release_command(Console& console);
Command sum_command(Console& console);
Command equal_command(Console& console);
Command count_command(Console& console);
Command nim_command(Console& console);
Command games_command(Console& console);
Command cpu_info_command(Console& console);
Command selftest_command(Console& console);

}  // namespace grundy::cli
