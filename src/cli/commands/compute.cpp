// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <grundy/compute.hpp>
#include <grundy/error.hpp>
#include <grundy/games.hpp>
#include <grundy/layout.hpp>

#include "cli/attended_run.hpp"
#include "cli/commands.hpp"
#include "cli/computation.hpp"
#include "cli/genera_report.hpp"
#include "cli/graph_commands.hpp"
#include "cli/lattice_options.hpp"
#include "cli/prediction_report.hpp"
#include "cli/run_options.hpp"
#include "cli/table_report.hpp"
#include "core/digest.hpp"
#include "core/text.hpp"
#include "table/layout_text.hpp"

namespace grundy::cli {
namespace {

struct ComputeOptions {
  RunOptions run;
  GraphOptions graph;
  std::string shape;
  bool sorted = false;
  std::string output;
  std::string chunk;
  bool print = false;
  bool force = false;
  bool dry_run = false;
  bool reproducible = false;
  bool in_parts = false;
  bool no_extend = false;
  bool stats_only = false;
  bool outcomes = false;
};

/// The rule of a game of one heap or several, and its moves in words.
std::pair<std::string, std::string> rule_texts(const Request& request) {
  if (const auto* heap = std::get_if<HeapGame>(&request.game)) {
    return {heap->rule.canonical(), heap->describe()};
  }
  const LatticeRule& rule = std::get<LatticeGame>(request.game).rule;
  return {rule.canonical(), rule.describe()};
}

void print_game_of(Console& console, const Request& request) {
  const auto [canonical, moves] = rule_texts(request);
  print_game(console, request.about.title, canonical, request.about.moves(moves));
}

int print_heap_prediction(Console& console, const Request& request) {
  const auto& game = std::get<HeapGame>(request.game);
  const Prediction p = predict(request);
  if (!console.is_first()) return 0;
  if (console.json) {
    Json json{{"notation", game.rule.canonical()}, {"first_heap", 0}, {"last_heap", game.last}};
    json.update(needs_json(console, p));
    json["period"] = period_json(p.period);
    console.print_json(json);
    return 0;
  }
  print_game_of(console, request);
  console.field("heaps", fmt::format("0 to {} ({})", format_count(game.last), kIndexConvention));
  console.field("engine", engine_text(p));
  print_period(console, p.period);
  print_ranks(console, p);
  print_needs(console, p);
  return 0;
}

int print_lattice_prediction(Console& console, const Request& request) {
  const auto& game = std::get<LatticeGame>(request.game);
  const Prediction p = predict(request);
  if (!console.is_first()) return 0;
  const Layout layout = Layout::of(game.shape, game.rule.planes());
  if (console.json) {
    Json json{{"notation", game.rule.canonical()}, {"count", layout.entries()}};
    json.update(needs_json(console, p));
    console.print_json(json);
    return 0;
  }
  print_game_of(console, request);
  console.field("shape", shape_text(layout));
  console.field("engine", engine_text(p));
  print_ranks(console, p);
  print_needs(console, p);
  return 0;
}

Request heap_request(const AnyGame& any, const ComputeOptions& options) {
  if (options.run.last.empty()) {
    throw Error(ErrorCode::kUsage, "--to N is needed for a game of one heap");
  }
  Request request = make_request(any, options.run);
  auto& game = std::get<HeapGame>(request.game);
  if (!options.chunk.empty()) request.output.chunk = count_option("--chunk", options.chunk);
  if (options.no_extend) game.at_period = AtPeriod::kCompute;
  game.stats_only = options.stats_only;
  game.misere = options.graph.misere;
  request.about = GameDescription::of(any, options.run.game, game.misere);
  return request;
}

bool is_misere(const Request& request) {
  if (const auto* heap = std::get_if<HeapGame>(&request.game)) return heap->misere;
  return std::get<LatticeGame>(request.game).rule.moves().misere;
}

int run_outcomes(Console& console, const Request& request) {
  AttendedRun run(console, "positions");
  const OutcomeReport report = compute_outcomes(request, run.hooks());
  run.end();
  if (!report.complete) {
    return console.fail(
        kExitStopped, fmt::format("stopped after {} of {} positions", format_count(report.entries),
                                  format_count(report.layout.entries())));
  }
  if (console.json) {
    const auto& extent = report.layout.extent;
    Json first = Json::array();
    for (const std::uint64_t entry : report.first) {
      first.push_back(position_json(report.layout, entry));
    }
    Json json = {{"notation", rule_texts(request).first},
                 {"misere", is_misere(request)},
                 {"shape", std::vector(extent.begin(), extent.begin() + report.layout.heaps)},
                 {"sorted", report.layout.sorted},
                 {"count", report.entries},
                 {"p_positions", report.p_positions},
                 {"digest", report.digest ? Json(to_hex(*report.digest)) : Json()},
                 {"first_p_positions", first},
                 {"kernel", report.kernel},
                 {"threads", report.threads},
                 {"seconds", report.seconds}};
    if (report.digest) {
      json["file"] = request.output.path.string();
      json["file_bytes"] = std::filesystem::file_size(request.output.path);
    }
    console.print_json(json);
    return 0;
  }
  print_game_of(console, request);
  print_layout(console, report.layout);
  console.field("P-positions", fmt::format("{} of {}", format_count(report.p_positions),
                                           format_count(report.entries)));
  constexpr std::size_t kPrinted = 12;
  std::string first;
  for (const std::uint64_t entry :
       std::span(report.first).first(std::min(kPrinted, report.first.size()))) {
    first +=
        fmt::format("{}({})", first.empty() ? "" : " ", position_text(report.layout, entry, ","));
  }
  console.field("first", first + (report.p_positions > kPrinted ? " …" : ""));
  if (report.digest) {
    const auto& file = request.output.path;
    console.field("digest", fmt::format("XXH3-128 {}", to_hex(*report.digest)));
    console.field("file", fmt::format("{} ({})", file.string(),
                                      format_bytes(std::filesystem::file_size(file))));
  }
  console.field("time", fmt::format("{} on {} thread{}",
                                    format_duration(std::chrono::duration<double>(report.seconds)),
                                    report.threads, report.threads == 1 ? "" : "s"));
  return 0;
}

/// The subjects of `compute`.
enum Subject : unsigned {
  kOneHeap = 1,
  kSeveralHeaps = 2,
  kOutcomes = 4,
  kPositions = 8,
  kMisereHeap = 16
};

/// The subjects for which an option has a meaning; options that are not here have one for all.
constexpr std::pair<const char*, unsigned> kSubjects[] = {
    {"--to", kOneHeap | kSeveralHeaps | kOutcomes | kMisereHeap},
    {"--shape", kSeveralHeaps | kOutcomes},
    {"--sorted", kSeveralHeaps | kOutcomes},
    {"--outcomes", kOutcomes | kPositions},
    {"--reproducible", kOneHeap | kSeveralHeaps | kPositions | kOutcomes | kMisereHeap},
    {"--print", kOneHeap | kSeveralHeaps},
    {"--block", kOneHeap | kSeveralHeaps},
    {"--parts", kSeveralHeaps},
    {"--checkpoint-interval", kOneHeap | kSeveralHeaps | kPositions},
    {"--dry-run", kOneHeap | kSeveralHeaps | kPositions},
    {"--chunk", kOneHeap},
    {"--no-extend", kOneHeap},
    {"--stats-only", kOneHeap | kSeveralHeaps},
    {"--reduce", kPositions},
    {"--misere", kSeveralHeaps | kOutcomes | kPositions | kMisereHeap},
    {"--adjacency", kPositions},
    {"--root", kPositions},
};

/// Refuses options that were typed and have no meaning for the subject; `words` name the subject.
void refuse_others(const Command& command, Subject subject, const char* words) {
  for (const auto& [option, subjects] : kSubjects) {
    if ((subjects & subject) == 0) refuse_ignored(command, {option}, words);
  }
}

/// Misère play of one heap: finds genera, not a table of values that add up.
int run_misere_heaps(Console& console, const Command& command, const AnyGame& game,
                     const ComputeOptions& options) {
  constexpr const char* kWords = "misère play of one heap";
  refuse_others(command, kMisereHeap, kWords);
  refuse_ignored(command, {"--engine", "--kernel", "--backend", "--threads"}, kWords);
  if (console.team != nullptr) {
    throw Error(ErrorCode::kUsage, "ranks share values only: one rank finds genera");
  }
  Request request = heap_request(game, options);
  request.output.path = options.output;
  request.output.reproducible = options.reproducible;
  request.output.command_line = console.command_line;
  set_force(options.force, request);
  return compute_misere_heaps(console, request);
}

int run_compute(Console& console, const Command& command, const ComputeOptions& options) {
  const AnyGame game =
      resolve_game(options.run.game, options.shape.empty() ? GameKind::kHeap : GameKind::kLattice);
  if (game.kind() == GameKind::kGraph) {
    refuse_others(command, kPositions, "a game on positions");
    if (console.team != nullptr) {
      throw Error(ErrorCode::kUsage, "ranks share games of one heap and of two only");
    }
    if (options.outcomes) {
      refuse_ignored(command, {"--adjacency", "--root", "--dry-run"}, "outcomes of positions");
    }
    return compute_graph(console, game, options.run, options.graph, options.outcomes,
                         {options.output, options.force, options.dry_run, options.reproducible});
  }
  if (options.shape.empty() && options.run.last.empty()) {
    throw Error(ErrorCode::kUsage,
                "--to N is needed for a game of one heap, and --shape AxB for one of several");
  }
  const bool lattice = !options.shape.empty() || game.kind() == GameKind::kLattice;
  if (options.outcomes) {
    refuse_others(command, kOutcomes, "a run that finds outcomes only");
    if (!lattice) refuse_ignored(command, {"--sorted"}, "outcomes of one heap");
  } else if (!lattice) {
    if (options.graph.misere) return run_misere_heaps(console, command, game, options);
    refuse_others(command, kOneHeap, "a game of one heap");
  } else {
    refuse_others(command, kSeveralHeaps, "a game of several heaps");
  }
  if (console.team != nullptr && options.outcomes) {
    throw Error(ErrorCode::kUsage, "ranks share values only: one rank finds outcomes");
  }
  Request request = lattice ? make_lattice_request(game, options.run, options.shape, options.sorted,
                                                   options.graph.misere)
                            : heap_request(game, options);
  if (lattice && options.stats_only) {
    refuse_ignored(command, {"--print", "--parts"}, "statistics of several heaps, without values");
    std::get<LatticeGame>(request.game).stats_only = true;
  }
  request.output.path = options.output;
  request.output.reproducible = options.reproducible;
  if (options.in_parts && options.output.empty() && !options.dry_run) {
    throw Error(ErrorCode::kUsage, "--parts needs an output, beside which the parts stand");
  }
  request.output.in_parts = options.in_parts;
  set_force(options.force, request);
  request.team = console.team;
  if (options.outcomes) return run_outcomes(console, request);
  if (!options.dry_run) return run_computation(console, std::move(request), options.print);
  return lattice ? print_lattice_prediction(console, request)
                 : print_heap_prediction(console, request);
}

}  // namespace

Command compute_command(Console& console) {
  auto options = std::make_shared<ComputeOptions>();
  Command command{.name = "compute", .help = "Compute the table of a game"};
  command.add({
      {.names = "GAME",
       .target = &options->run.game,
       .help = "Name, code, subtraction set, formulas, rule of several heaps or rules file",
       .required = true,
       .offers = game_names()},
      last_option(options->run.last, "The largest heap: 1000, 1e9, 2^32, 10^6-1"),
      {.names = "--shape",
       .value = "AxB[xC]",
       .target = &options->shape,
       .help = "Sizes of a game of several heaps: 100x200 has heaps 0 to 99 and 0 to 199",
       .excludes = {"--to"}},
      {.names = "--sorted",
       .target = &options->sorted,
       .help = "Keep one position of those that differ in the order of heaps only"},
      output_option(options->output, "HDF5 file to write; with --root, a JSON file"),
      {.names = "--parts",
       .target = &options->in_parts,
       .help = "Keep the values of two heaps in files of their own beside FILE, which ranks write "
               "side by side; FILE opens as one table, and `grundy merge` makes one file",
       .excludes = {"--print", "--chunk"}},
      {.names = "--print",
       .target = &options->print,
       .help = "Print every value, as lines `n value`"},
      {.names = "--dry-run",
       .target = &options->dry_run,
       .help = "Only predict time, memory and disk"},
      force_option(
          options->force,
          "Replace an existing file, run although memory or disk seem too small, take over the "
          "lock of another host"),
      {.names = "--no-extend",
       .target = &options->no_extend,
       .help = "Compute every value, also those that follow from a proved period"},
      {.names = "--stats-only",
       .target = &options->stats_only,
       .help =
           "Keep no values, in constant memory where the engine can, but statistics at every "
           "power of two, rare heaps, the last values and the period that they prove. With -o the "
           "run is sealed, resumed and extended like that of a table; without, its states lie "
           "in a temporary directory meanwhile. Values of several heaps are counted as they come, "
           "in the memory of the engine; with -o such a run is sealed and resumed, too"},
      {.names = "--outcomes",
       .target = &options->outcomes,
       .help = "Find the P-positions of several heaps, of positions, or of one heap that no move "
               "splits, without values where that reaches further; with -o, FILE lists them"},
      {.names = "--reproducible",
       .target = &options->reproducible,
       .help = "Leave times, machine and command line out of the file; engine and kernel are "
               "those that were asked for"},
      {.names = "--chunk",
       .value = "N",
       .target = &options->chunk,
       .help = "Values a chunk of the file, a power of two"},
  });
  command.add(run_options(options->run));
  command.add({interval_option(options->run)});
  command.add(graph_options(options->graph));
  command.footer =
      R"(With -o, values of games of one or several heaps, and what a search for one value (--root) has
learnt, are sealed in FILE.run/ as the computation goes. Whatever ends it, the same command (or `grundy resume FILE.run`) goes on from there. SIGINT,
SIGTERM, SIGHUP, SIGALRM and SIGXCPU seal and stop, SIGUSR1 seals and goes on, SIGUSR2 prints the
status.

Under MPI the ranks of `grundy-mpi compute` share a game of one heap with `--engine dense`, and a table of
two heaps, which needs -o or --stats-only.

Before the `pass` of a code (0.77 pass 3) stands a blank or `-`: its letters are digits of base 32.

Examples:
  grundy compute kayles --to 1e9 -o kayles.h5
  grundy compute .007 --to 2^20 --dry-run
  grundy compute 'S{1,2,5}' --to 20 --print
  grundy compute 'n -> n - d : d | n, d < n' --to 1e6
  grundy compute officers --to 2^32 --stats-only -o officers.h5
  grundy compute cram:5x6 -o cram.h5
  grundy compute node-kayles:graph.txt --root
  grundy compute cram:6x9 --root -o cram.json
  grundy compute wythoff --shape 4096x4096 -o wythoff.h5
  grundy compute 'moore(4,2)' --shape 128x128x128x128 --sorted -o moore.h5
  grundy compute '2: sym (1,0)* + (1,2)' --shape 12x12 --print
  grundy compute wythoff --shape 8192x8192 --sorted --stats-only
  grundy compute wythoff --shape 4096x4096 --sorted --parts -o parts.h5
  grundy compute wythoff --shape 20000x20000 --sorted --outcomes
  grundy compute wythoff --shape 4096x4096 --sorted --misere -o misere.h5
  grundy compute 'chomp(4)' --shape 201x201x201x201 --sorted --outcomes -o chomp4.h5
  grundy compute 'S{squares}' --to 10^7 --outcomes
  grundy compute 'S{squares}' --to 10^7 --outcomes --misere -o misere-squares.h5
  grundy compute cram:5x5 --outcomes -o cram.h5
  grundy compute kayles --to 50 --misere -o misere-kayles.h5    # genera, as of `grundy genus`
)";
  command.is_shared = true;
  command.run = [&console, options](const Command& given) {
    return run_compute(console, given, *options);
  };
  return command;
}

}  // namespace grundy::cli
