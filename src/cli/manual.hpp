/// @file
/// What people and shells read about the command: the manual page and the completion. Both are made
/// from the description that the parser works with.
///
/// The page has a section for each command. `help2man` would make one page from one `--help`,
/// without the help of the commands, or a page for each command. The build would need it and Perl,
/// and would have to run the program.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "cli/command.hpp"

namespace grundy::cli {

/// The page grundy(1) in the macros of man(7).
std::string manual_page(const Program& program);

/// A completion function for bash; zsh reads it through bashcompinit.
std::string bash_completion(const Program& program);

}  // namespace grundy::cli
