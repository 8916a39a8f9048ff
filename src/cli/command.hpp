/// @file
/// A command as data: its options, its help, and the function that runs it. The parser, the manual
/// and the completion all read this description, so they cannot differ.
// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace grundy::cli {

/// The option that the parser adds to every command.
inline constexpr std::string_view kHelpFlag = "-h,--help";
inline constexpr std::string_view kHelpText = "Print this help and exit";

/// Where the parser writes what was typed. A flag is a bool.
using Target = std::variant<bool*, std::string*, double*, std::vector<std::string>*>;

/// The kind of what an option names for the command to write. None of it is ever standard output.
enum class Writes { kNothing, kHdf5, kOther };

/// An option, or a positional argument. If a target is not empty at first, its content is the
/// default, which the help shows.
struct Option {
  std::string names;       ///< `-o,--output`; one name without dashes is a positional argument
  std::string value = {};  ///< the value of an option, such as `N` or `FILE`; empty for a flag
  Target target;           ///< outlives the command
  std::string help;
  std::string group = {};                  ///< heading in the help; empty for the default heading
  bool required = false;                   ///< the option must be given
  std::vector<std::string> excludes = {};  ///< options that cannot be given at the same time
  std::vector<std::string> offers = {};    ///< words for the completion; empty: names of files
  bool one_a_time = false;           ///< a list takes one word each time that the option is given
  Writes writes = Writes::kNothing;  ///< the parser refuses `-` as the name of what is written
  bool given = false;                ///< written by the parser

  [[nodiscard]] bool positional() const noexcept { return !names.starts_with('-'); }
};

/// A command, or the whole program.
struct Command {
  std::string name;
  std::string help;  ///< one line
  std::vector<Option> options = {};
  std::string footer = {};                      ///< more help, with examples
  std::function<int(const Command&)> run = {};  ///< after parsing; returns the exit code
  bool is_shared = false;                       ///< the ranks of a team can run it together

  void add(std::vector<Option> more);
  /// Whether the option was typed. @pre the command has an option of this name
  [[nodiscard]] bool given(std::string_view option) const;
};

/// The program and its commands, in the order in which the help lists them.
struct Program {
  Command self;
  std::vector<Command> commands;
};

}  // namespace grundy::cli
