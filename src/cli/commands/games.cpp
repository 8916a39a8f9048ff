// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <grundy/error.hpp>
#include <grundy/games.hpp>

#include "cli/commands.hpp"
#include "cli/run_options.hpp"
#include "cli/table_report.hpp"
#include "core/names.hpp"
#include "games/catalogue/kind_name.hpp"

namespace grundy::cli {
namespace {

/// The games with that name, of all kinds; without a name, all games.
std::vector<NamedGame> chosen(const std::string& name) {
  if (name.empty()) return {catalogue().begin(), catalogue().end()};
  std::vector<NamedGame> games;
  for (const GameKind kind : {GameKind::kHeap, GameKind::kLattice, GameKind::kGraph}) {
    if (const NamedGame* const game = find_game(name, kind)) games.push_back(*game);
  }
  if (games.empty()) {
    throw Error(ErrorCode::kUsage,
                no_such_name("named game", name, game_names(), "`grundy games` lists them"));
  }
  return games;
}

Json games_json(const std::vector<NamedGame>& games) {
  Json list = Json::array();
  for (const NamedGame& game : games) {
    Json entry{{"name", game.name}, {"kind", kind_name(game.kind)}, {"title", game.title},
               {"form", game.form}, {"moves", game.rules},          {"reference", game.reference},
               {"note", game.note}};
    if (!game.notation.empty()) entry["notation"] = game.notation;
    if (!game.positions.empty()) entry["positions"] = game.positions;
    if (game.kind == GameKind::kLattice) {
      Json parameters = Json::array();
      for (const GameParameter& p : game.parameters) {
        parameters.push_back(
            {{"name", p.name}, {"least", p.least}, {"most", p.most}, {"usual", p.usual}});
      }
      entry["parameters"] = parameters;
    }
    list.push_back(entry);
  }
  return list;
}

/// A few words, in lines of at most 96 bytes, each after four spaces.
void print_paragraph(Console& console, std::string_view text) {
  constexpr std::size_t kWidth = 96;
  while (!text.empty()) {
    std::size_t end = text.size();
    if (end > kWidth) end = std::min(text.rfind(' ', kWidth), end);
    console.print("    {}\n", text.substr(0, end));
    text.remove_prefix(std::min(text.size(), end + 1));
  }
}

void print_heading(Console& console, GameKind kind) {
  switch (kind) {
    case GameKind::kHeap:
      console.print("Games of one heap (compute GAME --to N)\n");
      return;
    case GameKind::kLattice:
      console.print("Games of several heaps (compute GAME --shape AxB)\n");
      return;
    case GameKind::kGraph:
      console.print("Games on positions (compute GAME), GRAPH is {}\n", kGraphParameter);
  }
}

int run_games(Console& console, const std::string& asked) {
  const std::vector<NamedGame> games = chosen(asked);
  if (console.json) {
    console.print_json(games_json(games));
    return 0;
  }
  std::size_t name = 0;
  std::size_t notation = 0;
  for (const NamedGame& game : games) {
    if (game.kind != GameKind::kHeap) continue;
    name = std::max(name, game.name.size());
    notation = std::max(notation, game.notation.size());
  }
  std::optional<GameKind> kind;
  for (const NamedGame& game : games) {
    if (kind && kind != game.kind) console.print("\n");
    if (kind != game.kind) print_heading(console, game.kind);
    kind = game.kind;
    if (kind == GameKind::kHeap) {
      console.print("{:<{}}  {:<{}}  {}\n", game.name, name, game.notation, notation,
                    game.reference);
      if (!asked.empty()) print_paragraph(console, fmt::format("{}: {}.", game.title, game.rules));
      continue;
    }
    console.print("{}\n", game.form);
    print_paragraph(console, game.rules);
    if (!game.notation.empty()) print_paragraph(console, "Written " + game.notation + ".");
    if (!game.note.empty()) print_paragraph(console, game.note);
    print_paragraph(console, game.reference);
  }
  return 0;
}

}  // namespace

Command games_command(Console& console) {
  Command command{.name = "games", .help = "List the named games"};
  command.footer =
      R"(Any code, subtraction set, formulas or rule of several heaps works as well as a
name. A code of at most three heaps may have a pass in one heap: '0.77 pass 3' lets a player pass once
in a heap of exactly 3 tokens.

Examples:
  grundy games
  grundy games wythoff
  grundy games --json
)";
  const auto name = std::make_shared<std::string>();
  command.add({{.names = "NAME",
                .target = name.get(),
                .help = "Show the game of this name alone",
                .offers = game_names()}});
  command.run = [&console, name](const Command&) { return run_games(console, *name); };
  return command;
}

}  // namespace grundy::cli
