/// @file
/// From the words of the command line to the targets of a program's options. CLI11 does the work;
/// only parser.cpp sees it, because its headers take longer to compile than any command.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "cli/command.hpp"

namespace grundy::cli {

/// The result of parsing.
struct Parsed {
  const Command* command = nullptr;  ///< the command to run; null if none is named
  std::string help;                  ///< the help to print instead, if it is not empty
};

/// Sets the targets and `given` of all options.
/// @throws Error(kUsage) for words that the program does not expect, and for `-` as the name of
///   what a command writes
Parsed parse(Program& program, int argc, const char* const* argv);

}  // namespace grundy::cli
