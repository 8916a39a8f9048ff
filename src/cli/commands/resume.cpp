// SPDX-License-Identifier: MIT
#include <memory>
#include <string>

#include <fmt/format.h>

#include <grundy/compute.hpp>
#include <grundy/error.hpp>
#include <grundy/file_kind.hpp>
#include <grundy/statistics.hpp>
#include <grundy/table.hpp>

#include "cli/commands.hpp"
#include "cli/computation.hpp"
#include "cli/graph_commands.hpp"
#include "cli/run_options.hpp"
#include "run/run_directory.hpp"
#include "session/sealed_stripes.hpp"
#include "session/search_run.hpp"

namespace grundy::cli {
namespace {

struct ResumeOptions {
  RunOptions run;
  std::string place;
  std::string output;
  bool force = false;
};

/// A request that begins with the values or statistics of a finished file.
Request request_to_extend(const ResumeOptions& options) {
  const bool stats_only = kind_of(options.place) == FileKind::kStatistics;
  const auto table = stats_only ? nullptr : TableReader::open(options.place);
  const TableInfo info = stats_only ? read_statistics(options.place).info : table->info();
  const char* const what = stats_only ? "file of statistics" : "table";
  const auto refuse = [&](const char* why) {
    throw Error(ErrorCode::kUsage,
                fmt::format("'{}' is a finished {}{}", options.place, what, why));
  };
  if (info.layout.is_lattice())
    refuse(" of several heaps; only tables of one heap can be extended");
  if (options.run.last.empty()) refuse("; --to says to which heap it is to be extended");
  const HeapSize last = count_option("--to", options.run.last);
  if (last < info.stats.count) {
    throw Error(ErrorCode::kUsage, fmt::format("--to {}: the {} ends at heap {} already", last,
                                               what, info.stats.count - 1));
  }
  Request request{
      .game =
          HeapGame{.rule = HeapRule::parse(info.canonical), .last = last, .stats_only = stats_only},
      .about = {.game = info.game, .title = info.title},
      .output = {.path = options.output.empty() ? options.place : options.output,
                 .overwrite = options.output.empty(),
                 .base = options.place}};
  if (table) request.output.chunk = table->chunk_size();
  return request;
}

Request request_to_resume(const ResumeOptions& options) {
  Request request = request_of_run(options.place);
  auto* const heaps = std::get_if<HeapGame>(&request.game);
  if (heaps == nullptr && (!options.run.last.empty() || !options.output.empty())) {
    throw Error(ErrorCode::kUsage,
                "--to and -o are not for a run of several heaps, whose "
                "table has its shape and its name already");
  }
  if (!options.output.empty()) {
    throw Error(ErrorCode::kUsage,
                "-o is for extending a finished file; the file of a run has its name already");
  }
  if (!options.run.last.empty()) {
    heaps->last = count_option("--to", options.run.last);
    request.output.change_range = true;
  }
  return request;
}

/// Whether a run has something to do: it is not at its end, or gets a later one. It may have ended
/// at a period, before the last heap that it was asked for.
bool goes_on(const RunContents& run, const std::string& last) {
  if (run.segments.empty()) return false;
  const HeapSize count = last.empty() ? run.record->count : count_option("--to", last) + 1;
  return run.segments.back().header.end() < count && count >= run.record->count;
}

/// The place of the run that `place` means. FILE means the run FILE.run or FILE.stripes if only
/// that exists. A file of statistics, whose run stays, also means its run, if the run goes on and
/// the extended file is to replace FILE.
std::string named_place(const std::string& place, const std::string& output,
                        const std::string& last) {
  const bool is_there = std::filesystem::exists(place);
  const auto stripes = stripes_directory_for(place);
  if (!is_there && std::filesystem::is_directory(stripes)) return stripes.string();
  const auto run = run_directory_for(place);
  if (!std::filesystem::is_directory(run)) return place;
  const bool is_run = !is_there || (output.empty() && kind_of(place) == FileKind::kStatistics &&
                                    goes_on(read_run(run), last));
  return is_run ? run.string() : place;
}

int run_resume(Console& console, ResumeOptions options) {
  options.place = named_place(options.place, options.output, options.run.last);
  if (is_search_run(options.place)) {
    if (!options.run.last.empty() || !options.output.empty() || !options.run.block.empty()) {
      throw Error(ErrorCode::kUsage, "--to, -o and --block are not for a search for one value");
    }
    return resume_root(console, options.place, options.run, options.force);
  }
  const bool is_run = std::filesystem::is_directory(options.place) ||
                      std::filesystem::path(options.place).extension() == ".run" ||
                      is_of_stripes(options.place);
  Request request = is_run ? request_to_resume(options) : request_to_extend(options);
  apply_run_options(options.run, request);
  request.force = options.force;
  request.output.overwrite |= options.force && !options.output.empty();
  return run_computation(console, std::move(request), false);
}

}  // namespace

Command resume_command(Console& console) {
  auto options = std::make_shared<ResumeOptions>();
  Command command{
      .name = "resume",
      .help = "Go on with an interrupted run, or extend a finished table or file of statistics"};
  command.add({
      {.names = "PLACE",
       .target = &options->place,
       .help = "FILE.run, FILE.stripes of ranks, or a finished FILE: a table or statistics",
       .required = true},
      last_option(options->run.last, "Another last heap: 1000, 1e9, 2^32, 10^6-1"),
      output_option(options->output,
                    "Where to write what is extended; it replaces the old file by default"),
      force_option(
          options->force,
          "Run although memory or disk seem too small, take over the lock of another host, drop "
          "sealed heaps beyond --to, replace the file of -o"),
  });
  command.add(run_options(options->run));
  command.add({interval_option(options->run)});
  command.footer =
      R"(Threads, kernel, engine and block size may differ from those of the run so far (of several
heaps, an engine that finds positions in another order is refused). A run that began with --engine
or --kernel keeps them unless others are given here. The last sealed values are
computed again and compared before anything new is sealed. Statistics of several heaps go on behind
their state, in which there are no values.

Examples:
  grundy resume kayles.h5.run
  grundy resume kayles.h5.run --to 2e9 --threads 8
  grundy resume cram.json.run
  grundy resume officers.h5 --to 2^24 -o officers24.h5
)";
  command.run = [&console, options](const Command&) { return run_resume(console, *options); };
  return command;
}

}  // namespace grundy::cli
