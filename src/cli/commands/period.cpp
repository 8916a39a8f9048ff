// SPDX-License-Identifier: MIT
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <grundy/compute.hpp>
#include <grundy/error.hpp>
#include <grundy/games.hpp>
#include <grundy/lattice/row_period.hpp>
#include <grundy/table.hpp>

#include "atlas/game_row.hpp"
#include "cli/attended_run.hpp"
#include "cli/commands.hpp"
#include "cli/computation.hpp"
#include "cli/run_options.hpp"
#include "cli/table_report.hpp"
#include "core/text.hpp"
#include "core/value_buffer.hpp"
#include "session/table_statistics.hpp"
#include "session/value_source.hpp"
#include "theory/mixed_saltus.hpp"

namespace grundy::cli {
namespace {

/// Options that have a meaning for a search only.
constexpr std::initializer_list<const char*> kSearchOptions = {
    "--engine",  "--kernel", "--threads",
    "--backend", "--memory", "--block",
    "--output",  "--force",  "--checkpoint-interval"};

struct PeriodOptions {
  RunOptions run;
  std::string rows;
  std::string output;
  bool tsv = false;
  bool force = false;
};

Json result_json(const std::string& title, const std::string& canonical,
                 const PeriodReport& period) {
  Json json{{"title", title}, {"notation", canonical}};
  json.update(period_json(period));
  return json;
}

std::string mixed_sentence(const MixedPattern& pattern) {
  return fmt::format(
      "{}; {}", to_words(pattern),
      pattern.proved
          ? fmt::format("proved for all heaps, from the first {}", format_count(pattern.size))
          : fmt::format("seen in the first {} heaps, not proved", format_count(pattern.size)));
}

void print_result(Console& console, const std::string& title, const std::string& canonical,
                  const std::string& description, const PeriodReport& period) {
  print_game(console, title, canonical, description);
  if (period.mixed) {
    console.field("status", to_string(period.mixed->status()));
    console.field("regularity", mixed_sentence(*period.mixed));
    return;
  }
  console.field("status", to_string(period.status));
  print_period(console, period);
}

/// The period in a file; nothing is computed.
int period_of_file(Console& console, const std::string& file) {
  const auto table = open_heap_table(file);
  const TableInfo& info = table->info();
  if (console.json) {
    console.print_json(result_json(info.title, info.canonical, info.period));
  } else {
    print_result(console, info.title, info.canonical, info.description, info.period);
  }
  return 0;
}

Json mixed_json(const MixedPattern& pattern) {
  return {{"status", to_string(pattern.status())},
          {"preperiod", pattern.preperiod},
          {"period", pattern.period},
          {"saltus_by_residue", pattern.saltus},
          {"verified_to", pattern.size}};
}

int period_of_game(Console& console, const AnyGame& game, const PeriodOptions& options) {
  Request request = make_request(game, options.run);
  set_force(options.force, request);
  request.output.path = options.output;
  request.output.command_line = console.command_line;
  const bool seals = !options.output.empty();
  CheckpointControl control;
  AttendedRun run(console, "heaps", seals ? &control : nullptr);
  Hooks hooks = run.hooks();
  // Engines other than `sparse` tell no sparse space. They cannot come far, so their values are
  // kept for the row. A file keeps what engines told.
  ValueBuffer values;
  if (options.tsv && !seals) {
    hooks.values = [&values](const Stretch& block) {
      if (block.begin == values.size() && block.end() <= kSplitHeaps) values.append(block.values);
      return Flow::kContinue;
    };
  }
  const Report report = search_period(request, hooks);
  const PeriodReport& period = report.info.period;
  run.end();
  std::optional<SparseFacts> sparse = report.statistics.sparse;
  if (!sparse && values.size() > 0 && values.size() == report.info.stats.count) {
    sparse = sparse_facts(game.heap(), values.values());
  }
  // The least preperiod is found last; a search that was stopped earlier has only an upper bound.
  const bool bounded = !report.complete && period.status == PeriodStatus::kCandidate;
  if (options.tsv) {
    console.print("{}{}", game_row_heading(),
                  to_text({.code = game.notation,
                           .period = period,
                           .stats = report.info.stats,
                           .sparse = sparse,
                           .last_zero = report.last_zero}));
  } else if (console.json) {
    Json json = result_json(game.title, game.notation, period);
    json["complete"] = report.complete;
    if (bounded) json["last_exception"] = nullptr;
    if (period.mixed) json["mixed"] = mixed_json(*period.mixed);
    put_exception(json, report.statistics);
    put_last_zero(json, period, report.last_zero);
    if (!report.complete && sparse) json["sparse_space"] = sparse_json(*sparse);
    if (seals && report.complete) json["file"] = options.output;
    console.print_json(json);
  } else if (bounded) {
    print_game(console, game.title, game.notation, game.heap().describe());
    console.field("period",
                  fmt::format("{} from heap {} on or earlier; the preperiod was not found",
                              format_count(period.period), format_count(period.preperiod)));
  } else {
    print_result(console, game.title, game.notation, game.heap().describe(), period);
    print_exception(console, report.statistics);
    print_last_zero(console, period, report.info.stats.count, report.last_zero);
    if (sparse && period.status == PeriodStatus::kNone) print_sparse(console, *sparse);
    if (seals && report.complete) {
      console.field("file", fmt::format("{}, {}", options.output, format_bytes(report.file_bytes)));
    }
  }
  if (report.complete) return 0;
  console.out().flush();
  return console.fail(kExitStopped, stop_sentence(report, "heaps"));
}

/// Additive periods of the rows of a game of two heaps.
int period_of_rows(Console& console, const std::string& name, const std::string& rows,
                   const std::string& columns) {
  const AnyGame game = resolve_game(name, GameKind::kLattice);
  const LatticeRule& rule = game.lattice();
  const std::uint64_t last = count_option("--rows", rows);
  constexpr std::uint64_t kMostRows = 10000;
  if (last > kMostRows) {
    throw Error(ErrorCode::kUsage, fmt::format("--rows: {} is more than {}", last, kMostRows));
  }
  const std::uint64_t limit = count_option("--to", columns);
  AttendedRun run(console, "columns");
  const Hooks hooks = run.hooks();
  const auto found =
      find_row_periods(rule, static_cast<std::uint32_t>(last), limit, hooks.stop, hooks.progress);
  run.end();
  if (!found && hooks.stop.stop_requested()) {
    return console.fail(kExitStopped, "stopped before a state recurred");
  }
  if (console.json) {
    Json list = Json::array();
    for (const RowPeriod& row : found ? found->rows : std::vector<RowPeriod>{}) {
      list.push_back({{"row", row.row},
                      {"period", row.period},
                      {"preperiod", row.preperiod},
                      {"saltus", row.saltus}});
    }
    Json json{{"title", game.title},
              {"notation", rule.canonical()},
              {"status", to_string(found ? PeriodStatus::kCertified : PeriodStatus::kNone)},
              {"rows", list}};
    if (found) {
      json["state"] = {
          {"column", found->column}, {"period", found->period}, {"saltus", found->saltus}};
    }
    console.print_json(json);
    return 0;
  }
  const GameDescription about = GameDescription::of(game, name);
  print_game(console, about.title, rule.canonical(), about.moves(rule.describe()));
  if (!found) {
    console.field("status", fmt::format("none found in {} columns", format_count(limit)));
    return 0;
  }
  console.field("status", to_string(PeriodStatus::kCertified));
  console.field(
      "proof",
      fmt::format("the state of rows 0 to {} at column {} recurs after {} "
                  "columns, all values larger by {} (Dress, Flammenkamp and Pink 1999; the "
                  "argument is Landman's)",
                  last, found->column, found->period, found->saltus));
  console.print("\nG(row, n + period) = G(row, n) + saltus for all n >= preperiod\n");
  console.print("{:>6} {:>10} {:>10} {:>10}\n", "row", "period", "preperiod", "saltus");
  for (const RowPeriod& row : found->rows) {
    console.print("{:>6} {:>10} {:>10} {:>10}\n", row.row, row.period, row.preperiod, row.saltus);
  }
  return 0;
}

}  // namespace

Command period_command(Console& console) {
  auto options = std::make_shared<PeriodOptions>();
  options->run.last = "2^17";
  Command command{.name = "period", .help = "Find and prove the period of a game"};
  command.add({
      {.names = "GAME|FILE",
       .target = &options->run.game,
       .help = "A game, or a table or statistics of one heap",
       .required = true,
       .offers = game_names({GameKind::kHeap, GameKind::kLattice})},
      last_option(options->run.last, "Search heaps up to this one"),
      {.names = "--rows",
       .value = "A",
       .target = &options->rows,
       .help = "Additive periods of rows 0 to A of a game of two heaps; --to bounds columns"},
      output_option(
          options->output,
          "Seal the search in FILE.run/, and write statistics of what was computed to FILE"),
      {.names = "--tsv",
       .target = &options->tsv,
       .help = "Of a game: one row for a table of games, like those of A. Flammenkamp, with its "
               "heading",
       .excludes = {"--json", "--rows"}},
      force_option(options->force,
                   "Replace an existing file, and run although memory or disk seem too small"),
  });
  command.add(run_options(options->run));
  command.add({interval_option(options->run)});
  command.footer = R"(The period is certified only by a theorem whose conditions hold; else it is a
candidate. The preperiod is the least e with G(n+p) = G(n) + saltus for all n >= e. The last zero is
the largest heap of value 0; without a proved period, of the heaps that were computed.

In the row of --tsv a dash stands for what is not proved (period, saltus, last exception) or not
known, for the maximum of values that are proved to grow, and for the last zero where zeros recur.

A game with a pass may be partly periodic and partly arithmetically periodic: each residue has a saltus
of its own. Where no period is found, the first 8192 heaps are looked through for that, and the
regularity is proved or called seen. Files do not keep it, and --tsv shows only that values grow.

No table is kept. With the engine `sparse` memory is constant: a period is proved by the first return
of a remembered window of values, and its preperiod is found among sealed states. With -o, the same
command or `grundy resume FILE.run` goes on after an interruption, and `grundy resume FILE --to N`
searches further.

Examples:
  grundy period kayles
  grundy period 0.3F
  grundy period 0.16 --to 2^19 --json
  grundy period 0.56 --to 2^19 --tsv
  grundy period "4.3646 pass 4" --to 5000
  grundy period 0.454 --to 10^9 -o 0454.h5
  grundy period kayles.h5
  grundy period wythoff --rows 20
)";
  command.run = [&console, options](const Command& given) {
    const std::string& name = options->run.game;
    if (std::filesystem::is_directory(name)) {
      throw Error(ErrorCode::kUsage, fmt::format("'{}' is a directory; of a run `grundy info {}` "
                                                 "says what it has found",
                                                 name, name));
    }
    if (!options->rows.empty()) {
      if (names_a_table(name)) {
        throw Error(ErrorCode::kUsage,
                    fmt::format("--rows is for a game, and {} is a table", in_quotes(name)));
      }
      refuse_ignored(given, kSearchOptions, "rows, which are found on one thread");
      return period_of_rows(console, name, options->rows,
                            given.given("--to") ? options->run.last : "2^20");
    }
    if (!names_a_table(name)) {
      const AnyGame game = resolve_game(name);
      if (game.kind() == GameKind::kLattice) {
        throw Error(ErrorCode::kUsage,
                    game.lattice().heaps() == 2
                        ? "of a game of two heaps the rows have periods; add --rows A"
                        : "periods are those of one heap, and of the rows of two heaps");
      }
      return period_of_game(console, game, *options);
    }
    refuse_ignored(given, {"--tsv"}, "a table; `grundy stats FILE --tsv` has the row");
    refuse_ignored(given, {"--to"}, "a table, which holds its own report");
    refuse_ignored(given, kSearchOptions, "a table, which holds its own report");
    return period_of_file(console, name);
  };
  return command;
}

}  // namespace grundy::cli
