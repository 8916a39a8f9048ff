// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <grundy/sum.hpp>

#include "cli/attended_run.hpp"
#include "cli/commands.hpp"
#include "cli/run_options.hpp"
#include "cli/sum_text.hpp"

namespace grundy::cli {
namespace {

struct SumOptions {
  std::vector<std::string> components;
  bool explain = false;
};

/// Prints the values of the components and their nim-sum below each other, in binary too if asked.
void print_values(Console& console, const GameSum& sum, bool binary) {
  std::size_t width = std::string_view("nim-sum").size();
  std::uint64_t all_bits = 1;
  for (const auto& component : sum.components()) {
    width = std::max(width, component->label().size());
    all_bits |= component->value();
  }
  const auto digits = std::bit_width(all_bits);
  const auto row = [&](const std::string& name, std::uint64_t value) {
    console.print("  {:<{}}  {:>5}{}\n", name, width, value,
                  binary ? fmt::format("  {:0{}b}", value, digits) : "");
  };
  for (const auto& component : sum.components()) row(component->label(), component->value());
  row("nim-sum", sum.value());
}

/// Why a move to the wanted value exists, or need not exist.
std::string reason(std::uint64_t value, std::uint64_t wanted, const SumMoves& moves) {
  if (wanted < value) {
    return fmt::format("{} is less than {}, so it is the value of an option", wanted, value);
  }
  return fmt::format("{} is more than {}; {}", wanted, value,
                     !moves.moves.empty() ? "an option has it all the same"
                     : moves.complete     ? "no option has it"
                                          : "whether an option has it is not known");
}

/// Prints the argument by which the outcome follows from the values.
void print_argument(Console& console, const GameSum& sum, const std::vector<SumMoves>& winning) {
  console.print(
      "\nThe value of a sum is the nim-sum of the values of its components (Sprague-Grundy): a\n"
      "binary column of the nim-sum is 1 if the number of ones above it is odd.\n");
  if (sum.is_p_position()) {
    console.print(
        "The nim-sum is 0. A move changes the value of one component, so it makes the nim-sum\n"
        "different from 0, and then the other player can make it 0 again. In the end all values\n"
        "are 0 and it is the turn of the player who moves now, but there is no move.\n");
    return;
  }
  const std::uint64_t total = sum.value();
  console.print(
      "The nim-sum is {0}, not 0. A move wins if it makes the nim-sum 0, which leaves the other\n"
      "player without an answer; so a component of value g has to get the value g xor {0}:\n",
      total);
  for (std::size_t i = 0; i < winning.size(); ++i) {
    const SumComponent& component = *sum.components()[i];
    const std::uint64_t wanted = component.value() ^ total;
    console.print("  {}: {} xor {} = {}; {}\n", component.label(), component.value(), total, wanted,
                  reason(component.value(), wanted, winning[i]));
  }
}

void print_moves(Console& console, const GameSum& sum, const std::vector<SumMoves>& winning) {
  console.print("\nWinning moves:\n");
  for (std::size_t i = 0; i < winning.size(); ++i) {
    const SumComponent& component = *sum.components()[i];
    for (const SumMove& move : winning[i].moves) console.print("  {}\n", component.describe(move));
    if (winning[i].complete) continue;
    if (winning[i].moves.empty()) {
      console.print("  {} has too many options to look through for one that wins\n",
                    component.words());
    } else {
      console.print("  and perhaps more: {} has too many options to list all that win\n",
                    component.words());
    }
  }
}

/// The winning moves; components are counted from 0.
Json moves_json(const GameSum& sum, const std::vector<SumMoves>& winning) {
  Json list = Json::array();
  for (std::size_t i = 0; i < winning.size(); ++i) {
    const SumComponent& component = *sum.components()[i];
    const bool heaps = !component.position().heaps.empty();
    for (const SumMove& move : winning[i].moves) {
      list.push_back({{"component", i},
                      {"taken", or_null(move.taken)},
                      {"left", heaps ? Json(move.left.heaps) : Json(move.left.text)},
                      {"pass", move.pass},
                      {"value", component.value() ^ sum.value()}});
    }
  }
  return list;
}

void print_sum(Console& console, const GameSum& sum, const std::vector<SumMoves>& winning,
               bool explain) {
  if (console.json) {
    Json json = sum_json(sum);
    json["winning_moves"] = moves_json(sum, winning);
    json["every_winning_move"] = std::ranges::all_of(winning, &SumMoves::complete);
    console.print_json(json);
    return;
  }
  print_values(console, sum, explain);
  console.print("  {}\n", outcome_sentence(sum.value()));
  if (explain) print_argument(console, sum, winning);
  if (!sum.is_p_position()) print_moves(console, sum, winning);
}

int run_sum(Console& console, const SumOptions& options) {
  AttendedRun run(console, "positions");
  const Hooks hooks = run.hooks();
  const auto read = GameSum::read(options.components, hooks);
  const auto winning = read ? read->winning_moves(hooks.stop) : std::nullopt;
  run.end();
  if (!winning) return console.fail(kExitStopped, "stopped before the sum was solved");
  print_sum(console, *read, *winning, options.explain);
  return 0;
}

}  // namespace

Command sum_command(Console& console) {
  auto options = std::make_shared<SumOptions>();
  Command command{.name = "sum", .help = "Value, outcome and every winning move of a sum of games"};
  command.add({
      {.names = "COMPONENT",
       .target = &options->components,
       .help = "GAME:N,N,...: heaps of a game, or of a table written by `grundy compute`; one "
               "position of a game of several heaps; or a game on positions: cram:3x4",
       .required = true,
       .offers = game_names()},
      {.names = "--explain",
       .target = &options->explain,
       .help = "Show the binary columns and the argument"},
  });
  command.footer = R"(Heaps of any size up to 2^64-1 have a value where a period is certified. All
winning moves of a heap are listed if it has at most 4 million options, else one.

Examples:
  grundy sum nim:13,12,8 --explain
  grundy sum 0.77:12,7,5 0.137:9 grundys-game:20
  grundy sum kayles:10^18 kayles.h5:70
  grundy sum 0.77:12,7,5 wythoff:3,5 'moore(3,2):4,5,6'
  grundy sum 'kayles:12,7,5 + wythoff:3,5 + cram:3x4'
)";
  command.run = [&console, options](const Command&) { return run_sum(console, *options); };
  return command;
}

}  // namespace grundy::cli
