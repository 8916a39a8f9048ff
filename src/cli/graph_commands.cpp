// SPDX-License-Identifier: MIT
#include "cli/graph_commands.hpp"

#include <chrono>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <grundy/compute.hpp>
#include <grundy/error.hpp>
#include <grundy/games.hpp>
#include <grundy/machine.hpp>

#include "cli/answers.hpp"
#include "cli/attended_run.hpp"
#include "cli/p_positions_report.hpp"
#include "cli/sum_text.hpp"
#include "cli/table_report.hpp"
#include "core/digest.hpp"
#include "core/json.hpp"
#include "core/text.hpp"
#include "core/text_cursor.hpp"
#include "run/run_directory.hpp"
#include "session/machine.hpp"
#include "session/root_file.hpp"
#include "session/search_run.hpp"
#include "session/stored_graph.hpp"
#include "table/key_text.hpp"

namespace grundy::cli {
namespace {

std::string duration_text(double seconds) {
  return format_duration(std::chrono::duration<double>(seconds));
}

/// The reduction that was asked for, or the one that the other options need.
Reduction chosen_reduction(const GraphOptions& options, bool outcomes) {
  if (!options.reduce.empty()) return parse_reduction(options.reduce);
  return options.misere || outcomes ? Reduction::kSymmetry : Reduction::kComponents;
}

Request make_graph_request(const Console& console, const AnyGame& any, const RunOptions& run,
                           const GraphOptions& graph, bool outcomes, const OutputOptions& output) {
  if (graph.adjacency && output.file.empty()) {
    throw Error(ErrorCode::kUsage, "--adjacency says what is written to a file; add -o FILE");
  }
  if (graph.adjacency && graph.root) {
    throw Error(ErrorCode::kUsage, "--adjacency is for a table of positions, not for --root");
  }
  if (!run.checkpoint.empty() && (!graph.root || output.file.empty())) {
    throw Error(ErrorCode::kUsage,
                "--checkpoint-interval is for --root with -o; a table of positions is not sealed");
  }
  const AnyGame game =
      resolve_game(any.notation, GameKind::kGraph, chosen_reduction(graph, outcomes));
  Request request{
      .game = PositionGame{std::get<std::shared_ptr<const GraphGame>>(game.rule), graph.misere},
      .about = GameDescription::of(game, game.notation),
      .output = {.path = output.file,
                 .reproducible = output.reproducible,
                 .command_line = console.command_line,
                 .adjacency = graph.adjacency}};
  set_force(output.force, request);
  apply_run_options(run, request);
  return request;
}

const char* outcome_letter(Nimber value) {
  return value == 0 ? "P" : "N";
}

Json info_json(const GraphFileInfo& info, const GraphTable& table) {
  const GraphStats& stats = info.stats;
  Json json{{"game", info.game},
            {"title", info.title},
            {"moves_in_words", info.rules},
            {"reduction", to_string(info.reduction)},
            {"engine", info.engine},
            {"kernel", info.kernel},
            {"positions", stats.positions},
            {"terminal_positions", stats.terminal},
            {"p_positions", stats.p_positions},
            {"moves", stats.moves},
            {"max_value", stats.max_value},
            {"root_value", info.root_value},
            {"root_outcome", outcome_letter(info.root_value)},
            {"digest", to_hex(stats.digest)}};
  if (const auto misere = table.misere_play()) {
    json.update({{"misere_p_positions", misere->p_positions},
                 {"misere_root_value", misere->root_value},
                 {"misere_root_outcome", outcome_letter(misere->root_value)}});
  }
  return json;
}

std::string root_words(Nimber value) {
  return fmt::format("value {}, {}", value, outcome_sentence(value));
}

void print_info(Console& console, const GraphFileInfo& info, const GraphTable& table) {
  const GraphStats& stats = info.stats;
  print_game(console, info.title, info.game, info.rules);
  console.field("positions",
                fmt::format("{}, {} of them without a move ({})", format_count(stats.positions),
                            format_count(stats.terminal), reduction_words(info.reduction)));
  console.field("all moves", format_count(stats.moves));
  console.field("P-positions", format_count(stats.p_positions));
  console.field("maximum", std::to_string(stats.max_value));
  console.field("root", root_words(info.root_value));
  if (const auto misere = table.misere_play()) {
    console.field("misère play",
                  fmt::format("{} P-positions; root {}", format_count(misere->p_positions),
                              root_words(misere->root_value)));
  }
  console.field("engine", fmt::format("{}, kernel {}", info.engine, info.kernel));
  console.field("digest", fmt::format("XXH3-128 {}", to_hex(stats.digest)));
}

int print_prediction(Console& console, const Request& request, const Prediction& p) {
  if (console.json) {
    console.print_json({{"game", request.about.game},
                        {"engine", p.engine},
                        {"kernel", p.kernel},
                        {"threads", p.threads},
                        {"positions", or_null(p.positions)},
                        {"memory_bytes", or_null(p.memory_bytes)},
                        {"memory_limit", p.memory_available},
                        {"positions_in_memory", or_null(p.positions_in_memory)}});
    return 0;
  }
  console.field("game", request.about.game);
  console.field("engine", fmt::format("{}, kernel {}, {} thread{}", p.engine, p.kernel, p.threads,
                                      p.threads == 1 ? "" : "s"));
  console.field("positions",
                p.positions ? format_count(*p.positions) : "not known before they are found");
  if (p.memory_bytes) console.field("memory", format_bytes(*p.memory_bytes));
  std::string limit = format_bytes(p.memory_available);
  if (p.positions_in_memory) {
    limit += fmt::format(", which holds {} positions", format_count(*p.positions_in_memory));
  }
  console.field("limit", limit);
  return 0;
}

/// Reports what a stopped search leaves.
int stopped_search(Console& console, const Request& request) {
  const auto directory = run_directory_for(request.output.path);
  if (request.output.path.empty() || !is_search_run(directory)) return console.stopped();
  return console.fail(kExitStopped,
                      fmt::format("stopped; what was learnt is sealed: `grundy resume {}` goes on",
                                  shell_word(directory.string())));
}

int print_root_value(Console& console, const Request& request) {
  const std::string file = request.output.path.string();
  CheckpointControl control;
  AttendedRun run(console, "positions", file.empty() ? nullptr : &control);
  const auto report = compute_root(request, run.hooks());
  run.end();
  if (!report) return stopped_search(console, request);
  if (console.json) {
    Json json{{"game", request.about.game},
              {"root_value", report->value},
              {"root_outcome", outcome_letter(report->value)},
              {"engine", report->engine}};
    json.update({{"proof", report->proof},
                 {"positions_searched", report->searched},
                 {"positions_known", report->known},
                 {"positions_recalled", report->recalled},
                 {"seconds", report->seconds},
                 {"all_positions_searched", report->all_searched},
                 {"all_seconds", report->all_seconds}});
    if (!file.empty()) json["file"] = file;
    console.print_json(json);
    return 0;
  }
  console.field("game", request.about.game);
  console.field("root", root_words(report->value));
  console.field("engine", report->engine);
  console.field("proof", report->proof);
  const bool is_resumed = report->recalled > 0;
  if (report->engine == "search") {
    console.field(
        "positions",
        fmt::format(
            "{} searched{}, {} known at the end{}", format_count(report->searched),
            is_resumed ? fmt::format(" ({} in all lives)", format_count(report->all_searched)) : "",
            format_count(report->known),
            is_resumed ? fmt::format(", {} at the beginning", format_count(report->recalled))
                       : ""));
  }
  console.field("time", duration_text(report->seconds) +
                            (is_resumed ? fmt::format(" ({} in all lives)",
                                                      duration_text(report->all_seconds))
                                        : ""));
  if (!file.empty()) console.field("file", file);
  return 0;
}

/// The table of a file, for the other commands.
GraphFile read_table(const std::string& file) {
  return read_stored_graph(file, memory_available());
}

/// What the table says of a position.
/// @param rows those whose sum it is
/// @param game may be null
Json row_json(const GraphTable& table, const GraphGame* game, const std::string& position,
              const std::vector<std::uint64_t>& rows) {
  Json components = Json::array();
  Nimber value = 0;
  std::optional<Nimber> misere;
  for (const std::uint64_t row : rows) {
    value ^= table.values[row];
    if (!table.misere.empty()) misere = table.misere[row];
    components.push_back({{"row", row},
                          {"position", position_text(game, table.key(row))},
                          {"value", table.values[row]},
                          {"options", table.moves[row]},
                          {"layer", table.potential(row)}});
  }
  Json entry{{"position", position}, {"value", value}, {"outcome", outcome_letter(value)}};
  if (misere) entry["misere"] = *misere;
  entry["components"] = components;
  return entry;
}

}  // namespace

const char* reduction_words(Reduction reduction) {
  switch (reduction) {
    case Reduction::kNone:
      return "every position counts";
    case Reduction::kSymmetry:
      return "those with equal canonical form count once";
    case Reduction::kComponents:
      break;
  }
  return "components, those with equal canonical form count once";
}

void print_notation(Console& console, const GraphFileInfo& info) {
  if (!info.positions.empty()) console.field("written", info.positions);
}

std::vector<Option> graph_options(GraphOptions& options) {
  constexpr const char* kGroup = "Games on positions";
  return {
      {.names = "--reduce",
       .value = "HOW",
       .target = &options.reduce,
       .help = "Which positions count as one: none, symmetry or (by default) components",
       .group = kGroup,
       .offers = {"none", "symmetry", "components"}},
      {.names = "--misere",
       .target = &options.misere,
       .help = "Misère play, in which the last move loses: genera of one heap, misère values of "
               "several heaps, both kinds of values of whole positions; with --outcomes who wins",
       .group = kGroup},
      {.names = "--adjacency",
       .target = &options.adjacency,
       .help = "Also write the options of every position",
       .group = kGroup},
      {.names = "--root",
       .target = &options.root,
       .help = "Only the value of the start position: by a theorem, by the table of a game whose "
               "positions are numbered, or by a search that skips most positions",
       .group = kGroup},
  };
}

int compute_graph(Console& console, const AnyGame& game, const RunOptions& machine,
                  const GraphOptions& graph, bool outcomes, const OutputOptions& output) {
  const Request request = make_graph_request(console, game, machine, graph, outcomes, output);
  if (outcomes) return compute_list(console, request);
  if (output.dry_run) {
    return print_prediction(console, request,
                            graph.root ? predict_root(request) : predict(request));
  }
  if (graph.root) return print_root_value(console, request);
  AttendedRun run(console, "positions");
  const Report report = compute(request, run.hooks());
  run.end();
  if (!report.complete) return console.stopped();
  if (console.json) {
    Json json = info_json(report.positions, report.rows);
    json["threads"] = report.threads;
    json["seconds"] = report.seconds;
    json["engine_seconds"] = report.engine_seconds;
    if (!request.output.path.empty()) {
      json["file"] = request.output.path.string();
      json["file_bytes"] = report.file_bytes;
    }
    console.print_json(json);
    return 0;
  }
  print_info(console, report.positions, report.rows);
  const auto rate = [&](std::uint64_t count) {
    return format_count(static_cast<std::uint64_t>(static_cast<double>(count) /
                                                   std::max(report.engine_seconds, 1e-9)));
  };
  console.field(
      "time",
      fmt::format("{} on {} thread{}, {} positions/s, {} moves/s", duration_text(report.seconds),
                  report.threads, report.threads == 1 ? "" : "s",
                  rate(report.positions.stats.positions), rate(report.positions.stats.moves)));
  if (!request.output.path.empty()) {
    console.field("file", fmt::format("{}, {}", request.output.path.string(),
                                      format_bytes(report.file_bytes)));
  }
  return 0;
}

int resume_root(Console& console, const std::string& directory, const RunOptions& machine,
                bool force) {
  Request request = request_of_search(directory);
  apply_run_options(machine, request);
  request.output.command_line = console.command_line;
  set_force(force, request);
  return print_root_value(console, request);
}

int info_search(Console& console, const std::string& directory) {
  const SearchContents search = read_search_run(directory);
  const SearchRecord& record = search.record;
  if (console.json) {
    console.print_json({{"directory", directory},
                        {"complete", false},
                        {"game", record.game},
                        {"sealed_positions", search.entries},
                        {"bytes", search.bytes},
                        {"begun", record.created},
                        {"lives", record.lives},
                        {"seconds", record.seconds},
                        {"positions_searched", record.searched}});
    return 0;
  }
  print_game(console, record.title, record.game, {});
  console.field("wanted", "the value of the start position, by search");
  console.field("sealed", fmt::format("what was learnt of {} positions, {}",
                                      format_count(search.entries), format_bytes(search.bytes)));
  console.field("begun", record.created);
  console.field(
      "time",
      fmt::format("{} in {} li{}, {} positions searched", duration_text(record.seconds),
                  record.lives, record.lives == 1 ? "fe" : "ves", format_count(record.searched)));
  console.field("go on with", fmt::format("grundy resume {}", shell_word(directory)));
  return 0;
}

int info_root(Console& console, const std::string& file) {
  Json json = read_root_file(file);
  if (console.json) {
    json["file"] = file;
    console.print_json(json);
    return 0;
  }
  const auto text = [&json](const char* name) { return json.at(name).get<std::string>(); };
  print_game(console, text("title"), text("game"), text("moves_in_words"));
  console.field("root", root_words(json.at("root_value").get<Nimber>()));
  console.field("engine", text("engine"));
  if (json.contains("proof")) console.field("proof", text("proof"));
  // The first files do not say how many positions were known.
  if (text("engine") == "search" && json.contains("positions_known")) {
    console.field("positions", fmt::format("{} searched, {} known at the end",
                                           format_count(json.at("positions_searched")),
                                           format_count(json.at("positions_known"))));
  }
  if (json.contains("seconds")) {
    console.field("time", duration_text(json.at("seconds").get<double>()));
  }
  console.field("file", file);
  return 0;
}

int info_graph(Console& console, const std::string& file) {
  const GraphFile graph = read_table(file);
  const std::uint64_t bytes = std::filesystem::file_size(file);
  if (console.json) {
    Json json = info_json(graph.info, graph.table);
    json["file"] = file;
    json["file_bytes"] = bytes;
    json["misere"] = !graph.table.misere.empty();
    json["adjacency"] = graph.adjacency.has_value();
    json["provenance"] = json_or_text(graph.info.provenance_json);
    console.print_json(json);
    return 0;
  }
  print_info(console, graph.info, graph.table);
  print_notation(console, graph.info);
  console.field("file", fmt::format("{}, {}{}{}", file, format_bytes(bytes),
                                    graph.table.misere.empty() ? "" : ", with misère values",
                                    graph.adjacency ? ", with adjacency" : ""));
  return 0;
}

int query_graph(Console& console, const std::string& file,
                const std::vector<std::string>& positions) {
  const GraphFile graph = read_table(file);
  const auto game = game_of(graph, file);
  Answers out(console);
  const auto answer = [&](const std::string& text) {
    const auto rows = rows_of(graph, game.get(), trimmed(text), file);
    const Json row = row_json(graph.table, game.get(), text, rows);
    if (out.as_json()) return out.write_json(row);
    out.write(fmt::format(
        "{} {} {}{}\n", text, row["value"].get<Nimber>(), row["outcome"].get<std::string>(),
        row.contains("misere") ? fmt::format(" {}", row["misere"].get<Nimber>()) : ""));
  };
  for (const std::string& text : positions) out.attempt([&] { answer(text); });
  return out.end();
}

}  // namespace grundy::cli
