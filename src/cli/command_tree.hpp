/// @file
/// The commands and options as data, read off the parser, so that manual and completions cannot
/// differ from what the program accepts.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace grundy::cli {

struct OptionText {
  std::vector<std::string> names;  ///< with dashes, short ones first; empty: positional
  std::string value;               ///< what it takes: `N`, `FILE`; empty for a flag
  std::string help;
};

struct CommandText {
  std::string name;  ///< `grundy` or that of a subcommand
  std::string help;
  std::string footer;
  std::vector<OptionText> options;  ///< positional ones first
};

/// The program itself first, then its commands in the order of `grundy --help`.
std::vector<CommandText> command_tree(const CLI::App& app);

/// The page grundy(1) in the macros of man(7).
std::string manual_page(const std::vector<CommandText>& commands);

/// Completion functions for a shell. @throws Error(kUsage) unless it is bash, zsh or fish
std::string completions(const std::vector<CommandText>& commands, const std::string& shell);

}  // namespace grundy::cli
