// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/ranges.h>

#include <grundy/graph/catalogue.hpp>
#include <grundy/heap/catalogue.hpp>
#include <grundy/lattice/catalogue.hpp>

#include "cli/commands.hpp"
#include "cli/table_report.hpp"

namespace grundy::cli {
namespace {

/// `moore(heaps,k)`: the name with its parameters.
std::string form_of(const NamedLatticeGame& game) {
  if (game.parameters.empty()) return std::string(game.name);
  std::vector<std::string_view> names;
  for (const LatticeParameter& parameter : game.parameters) names.push_back(parameter.name);
  return fmt::format("{}({})", game.name, fmt::join(names, ","));
}

LatticeRule usual_rule(const NamedLatticeGame& game) {
  return resolve_lattice_game(game.name).rule;
}

Json games_json() {
  Json list = Json::array();
  for (const NamedGame& game : heap_catalogue()) {
    list.push_back({{"name", game.name},
                    {"title", game.title},
                    {"notation", game.notation},
                    {"moves", HeapRule::parse(game.notation).describe()},
                    {"kind", "heap"},
                    {"reference", game.reference},
                    {"note", game.note}});
  }
  for (const NamedLatticeGame& game : lattice_catalogue()) {
    Json parameters = Json::array();
    for (const LatticeParameter& p : game.parameters) {
      parameters.push_back(
          {{"name", p.name}, {"least", p.least}, {"most", p.most}, {"usual", p.usual}});
    }
    list.push_back({{"name", game.name},
                    {"title", game.title},
                    {"notation", usual_rule(game).canonical()},
                    {"parameters", parameters},
                    {"moves", game.rules},
                    {"kind", "lattice"},
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
  return list;
}

/// A few words, in lines of at most 96 bytes, each after four spaces.
void print_paragraph(Console& console, std::string_view text) {
  constexpr std::size_t kWidth = 96;
  while (!text.empty()) {
    std::size_t end = text.size();
    if (end > kWidth) end = text.rfind(' ', kWidth);
    console.print("    {}\n", text.substr(0, end));
    text.remove_prefix(std::min(text.size(), end + 1));
  }
}

int run_games(Console& console) {
  if (console.json) {
    console.print_json(games_json());
    return 0;
  }
  const auto games = heap_catalogue();
  std::size_t name = 0;
  std::size_t notation = 0;
  for (const NamedGame& game : games) {
    name = std::max(name, game.name.size());
    notation = std::max(notation, game.notation.size());
  }
  console.print("Games of one heap (compute GAME --to N)\n");
  for (const NamedGame& game : games) {
    console.print("{:<{}}  {:<{}}  {}\n", game.name, name, game.notation, notation, game.reference);
  }
  console.print("\nGames of several heaps (compute GAME --shape AxB)\n");
  for (const NamedLatticeGame& game : lattice_catalogue()) {
    console.print("{}\n", form_of(game));
    print_paragraph(console, game.rules);
    print_paragraph(console, fmt::format("Written {}.", usual_rule(game).canonical()));
    if (!game.note.empty()) print_paragraph(console, game.note);
    print_paragraph(console, game.reference);
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
  command->footer(R"(Any code, subtraction set or rule of several heaps works as well as a name.

Examples:
  grundy games
  grundy games --json
)");
  return {command, [&console] { return run_games(console); }};
}

}  // namespace grundy::cli
