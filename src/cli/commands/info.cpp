// SPDX-License-Identifier: MIT
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <grundy/error.hpp>
#include <grundy/graph/file.hpp>
#include <grundy/statistics.hpp>
#include <grundy/table.hpp>

#include "cli/census_report.hpp"
#include "cli/commands.hpp"
#include "cli/genera_report.hpp"
#include "cli/graph_commands.hpp"
#include "cli/lattice_statistics_report.hpp"
#include "cli/outcomes_report.hpp"
#include "cli/p_positions_report.hpp"
#include "cli/table_report.hpp"
#include "core/json.hpp"
#include "core/text.hpp"
#include "run/run_directory.hpp"
#include "session/root_file.hpp"
#include "session/run_terms.hpp"
#include "session/sealed_stripes.hpp"
#include "session/search_run.hpp"
#include "table/file_kind.hpp"
#include "table/layout_text.hpp"
#include "table/table_of_parts.hpp"
#include "verify/heap/state_check.hpp"

namespace grundy::cli {
namespace {

/// Prints what an unfinished run has sealed so far; reads headers, but no values.
int info_run(Console& console, const std::string& directory) {
  refuse_stripe(directory);
  const bool is_shared = is_of_stripes(directory);
  StripesContents run;
  std::optional<StatisticsFile> found;  // by a run without a table: its last state says it
  if (is_shared) {
    run = read_stripes(directory);
  } else {
    RunContents contents = read_run(directory);
    if (keeps_states(contents)) found = statistics_of_states(directory, contents);
    run.record = std::move(contents.record);
    run.segments = std::move(contents.segments);
    run.sealed = run.segments.empty() ? 0 : run.segments.back().header.end();
  }
  if (!run.record) {
    throw Error(ErrorCode::kUsage,
                fmt::format("'{}' is no run directory, or nothing is sealed in it", directory));
  }
  const RunRecord& record = *run.record;
  const std::uint64_t sealed = run.sealed;
  const bool is_finished = found && sealed == record.count;
  std::uint64_t bytes = 0;
  for (const Segment& segment : run.segments) bytes += std::filesystem::file_size(segment.path);
  const auto makers = makers_of(run.segments, &SegmentHeader::engine);
  const std::uint64_t values = is_shared        ? values_of_stripes(record)
                               : record.lattice ? order_of(record).count()
                                                : record.count;
  if (console.json) {
    Json json{{"directory", directory}, {"complete", is_finished}, {"notation", record.rule}};
    if (record.lattice) {
      json.update({{"shape", record.lattice->shape}, {"sorted", record.lattice->sorted}});
      if (is_shared) {
        json["stripes"] = run.stripes;
      } else {
        json["order"] = record.lattice->order;
      }
      json.update({{"values", values}, {"sealed_values", sealed}});
    } else {
      json.update({{"first_heap", 0}, {"last_heap", record.count - 1}, {"sealed_heaps", sealed}});
    }
    json.update({{"segments", run.segments.size()},
                 {"bytes", bytes},
                 {"engines", makers},
                 {"begun", record.created}});
    if (found) json["statistics"] = table_json(found->info);
    console.print_json(json);
    return 0;
  }
  print_game(console, record.title, record.rule, {});
  std::string what = fmt::format("heaps below {}", format_count(sealed));
  if (record.lattice) {
    console.field("shape", shape_text(table_layout(record)));
    const bool has_both_sides = is_shared && record.lattice->sorted;
    what = fmt::format("{} of {} values{}", format_count(sealed), format_count(values),
                       has_both_sides ? ", with both sides of tiles on the diagonal," : "");
  } else {
    console.field("heaps", fmt::format("0 to {} are wanted ({})", format_count(record.count - 1),
                                       kIndexConvention));
  }
  console.field("sealed", fmt::format("{} in {} segment{}, {}", what, run.segments.size(),
                                      run.segments.size() == 1 ? "" : "s", format_bytes(bytes)));
  if (is_shared) {
    console.field("stripes", fmt::format("{} with sealed values", run.stripes));
  } else if (record.lattice) {
    console.field("order", record.lattice->order);
  }
  if (!makers.empty()) console.field("engine", fmt::format("{}", fmt::join(makers, ", ")));
  if (found) {
    print_found(console, found->info);
    print_sparse(console, *found->statistics.sparse);
    console.field("values",
                  fmt::format("are not kept; `grundy stats {}` shows more", shell_word(directory)));
  }
  console.field("begun", record.created);
  if (!is_finished)
    console.field("go on with", fmt::format("grundy resume {}", shell_word(directory)));
  return 0;
}

int run_info(Console& console, const std::string& file) {
  if (is_search_run(file)) return info_search(console, file);
  if (std::filesystem::is_directory(file)) return info_run(console, file);
  if (is_root_file(file)) return info_root(console, file);
  const FileKind kind = kind_of(file);
  switch (kind) {
    case FileKind::kPositions:
      return info_graph(console, file);
    case FileKind::kCensus:
    case FileKind::kRuleCensus:
      return info_census(console, file);
    case FileKind::kAtlas:
      return info_atlas(console, file);
    case FileKind::kGenera:
      return info_genera(console, file);
    case FileKind::kOutcomes:
      return info_outcomes(console, file);
    case FileKind::kPPositions:
      return info_list(console, file);
    case FileKind::kLatticeStatistics:
      return info_lattice_statistics(console, file);
    default:
      break;  // a table, or statistics
  }
  const auto table = TableReader::open(file);
  const TableInfo& info = table->info();
  const std::uint64_t bytes = bytes_of_table(file);
  std::vector<std::filesystem::path> parts;
  if (is_table_of_parts(file)) parts = files_of_parts(file);
  const Json provenance = json_or_text(info.provenance_json);
  const bool is_statistics = kind == FileKind::kStatistics;
  const StatisticsFile statistics = is_statistics ? read_statistics(file) : StatisticsFile{};
  const HeapStatistics& found = statistics.statistics;
  const bool has_state = !statistics.extension_state.empty();
  if (console.json) {
    Json json = table_json(info);
    json["file"] = file;
    json["file_bytes"] = bytes;
    json["value_bytes"] = byte_count(table->width());
    json["chunk_values"] = table->chunk_size();
    if (!parts.empty()) {
      json["parts"] = Json::array();
      for (const std::filesystem::path& part : parts) json["parts"].push_back(part.string());
    }
    json["provenance"] = provenance;
    if (is_statistics) {
      put_exception(json["period"], found);
      json["has_state"] = has_state;
    }
    console.print_json(json);
    return 0;
  }
  print_table(console, info);
  if (is_statistics) {
    if (found.sparse) print_sparse(console, *found.sparse);
    print_exception(console, found);
    console.field("values", fmt::format("of the last {} heaps only", found.tail.size()));
    console.field("sealed", fmt::format("at {} heaps, with a digest of all values below each",
                                        found.seals.size()));
    if (has_state) {
      console.field("state", "of the end: `grundy resume FILE --to N` needs nothing but the file");
    }
    console.field("file", fmt::format("{}, {}", file, format_bytes(bytes)));
    return 0;
  }
  console.field("file", fmt::format("{}, {} ({} byte{} a value)", file, format_bytes(bytes),
                                    byte_count(table->width()),
                                    table->width() == ValueWidth::kU8 ? "" : "s"));
  if (!parts.empty()) {
    console.field("parts", fmt::format("{} in {}, counted in; `grundy merge` makes one file",
                                       parts.size(), parts.front().parent_path().string()));
  }
  if (provenance.is_object()) {
    for (const auto& [key, value] : provenance.items()) {
      if (value.is_string()) console.field(key, value.get<std::string>());
    }
  }
  return 0;
}

}  // namespace

Command info_command(Console& console) {
  auto file = std::make_shared<std::string>();
  Command command{.name = "info", .help = "Say what is in a file or a run directory"};
  command.add({{.names = "FILE",
                .target = file.get(),
                .help = "A file of this program (a table, statistics, a list of P-positions, "
                        "misère play of one heap, a census, a family of games, a value) or a run "
                        "directory (FILE.run, FILE.stripes)",
                .required = true}});
  command.footer = R"(Examples:
  grundy info kayles.h5
  grundy info kayles.h5 --json | jq .period
  grundy info officers.h5.run
)";
  command.run = [&console, file](const Command&) { return run_info(console, *file); };
  return command;
}

}  // namespace grundy::cli
