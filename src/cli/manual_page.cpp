// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/command_tree.hpp"
#include "session/build_info.hpp"

namespace grundy::cli {
namespace {

/// Running text: backslashes and dashes as themselves, no line that looks like a request.
std::string escaped(std::string_view text) {
  std::string out;
  bool line_start = true;
  for (const char c : text) {
    if (line_start && (c == '.' || c == '\'')) out += "\\&";
    line_start = c == '\n';
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

void add_options(std::string& page, const CommandText& command) {
  for (const OptionText& option : command.options) {
    page += ".TP\n";
    std::string head;
    for (const std::string& name : option.names) {
      head += fmt::format("{}\\fB{}\\fR", head.empty() ? "" : ", ", escaped(name));
    }
    if (!option.value.empty()) {
      head += fmt::format("{}\\fI{}\\fR", head.empty() ? "" : " ", escaped(option.value));
    }
    page += head + '\n' + escaped(option.help) + '\n';
  }
}

/// A footer keeps its lines: it holds examples.
void add_footer(std::string& page, const CommandText& command) {
  if (command.footer.empty()) return;
  page += ".PP\n.nf\n" + escaped(command.footer);
  if (page.back() != '\n') page += '\n';
  page += ".fi\n";
}

std::string synopsis(const CommandText& command) {
  std::string text = fmt::format("\\fBgrundy {}\\fR", escaped(command.name));
  for (const OptionText& option : command.options) {
    if (option.names.empty()) text += fmt::format(" \\fI{}\\fR", escaped(option.value));
  }
  return text + " [options]";
}

}  // namespace

std::string manual_page(const std::vector<CommandText>& commands) {
  const CommandText& program = commands.front();
  std::string page = fmt::format(
      ".TH GRUNDY 1 \"\" \"grundy {}\" \"User Commands\"\n"
      ".SH NAME\ngrundy \\- Grundy values of impartial games\n"
      ".SH SYNOPSIS\n\\fBgrundy\\fR \\fIcommand\\fR [options]\n"
      ".SH DESCRIPTION\n{}\n",
      build_info::kVersion, escaped(program.help));
  add_footer(page, program);
  page += ".SH OPTIONS\n";
  add_options(page, program);
  page += ".SH COMMANDS\n";
  for (auto command = commands.begin() + 1; command != commands.end(); ++command) {
    page += fmt::format(".SS {}\n{}.\n.PP\n", synopsis(*command), escaped(command->help));
    add_options(page, *command);
    add_footer(page, *command);
  }
  return page;
}

}  // namespace grundy::cli
