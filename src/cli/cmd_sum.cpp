// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <grundy/sum.hpp>

#include "cli/commands.hpp"
#include "cli/sum_text.hpp"

namespace grundy::cli {
namespace {

struct Options {
  std::vector<std::string> components;
  bool explain = false;
};

/// What a heap is called in a column.
std::string label(const SumHeap& heap) {
  return fmt::format("{} {}", heap.game->name, heap.size);
}

/// The values of the heaps and their nim-sum, below each other; in binary too if asked for.
void print_values(Console& console, const Sum& sum, bool binary) {
  const Nimber total = sum_value(sum.heaps);
  std::size_t width = std::string_view("nim-sum").size();
  Nimber all_bits = 1;
  for (const SumHeap& heap : sum.heaps) {
    width = std::max(width, label(heap).size());
    all_bits |= heap.game->value(heap.size);
  }
  const int digits = std::bit_width(all_bits);
  const auto row = [&](const std::string& name, Nimber value) {
    console.print("  {:<{}}  {:>5}{}\n", name, width, value,
                  binary ? fmt::format("  {:0{}b}", value, digits) : "");
  };
  for (const SumHeap& heap : sum.heaps) row(label(heap), heap.game->value(heap.size));
  row("nim-sum", total);
}

/// Why a move to the value wanted exists, or need not.
std::string reason(Nimber value, const MovesToValue& moves) {
  if (moves.wanted < value) {
    return fmt::format("{} is less than {}, so it is the value of an option", moves.wanted, value);
  }
  const char* const found = !moves.moves.empty() ? "an option has it all the same"
                            : moves.listing == Listing::kEvery
                                ? "no option has it"
                                : "whether an option has it is not known";
  return fmt::format("{} is more than {}; {}", moves.wanted, value, found);
}

/// The argument by which the outcome follows from the values.
void print_argument(Console& console, const Sum& sum, const std::vector<MovesToValue>& winning) {
  const Nimber total = sum_value(sum.heaps);
  console.print(
      "\nThe value of a sum is the nim-sum of the values of its heaps (Sprague-Grundy): a binary\n"
      "column of the nim-sum is 1 if the number of ones above it is odd.\n");
  if (total == 0) {
    console.print(
        "The nim-sum is 0. A move changes the value of one heap, so it makes the nim-sum\n"
        "different from 0, and then the other player can make it 0 again. In the end all values\n"
        "are 0 and it is the turn of the player who moves now, but there is no move.\n");
    return;
  }
  console.print(
      "The nim-sum is {0}, not 0. A move wins if it makes the nim-sum 0, which leaves the other\n"
      "player without an answer; so a heap of value g has to get the value g xor {0}:\n",
      total);
  for (std::size_t i = 0; i < sum.heaps.size(); ++i) {
    const Nimber value = sum.heaps[i].game->value(sum.heaps[i].size);
    console.print("  {}: {} xor {} = {}; {}\n", label(sum.heaps[i]), value, total,
                  winning[i].wanted, reason(value, winning[i]));
  }
}

void print_moves(Console& console, const Sum& sum, const std::vector<MovesToValue>& winning) {
  console.print("\nWinning moves:\n");
  for (std::size_t i = 0; i < sum.heaps.size(); ++i) {
    for (const HeapMove& move : winning[i].moves) {
      console.print("  {}\n", move_text(sum.heaps[i], move));
    }
    if (winning[i].listing == Listing::kOne) {
      console.print("  and perhaps more: {} has too many options to list all that win\n",
                    heap_text(sum.heaps[i]));
    } else if (winning[i].listing == Listing::kUnknown) {
      console.print("  {} has too many options to look through for one that wins\n",
                    heap_text(sum.heaps[i]));
    }
  }
}

Json moves_json(const std::vector<MovesToValue>& winning) {
  Json list = Json::array();
  for (std::size_t i = 0; i < winning.size(); ++i) {
    for (const HeapMove& move : winning[i].moves) {
      list.push_back({{"component", i},
                      {"taken", move.taken},
                      {"left", move.left},
                      {"value", winning[i].wanted}});
    }
  }
  return list;
}

int run_sum(Console& console, const Options& options) {
  const Sum sum = read_sum(options.components, console.quiet);
  const auto winning = winning_moves(sum.heaps);
  if (console.json) {
    Json json = sum_json(sum);
    json["winning_moves"] = moves_json(winning);
    json["every_winning_move"] = std::ranges::all_of(
        winning, [](const MovesToValue& m) { return m.listing == Listing::kEvery; });
    console.print_json(json);
    return 0;
  }
  const Nimber value = sum_value(sum.heaps);
  print_values(console, sum, options.explain);
  console.print("  {}\n", outcome_sentence(value));
  if (options.explain) print_argument(console, sum, winning);
  if (value != 0) print_moves(console, sum, winning);
  return 0;
}

}  // namespace

Command add_sum(CLI::App& app, Console& console) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("sum", "Value, outcome and every winning move of a sum of heaps");
  command
      ->add_option("COMPONENT", options->components,
                   "GAME:N,N,...: heaps of a game, or of a table written by `grundy compute`")
      ->type_name("")
      ->required();
  command->add_flag("--explain", options->explain, "Show the binary columns and the argument");
  add_common_options(*command, console);
  command->footer(R"(Heaps of any size up to 2^64-1 have a value where a period is certified. All
winning moves of a heap are listed if it has at most 4 million options, else one.

Examples:
  grundy sum nim:13,12,8 --explain
  grundy sum 0.77:12,7,5 0.137:9 grundys-game:20
  grundy sum kayles:10^18 kayles.h5:70
)");
  return {command, [&console, options] { return run_sum(console, *options); }};
}

}  // namespace grundy::cli
