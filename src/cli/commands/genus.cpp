// SPDX-License-Identifier: MIT
#include <memory>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <grundy/error.hpp>
#include <grundy/games.hpp>
#include <grundy/misere.hpp>

#include "cli/attended_run.hpp"
#include "cli/commands.hpp"
#include "cli/genera_report.hpp"
#include "cli/run_options.hpp"
#include "cli/table_report.hpp"
#include "session/genera_file.hpp"
#include "session/machine.hpp"

namespace grundy::cli {
namespace {

struct GenusOptions {
  std::string game;
  std::string last;
  std::string memory;
};

int run_genus(Console& console, const GenusOptions& options) {
  const AnyGame game = resolve_game(options.game, GameKind::kHeap);
  if (game.kind() != GameKind::kHeap) {
    throw Error(ErrorCode::kUsage,
                fmt::format("'{}' is {}, and a genus is that of one heap; `compute --misere` finds "
                            "its misère values",
                            options.game, to_words(game.kind())));
  }
  const HeapSize last = count_option("--to", options.last);
  const HeapRule& rule = game.heap();
  const std::uint64_t memory =
      options.memory.empty() ? memory_available() : memory_option(options.memory);
  AttendedRun run(console);
  if (!console.json) {
    print_game(console, game.title, rule.canonical(), rule.describe());
    console.print("{:>8}  {:<16} {:<9} {}\n", "heap", "genus", "kind", "misère outcome");
  }
  GeneraInfo info;
  GeneraCounter count(info);
  Json rows = Json::array();
  const auto visit = [&](HeapSize n, const MisereHeap& heap) {
    count.add(heap);
    if (console.json) {
      rows.push_back(heap_json(n, heap));
      return Flow::kContinue;
    }
    console.print("{:>8}  {:<16} {:<9} {}\n", n, heap.genus.text(), name_of(heap.kind),
                  outcome_of(heap));
    if (heap.kind != MisereKind::kTame) console.out().flush();  // the next heap may take long
    return console.out().closed() ? Flow::kStop : Flow::kContinue;
  };
  const MisereEnd end =
      find_genera(rule, last, visit, {.memory = memory, .stop = run.hooks().stop});
  run.end();
  if (console.json) {
    console.print_json({{"notation", rule.canonical()},
                        {"complete", end == MisereEnd::kComplete},
                        {"count", info.heaps},
                        {"tame", info.tame},
                        {"misere_p_positions", info.p_positions},
                        {"first_not_tame", or_null(info.first_not_tame)},
                        {"heaps", std::move(rows)}});
  } else {
    print_counts(console, info);
  }
  if (end == MisereEnd::kComplete || console.out().closed()) return 0;
  return console.fail(end == MisereEnd::kStopped ? kExitStopped : exit_code(ErrorCode::kFailure),
                      end_sentence(end, info.heaps));
}

}  // namespace

Command genus_command(Console& console) {
  auto options = std::make_shared<GenusOptions>();
  Command command{.name = "genus", .help = "Misère play of one heap: genus, kind and outcome"};
  command.add({
      {.names = "GAME",
       .target = &options->game,
       .help = "A game of one heap",
       .required = true,
       .offers = game_names({GameKind::kHeap})},
      {.names = "--to",
       .value = "N",
       .target = &options->last,
       .help = "The largest heap",
       .required = true},
      {.names = "--memory",
       .value = "SIZE",
       .target = &options->memory,
       .help = "End where positions need more than this, such as 4GiB; what is free by default"},
  });
  command.footer =
      R"(In misère play the player who makes the last move loses. The genus 4^{146} of a heap says that its
value in normal play is 4, that its misère nim-value is 1, with one heap of two tokens beside it 4,
with two of those 6, then 4 and 6 in turn: the last two terms alternate. P are the heaps that the
player to move loses in misère play, those with first term 0.

Tame heaps are in sums like positions of Nim. Restive and restless heaps are not, though all their
options are tame: their value in normal play, or the misère nim-value, is 0 or 1. Others are wild.
While all heaps are tame, any number of them is quick. Later the positions of games that split heaps
are kept, whose number grows fast: Kayles reaches heap 60 in seconds and 200 MB. `grundy compute
GAME --to N --misere -o FILE` keeps all this in a file.

Examples:
  grundy genus kayles --to 25
  grundy genus grundy --to 60
  grundy genus 'S{2,3,7}' --to 1000 --json
)";
  command.run = [&console, options](const Command&) { return run_genus(console, *options); };
  return command;
}

}  // namespace grundy::cli
