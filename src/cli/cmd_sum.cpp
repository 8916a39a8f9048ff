// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <grundy/sum.hpp>

#include "cli/commands.hpp"
#include "cli/run_options.hpp"
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
  const Nimber total = sum.value();
  std::size_t width = std::string_view("nim-sum").size();
  Nimber all_bits = 1;
  for (const SumHeap& heap : sum.heaps) {
    width = std::max(width, label(heap).size());
    all_bits |= heap.game->value(heap.size);
  }
  for (const auto& position : sum.positions) {
    width = std::max(width, position->label().size());
    all_bits |= position->value();
  }
  const int digits = std::bit_width(all_bits);
  const auto row = [&](const std::string& name, Nimber value) {
    console.print("  {:<{}}  {:>5}{}\n", name, width, value,
                  binary ? fmt::format("  {:0{}b}", value, digits) : "");
  };
  for (const SumHeap& heap : sum.heaps) row(label(heap), heap.game->value(heap.size));
  for (const auto& position : sum.positions) row(position->label(), position->value());
  row("nim-sum", total);
}

/// The moves that win, heap by heap and position by position.
struct Winning {
  std::vector<MovesToValue> heaps;
  std::vector<std::vector<PositionMove>> positions;

  explicit Winning(const Sum& sum) {
    const Nimber total = sum.value();
    for (const SumHeap& heap : sum.heaps) {
      const Nimber wanted = heap.game->value(heap.size) ^ total;
      heaps.push_back(total == 0 ? MovesToValue{.wanted = wanted}
                                 : moves_to_value(*heap.game, heap.size, wanted));
    }
    for (const auto& position : sum.positions) {
      positions.push_back(total == 0 ? std::vector<PositionMove>()
                                     : position->moves_to(position->value() ^ total));
    }
  }
};

/// Why a move to the value wanted exists, or need not.
std::string reason(Nimber value, Nimber wanted, bool found, bool looked_at_all) {
  if (wanted < value) {
    return fmt::format("{} is less than {}, so it is the value of an option", wanted, value);
  }
  return fmt::format("{} is more than {}; {}", wanted, value,
                     found           ? "an option has it all the same"
                     : looked_at_all ? "no option has it"
                                     : "whether an option has it is not known");
}

/// The argument by which the outcome follows from the values.
void print_argument(Console& console, const Sum& sum, const Winning& winning) {
  const Nimber total = sum.value();
  console.print(
      "\nThe value of a sum is the nim-sum of the values of its components (Sprague-Grundy): a\n"
      "binary column of the nim-sum is 1 if the number of ones above it is odd.\n");
  if (total == 0) {
    console.print(
        "The nim-sum is 0. A move changes the value of one component, so it makes the nim-sum\n"
        "different from 0, and then the other player can make it 0 again. In the end all values\n"
        "are 0 and it is the turn of the player who moves now, but there is no move.\n");
    return;
  }
  console.print(
      "The nim-sum is {0}, not 0. A move wins if it makes the nim-sum 0, which leaves the other\n"
      "player without an answer; so a component of value g has to get the value g xor {0}:\n",
      total);
  const auto line = [&](const std::string& name, Nimber value, bool found, bool looked_at_all) {
    const Nimber wanted = value ^ total;
    console.print("  {}: {} xor {} = {}; {}\n", name, value, total, wanted,
                  reason(value, wanted, found, looked_at_all));
  };
  for (std::size_t i = 0; i < sum.heaps.size(); ++i) {
    const MovesToValue& moves = winning.heaps[i];
    line(label(sum.heaps[i]), sum.heaps[i].game->value(sum.heaps[i].size), !moves.moves.empty(),
         moves.listing == Listing::kEvery);
  }
  for (std::size_t i = 0; i < sum.positions.size(); ++i) {
    line(sum.positions[i]->label(), sum.positions[i]->value(), !winning.positions[i].empty(), true);
  }
}

void print_moves(Console& console, const Sum& sum, const Winning& winning) {
  console.print("\nWinning moves:\n");
  for (std::size_t i = 0; i < sum.heaps.size(); ++i) {
    for (const HeapMove& move : winning.heaps[i].moves) {
      console.print("  {}\n", move_text(sum.heaps[i], move));
    }
    if (winning.heaps[i].listing == Listing::kOne) {
      console.print("  and perhaps more: {} has too many options to list all that win\n",
                    heap_text(sum.heaps[i]));
    } else if (winning.heaps[i].listing == Listing::kUnknown) {
      console.print("  {} has too many options to look through for one that wins\n",
                    heap_text(sum.heaps[i]));
    }
  }
  for (std::size_t i = 0; i < sum.positions.size(); ++i) {
    for (const PositionMove& move : winning.positions[i]) {
      console.print("  {}\n", move_text(*sum.positions[i], move));
    }
  }
}

/// Components are counted from 0: the heaps, then the positions.
Json moves_json(const Sum& sum, const Winning& winning) {
  Json list = Json::array();
  for (std::size_t i = 0; i < winning.heaps.size(); ++i) {
    for (const HeapMove& move : winning.heaps[i].moves) {
      list.push_back({{"component", i},
                      {"taken", move.taken},
                      {"left", move.left},
                      {"value", winning.heaps[i].wanted}});
    }
  }
  for (std::size_t i = 0; i < winning.positions.size(); ++i) {
    for (const PositionMove& move : winning.positions[i]) {
      list.push_back({{"component", winning.heaps.size() + i},
                      {"left", written_json(move.left)},
                      {"pass", move.pass},
                      {"value", sum.positions[i]->value() ^ sum.value()}});
    }
  }
  return list;
}

int run_sum(Console& console, const Options& options) {
  const Sum sum = read_sum(options.components, console.quiet);
  const Winning winning(sum);
  if (console.json) {
    Json json = sum_json(sum);
    json["winning_moves"] = moves_json(sum, winning);
    json["every_winning_move"] = std::ranges::all_of(
        winning.heaps, [](const MovesToValue& m) { return m.listing == Listing::kEvery; });
    console.print_json(json);
    return 0;
  }
  const Nimber value = sum.value();
  print_values(console, sum, options.explain);
  console.print("  {}\n", outcome_sentence(value));
  if (options.explain) print_argument(console, sum, winning);
  if (value != 0) print_moves(console, sum, winning);
  return 0;
}

}  // namespace

Command sum_command(Console& console) {
  auto options = std::make_shared<Options>();
  Command command{.name = "sum", .help = "Value, outcome and every winning move of a sum of games"};
  command.add({
      {.names = "COMPONENT",
       .target = &options->components,
       .help = "GAME:N,N,...: heaps of a game, or of a table written by `grundy compute`; of a "
               "game of several heaps one position; or a game on positions: cram:3x4",
       .required = true,
       .offers = game_names()},
      {.names = "--explain",
       .target = &options->explain,
       .help = "Show the binary columns and the argument"},
  });
  command.add(common_options(console));
  command.footer = R"(Heaps of any size up to 2^64-1 have a value where a period is certified. All
winning moves of a heap are listed if it has at most 4 million options, else one.

Examples:
  grundy sum nim:13,12,8 --explain
  grundy sum 0.77:12,7,5 0.137:9 grundys-game:20
  grundy sum kayles:10^18 kayles.h5:70
  grundy sum 0.77:12,7,5 wythoff:3,5 'moore(3,2):4,5,6'
  grundy sum 0.77:12,7,5 0.137:9 wythoff:3,5 cram:3x4
)";
  command.run = [&console, options](const Command&) { return run_sum(console, *options); };
  return command;
}

}  // namespace grundy::cli
