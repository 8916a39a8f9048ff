// SPDX-License-Identifier: MIT
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/manual.hpp"

namespace grundy::cli {
namespace {

/// The names of all options, separated by blanks; positional arguments have none.
std::string option_words(const Command& command) {
  std::string words;
  for (const Option& option : command.options) {
    if (!option.positional()) words += option.names + ',';
  }
  words += kHelpFlag;
  std::ranges::replace(words, ',', ' ');
  return words;
}

/// The words that a command takes in place of an option, each once.
std::string argument_words(const Command& command) {
  std::set<std::string> words;
  for (const Option& option : command.options) {
    if (option.positional()) words.insert(option.offers.begin(), option.offers.end());
  }
  return fmt::format("{}", fmt::join(words, " "));
}

/// `-o|--output` in a pattern of `case`.
std::string pattern(const Option& option) {
  std::string names = option.names;
  std::ranges::replace(names, ',', '|');
  return names;
}

/// The arm of `case` for a command. After an option with a value it offers the values of the
/// option; else it offers options after a dash, and arguments otherwise.
std::string arm(const Command& command) {
  std::string text = fmt::format("    {})\n      case $before in\n", command.name);
  for (const Option& option : command.options) {
    if (option.value.empty()) continue;
    text +=
        fmt::format("        {}) words='{}' ;;\n", pattern(option), fmt::join(option.offers, " "));
  }
  return text + fmt::format(
                    "        *) words='{}'; [[ $word == -* ]] && words='{}' ;;\n"
                    "      esac ;;\n",
                    argument_words(command), option_words(command));
}

}  // namespace

std::string bash_completion(const Program& program) {
  std::vector<std::string> names;
  for (const Command& command : program.commands) names.push_back(command.name);
  const std::string commands = fmt::format("{}", fmt::join(names, " "));
  std::string text = fmt::format(
      "# Completion of grundy for bash, made by `grundy generate bash`. For zsh:\n"
      "#   autoload -U bashcompinit; bashcompinit; source <(grundy generate bash)\n"
      "_grundy() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}}\n"
      "  local command= words typed\n"
      "  for typed in \"${{COMP_WORDS[@]:1:COMP_CWORD-1}}\"; do\n"
      "    [[ $typed != -* ]] && {{ command=$typed; break; }}\n"
      "  done\n"
      "  case $command in\n"
      "    '') words='{0} help {1}' ;;\n"
      "    help) words='{0}' ;;\n",
      commands, option_words(program.self));
  for (const Command& command : program.commands) text += arm(command);
  return text +
         "  esac\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
         "}\n"
         "complete -o default -F _grundy grundy\n";
}

}  // namespace grundy::cli
