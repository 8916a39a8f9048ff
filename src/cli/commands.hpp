/// @file
/// The commands: one function each, which describes its arguments to the parser and returns what
/// to run once they are parsed.
///
/// To add a command: write cmd_NAME.cpp, declare it here, add it to the list in app.cpp, and give
/// its help an example.
// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include <CLI/CLI.hpp>

#include "cli/console.hpp"

namespace grundy::cli {

struct Command {
  CLI::App* parser;
  std::function<int()> run;  ///< returns the exit code
};

Command add_compute(CLI::App& app, Console& console);
Command add_resume(CLI::App& app, Console& console);
Command add_info(CLI::App& app, Console& console);
Command add_query(CLI::App& app, Console& console);
Command add_period(CLI::App& app, Console& console);
Command add_export(CLI::App& app, Console& console);
Command add_verify(CLI::App& app, Console& console);
Command add_atlas(CLI::App& app, Console& console);
Command add_stats(CLI::App& app, Console& console);
Command add_generate(CLI::App& app, Console& console);
Command add_sum(CLI::App& app, Console& console);
Command add_equal(CLI::App& app, Console& console);
Command add_count(CLI::App& app, Console& console);
Command add_nim(CLI::App& app, Console& console);
Command add_games(CLI::App& app, Console& console);
Command add_cpu_info(CLI::App& app, Console& console);
Command add_selftest(CLI::App& app, Console& console);

/// Adds `--json` and `--quiet`.
void add_common_options(CLI::App& command, Console& console);

}  // namespace grundy::cli
