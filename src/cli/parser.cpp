// SPDX-License-Identifier: MIT
#include "cli/parser.hpp"

#include <algorithm>
#include <deque>
#include <sstream>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <grundy/error.hpp>

#include "core/names.hpp"
#include "core/text.hpp"

namespace grundy::cli {
namespace {

CLI::Option* add(CLI::App& app, Option& option, bool* target) {
  return app.add_flag(option.names, *target, option.help);
}

template <class T>
CLI::Option* add(CLI::App& app, Option& option, T* target) {
  CLI::Option* added = app.add_option(option.names, *target, option.help);
  if constexpr (!std::is_same_v<T, std::vector<std::string>>) {
    if (*target != T()) added->capture_default_str();
  }
  return added->type_name(option.value);
}

/// A command of this program for CLI11, with the options that CLI11 made.
struct Described {
  Command* command;
  CLI::App* app;
  std::vector<CLI::Option*> options;

  Described(Command& described, CLI::App& target) : command(&described), app(&target) {
    app->set_help_flag(std::string(kHelpFlag), std::string(kHelpText));
    for (Option& option : command->options) {
      options.push_back(std::visit([&](auto* to) { return add(*app, option, to); }, option.target));
      options.back()->required(option.required);
      if (option.one_a_time) options.back()->allow_extra_args(false);
      if (!option.group.empty()) options.back()->group(option.group);
    }
    for (std::size_t i = 0; i < options.size(); ++i) {
      for (const std::string& other : command->options[i].excludes) options[i]->excludes(other);
    }
    app->footer(command->footer);
  }

  void note_given() const {
    for (std::size_t i = 0; i < options.size(); ++i) {
      command->options[i].given = options[i]->count() > 0;
    }
  }
};

/// Turns `help NAME` into `NAME --help`.
std::vector<std::string> words_of(int argc, const char* const* argv) {
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  if (!words.empty() && words.front() == "help") {
    words.erase(words.begin());
    words.emplace_back("--help");
  }
  return words;
}

/// The first word has to be a command or an option.
void check_command(const Program& program, const std::vector<std::string>& words) {
  if (words.empty() || words.front().starts_with('-')) return;
  const std::string& name = words.front();
  if (std::ranges::find(program.commands, name, &Command::name) != program.commands.end()) return;
  std::vector<std::string> names;
  for (const Command& command : program.commands) names.push_back(command.name);
  throw Error(ErrorCode::kUsage,
              no_such_name("command", name, names, "`grundy --help` lists them"));
}

/// Refuses `-` as the name of what a command writes: elsewhere it is standard output.
void refuse_streams(const Command& command) {
  for (const Option& option : command.options) {
    if (option.writes == Writes::kNothing || !option.given) continue;
    const auto* const one = std::get_if<std::string*>(&option.target);
    const auto* const list = std::get_if<std::vector<std::string>*>(&option.target);
    const bool names_it = one != nullptr ? **one == "-" : std::ranges::count(**list, "-") > 0;
    if (!names_it) continue;
    throw Error(
        ErrorCode::kUsage,
        fmt::format("{}: {}", option.names.substr(0, option.names.find(',')),
                    option.writes == Writes::kHdf5
                        ? "HDF5 cannot be streamed to standard output; write a file, and `grundy "
                          "export FILE` prints what it holds"
                        : "only `grundy export` writes to standard output; ./- is a place "
                          "called -"));
  }
}

/// The error message for words that `command` does not take.
std::string unexpected(const Command& command, const std::vector<std::string>& words) {
  const std::string option = words.front().substr(0, words.front().find('='));
  if (option.starts_with("--")) {
    std::vector<std::string> names{"--help"};
    for (const Option& known : command.options) {
      std::istringstream parts(known.names);
      for (std::string name; std::getline(parts, name, ',');) names.push_back(name);
    }
    const auto nearest = nearest_name(option, names);
    return fmt::format("there is no option {}; {}", in_quotes(option),
                       nearest ? fmt::format("did you mean {}?", names[*nearest])
                               : std::string("--help lists them"));
  }
  return fmt::format("{} {} not expected here; --help shows what is", fmt::join(words, " "),
                     words.size() == 1 ? "is" : "are");
}

}  // namespace

Parsed parse(Program& program, int argc, const char* const* argv) {
  CLI::App app(program.self.help, program.self.name);
  app.require_subcommand(0, 1);
  std::deque<Described> described;
  described.emplace_back(program.self, app);
  for (Command& command : program.commands) {
    described.emplace_back(command, *app.add_subcommand(command.name, command.help));
  }
  std::vector<std::string> words = words_of(argc, argv);
  check_command(program, words);
  std::ranges::reverse(words);  // CLI11 wants the words in reverse order
  Parsed parsed;
  try {
    app.parse(words);
  } catch (const CLI::CallForHelp&) {
    parsed.help = app.help();  // of the named command, if there is one
    return parsed;
  } catch (const CLI::ExtrasError&) {
    const auto parsing = std::ranges::find_if(
        described, [&](const Described& d) { return d.app != &app && d.app->parsed(); });
    const Command& command = parsing == described.end() ? program.self : *parsing->command;
    const std::vector<std::string> before = app.remaining();
    if (&command != &program.self && !before.empty()) {
      throw Error(ErrorCode::kUsage,
                  fmt::format("{0} stands before {1}; options of a command stand behind its name: "
                              "grundy {1} ... {0}",
                              fmt::join(before, " "), command.name));
    }
    throw Error(ErrorCode::kUsage, unexpected(command, app.remaining(true)));
  } catch (const CLI::ParseError& error) {
    throw Error(ErrorCode::kUsage, fmt::format("{}; --help shows what is expected", error.what()));
  }
  for (const Described& d : described) {
    d.note_given();
    if (d.app != &app && d.app->parsed()) parsed.command = d.command;
  }
  if (parsed.command != nullptr) refuse_streams(*parsed.command);
  return parsed;
}

}  // namespace grundy::cli
