// SPDX-License-Identifier: MIT
#include <memory>
#include <string>

#include <fmt/format.h>

#include <grundy/error.hpp>

#include "cli/commands.hpp"
#include "cli/manual.hpp"
#include "core/names.hpp"
#include "core/text.hpp"

namespace grundy::cli {

Command generate_command(Console& console, const Program& program) {
  auto kind = std::make_shared<std::string>();
  Command command{.name = "generate",
                  .help = "Print the manual page, or the completion for a shell"};
  command.add({{.names = "KIND",
                .target = kind.get(),
                .help = "man, or bash for the completion of bash and zsh",
                .required = true,
                .offers = {"man", "bash"}}});
  command.footer =
      R"(Made from the commands themselves; `cmake --install` puts both in their places.
zsh reads the completion of bash after `autoload -U bashcompinit; bashcompinit`.

Examples:
  grundy generate man | man -l -
  source <(grundy generate bash)
)";
  command.run = [&console, &program, kind](const Command&) {
    const bool man = same_name(*kind, "man");
    if (!man && !same_name(*kind, "bash")) {
      throw Error(ErrorCode::kUsage, fmt::format("{} is neither man nor bash", in_quotes(*kind)));
    }
    console.print("{}", man ? manual_page(program) : bash_completion(program));
    return 0;
  };
  return command;
}

}  // namespace grundy::cli
