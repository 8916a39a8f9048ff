// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <grundy/count.hpp>
#include <grundy/error.hpp>

#include "cli/attended_run.hpp"
#include "cli/commands.hpp"
#include "cli/run_options.hpp"
#include "session/machine.hpp"
#include "session/value_source.hpp"

namespace grundy::cli {
namespace {

struct CountOptions {
  std::vector<std::string> games;
  std::string heaps;
  std::string last;
  std::string first = "0";
};

/// The heaps of one game that may be chosen.
struct Family {
  std::string name;
  HeapSize first, last;
  std::vector<std::uint64_t> histogram;
};

/// @param largest --to, if it was given
/// @return nothing if it was stopped
std::optional<Family> read_family(const std::string& text, HeapSize first,
                                  std::optional<HeapSize> largest, const Hooks& hooks) {
  const ValueSource source = ValueSource::open(text);
  const std::optional<HeapSize> last = largest ? largest : source.last();
  if (!last) {
    throw Error(ErrorCode::kUsage,
                fmt::format("--to: say which heaps of {} to count; only a table has a last heap",
                            source.name()));
  }
  if (first > *last) {
    throw Error(ErrorCode::kUsage,
                fmt::format("there are no heaps from {} to {} of {}", first, *last, source.name()));
  }
  if (*last > kNoBound - 1) {
    throw Error(ErrorCode::kUsage, "--to: heaps can be counted up to 2^64-2");
  }
  auto histogram = source.histogram(first, *last, hooks);
  if (!histogram) return std::nullopt;
  return Family{source.name(), first, *last, *std::move(histogram)};
}

void print_counts(Console& console, const SumCounts& counts) {
  const auto print = [&](std::string_view value, std::string_view ordered,
                         std::string_view unordered) {
    console.print("{:>7}  {:>{}}  {:>{}}\n", value, ordered,
                  std::max<std::size_t>(7, counts.all_ordered.size()), unordered,
                  std::max<std::size_t>(9, counts.all_unordered.size()));
  };
  print("value", "ordered", "unordered");
  for (std::size_t v = 0; v < counts.ordered.size(); ++v) {
    if (counts.ordered[v] == "0") continue;
    print(std::to_string(v), counts.ordered[v], counts.unordered[v]);
  }
  print("all", counts.all_ordered, counts.all_unordered);
}

Json counts_json(const SumCounts& counts) {
  Json rows = Json::array();
  for (std::size_t v = 0; v < counts.ordered.size(); ++v) {
    if (counts.ordered[v] == "0") continue;
    rows.push_back(
        {{"value", v}, {"ordered", counts.ordered[v]}, {"unordered", counts.unordered[v]}});
  }
  return rows;
}

int run_count(Console& console, const CountOptions& options) {
  const std::uint64_t heaps = count_option("--heaps", options.heaps);
  if (heaps == 0 || heaps > kMostHeaps) {
    throw Error(ErrorCode::kUsage,
                fmt::format("--heaps: {} is not between 1 and {}", heaps, kMostHeaps));
  }
  const HeapSize first = count_option("--from", options.first);
  std::optional<HeapSize> last;
  if (!options.last.empty()) last = count_option("--to", options.last);
  std::vector<Family> families;
  std::vector<HeapChoice> choices;
  AttendedRun run(console);
  for (const std::string& game : options.games) {
    auto family = read_family(game, first, last, run.hooks());
    if (!family) return console.fail(kExitStopped, "stopped before the heaps were counted");
    families.push_back(*std::move(family));
  }
  for (const Family& family : families) {
    choices.push_back({family.histogram, static_cast<unsigned>(heaps)});
  }
  run.end();
  const SumCounts counts = count_sums(choices, memory_available());

  Json games = Json::array();
  for (const Family& family : families) {
    if (console.json) {
      games.push_back({{"game", family.name}, {"first", family.first}, {"last", family.last}});
    } else {
      console.field(family.name,
                    fmt::format("{} heap{} of {} to {} tokens; empty heaps are {}", heaps,
                                heaps == 1 ? "" : "s", family.first, family.last,
                                family.first == 0 ? "included" : "not included"));
    }
  }
  if (console.json) {
    console.print_json({{"heaps", heaps},
                        {"games", games},
                        {"all_ordered", counts.all_ordered},
                        {"all_unordered", counts.all_unordered},
                        {"counts", counts_json(counts)}});
  } else {
    print_counts(console, counts);
  }
  return 0;
}

}  // namespace

Command count_command(Console& console) {
  auto options = std::make_shared<CountOptions>();
  Command command{.name = "count", .help = "Count the sums of K heaps by value"};
  command.add({
      {.names = "GAME|FILE",
       .target = &options->games,
       .help = "A game, or a table written by `grundy compute`; of several games, K heaps each",
       .required = true,
       .offers = game_names({GameKind::kHeap})},
      {.names = "--heaps",
       .value = "K",
       .target = &options->heaps,
       .help = "Heaps in a sum, 1 to 64",
       .required = true},
      {.names = "--to",
       .value = "N",
       .target = &options->last,
       .help = "The largest heap; the last one of a table by default"},
      {.names = "--from",
       .value = "N",
       .target = &options->first,
       .help = "The smallest heap; 1 leaves empty heaps out"},
  });
  command.footer =
      R"(Ordered sums tell the heaps of a game apart, unordered ones do not. Value 0 are
the P-positions. All counts are exact; --json writes them as strings.

Examples:
  grundy count kayles --heaps 3 --to 100
  grundy count kayles.h5 --heaps 64 --from 1
  grundy count nim kayles --heaps 2 --to 15
)";
  command.run = [&console, options](const Command&) { return run_count(console, *options); };
  return command;
}

}  // namespace grundy::cli
