// SPDX-License-Identifier: MIT
#include <memory>
#include <string>

#include "cli/command_tree.hpp"
#include "cli/commands.hpp"

namespace grundy::cli {

Command add_generate(CLI::App& app, Console& console) {
  auto kind = std::make_shared<std::string>();
  CLI::App* command =
      app.add_subcommand("generate", "Print the manual page, or completions for a shell");
  command->add_option("KIND", *kind, "man, bash, zsh or fish")->type_name("")->required();
  command->footer(
      R"(Made from the commands themselves; `cmake --install` puts all four in their places.

Examples:
  grundy generate man | man -l -
  source <(grundy generate bash)
)");
  return {command, [&app, &console, kind] {
            const std::vector<CommandText> tree = command_tree(app);
            console.print("{}", *kind == "man" ? manual_page(tree) : completions(tree, *kind));
            return 0;
          }};
}

}  // namespace grundy::cli
