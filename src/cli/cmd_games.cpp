// SPDX-License-Identifier: MIT
#include <algorithm>

#include <grundy/graph/catalogue.hpp>
#include <grundy/heap/catalogue.hpp>

#include "cli/commands.hpp"
#include "cli/table_report.hpp"

namespace grundy::cli {
namespace {

int run_games(Console& console) {
  const auto games = heap_catalogue();
  if (console.json) {
    Json list = Json::array();
    for (const NamedGame& game : games) {
      list.push_back({{"name", game.name},
                      {"title", game.title},
                      {"notation", game.notation},
                      {"moves", HeapRule::parse(game.notation).describe()},
                      {"kind", "heap"},
                      {"reference", game.reference},
                      {"note", game.note}});
    }
    for (const NamedGraphGame& game : graph_catalogue()) {
      list.push_back({{"name", game.name},
                      {"title", game.title},
                      {"parameters", game.parameters},
                      {"moves", game.rules},
                      {"kind", "graph"},
                      {"reference", game.reference},
                      {"positions", game.positions}});
    }
    console.print_json(list);
    return 0;
  }
  std::size_t name = 0;
  std::size_t notation = 0;
  for (const NamedGame& game : games) {
    name = std::max(name, game.name.size());
    notation = std::max(notation, game.notation.size());
  }
  for (const NamedGame& game : games) {
    console.print("{:<{}}  {:<{}}  {}\n", game.name, name, game.notation, notation, game.reference);
  }
  console.print("\nGames on positions (compute GAME), GRAPH is {}\n", kGraphParameter);
  for (const NamedGraphGame& game : graph_catalogue()) {
    console.print("{}{}{}\n    {}\n    {}\n", game.name, game.parameters.empty() ? "" : ":",
                  game.parameters, game.rules, game.reference);
  }
  return 0;
}

}  // namespace

Command add_games(CLI::App& app, Console& console) {
  CLI::App* command = app.add_subcommand("games", "List the named games");
  add_common_options(*command, console);
  command->footer(R"(Any code or subtraction set works as well as a name.

Examples:
  grundy games
  grundy games --json
)");
  return {command, [&console] { return run_games(console); }};
}

}  // namespace grundy::cli
