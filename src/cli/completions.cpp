// SPDX-License-Identifier: MIT
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <grundy/error.hpp>

#include "cli/command_tree.hpp"
#include "core/text.hpp"

namespace grundy::cli {
namespace {

std::vector<std::string> names_of(const CommandText& command) {
  std::vector<std::string> names;
  for (const OptionText& option : command.options) {
    names.insert(names.end(), option.names.begin(), option.names.end());
  }
  return names;
}

std::vector<std::string> command_names(const std::vector<CommandText>& commands) {
  std::vector<std::string> names;
  for (auto c = commands.begin() + 1; c != commands.end(); ++c) names.push_back(c->name);
  return names;
}

std::string bash(const std::vector<CommandText>& commands) {
  std::string text = fmt::format(
      "# bash completion for grundy, made by `grundy generate bash`\n"
      "_grundy() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} words\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    words='{} {}'\n"
      "  elif [[ $word == -* ]]; then\n"
      "    case ${{COMP_WORDS[1]}} in\n",
      fmt::join(command_names(commands), " "), fmt::join(names_of(commands.front()), " "));
  for (auto c = commands.begin() + 1; c != commands.end(); ++c) {
    text += fmt::format("      {}) words='{}' ;;\n", c->name, fmt::join(names_of(*c), " "));
  }
  return text +
         "    esac\n"
         "  fi\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
         "}\n"
         "complete -o default -F _grundy grundy\n";
}

/// Text inside single quotes of zsh and fish, with `more` escaped by a backslash as well.
std::string quoted(const std::string& text, const std::string& more, const char* quote) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += quote;
    } else {
      if (more.find(c) != std::string::npos) out += '\\';
      out += c;
    }
  }
  return out;
}

std::string zsh(const std::vector<CommandText>& commands) {
  const auto plain = [](const std::string& s) { return quoted(s, "[]:\\", "'\\''"); };
  std::string text =
      "#compdef grundy\n"
      "# zsh completion for grundy, made by `grundy generate zsh`\n"
      "_grundy() {\n"
      "  if (( CURRENT == 2 )); then\n"
      "    local -a commands=(\n";
  for (auto c = commands.begin() + 1; c != commands.end(); ++c) {
    text += fmt::format("      '{}:{}'\n", c->name, plain(c->help));
  }
  text +=
      "    )\n"
      "    _describe command commands\n"
      "    return\n"
      "  fi\n"
      "  local command=$words[2]\n"
      "  shift words; (( CURRENT-- ))\n"
      "  case $command in\n";
  for (auto c = commands.begin() + 1; c != commands.end(); ++c) {
    text += fmt::format("    {})\n      _arguments", c->name);
    for (const OptionText& option : c->options) {
      for (const std::string& name : option.names) {
        text += fmt::format(" \\\n        '*{}[{}]{}'", name, plain(option.help),
                            option.value.empty() ? "" : ":" + plain(option.value) + ":_files");
      }
    }
    text += " \\\n        '*::_files' ;;\n";
  }
  return text + "  esac\n}\n_grundy \"$@\"\n";
}

std::string fish(const std::vector<CommandText>& commands) {
  const auto plain = [](const std::string& s) { return quoted(s, "\\", "\\'"); };
  std::string text = "# fish completion for grundy, made by `grundy generate fish`\n";
  for (auto c = commands.begin() + 1; c != commands.end(); ++c) {
    text += fmt::format("complete -c grundy -n __fish_use_subcommand -f -a {} -d '{}'\n", c->name,
                        plain(c->help));
  }
  for (auto c = commands.begin() + 1; c != commands.end(); ++c) {
    for (const OptionText& option : c->options) {
      if (option.names.empty()) continue;
      text += fmt::format("complete -c grundy -n '__fish_seen_subcommand_from {}'", c->name);
      for (const std::string& name : option.names) {
        const bool is_long = name.starts_with("--");
        text += fmt::format(" {} {}", is_long ? "-l" : "-s", name.substr(is_long ? 2 : 1));
      }
      text += fmt::format("{} -d '{}'\n", option.value.empty() ? "" : " -r", plain(option.help));
    }
  }
  return text;
}

}  // namespace

std::string completions(const std::vector<CommandText>& commands, const std::string& shell) {
  if (shell == "bash") return bash(commands);
  if (shell == "zsh") return zsh(commands);
  if (shell == "fish") return fish(commands);
  throw Error(ErrorCode::kUsage,
              fmt::format("{} is none of man, bash, zsh and fish", in_quotes(shell)));
}

}  // namespace grundy::cli
