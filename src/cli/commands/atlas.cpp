// SPDX-License-Identifier: MIT
#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <grundy/atlas.hpp>
#include <grundy/error.hpp>

#include "cli/attended_run.hpp"
#include "cli/commands.hpp"
#include "cli/part.hpp"
#include "cli/prediction_report.hpp"
#include "cli/run_options.hpp"
#include "core/text.hpp"

namespace grundy::cli {
namespace {

struct AtlasOptions {
  std::vector<std::string> patterns;
  std::string output;
  std::vector<std::string> summaries;
  double seconds = 0;
  std::string part;
  bool merge = false;
  bool times = false;
  bool force = false;
  bool dry_run = false;
  RunOptions run;
};

/// The format of a summary, from the suffix of its name.
SummaryFormat format_of(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension();
  if (extension == ".csv") return SummaryFormat::kCsv;
  if (extension == ".json") return SummaryFormat::kJson;
  if (extension == ".md") return SummaryFormat::kMarkdown;
  if (extension == ".tsv") return SummaryFormat::kRows;
  throw Error(
      ErrorCode::kUsage,
      fmt::format("--summary: {} ends in none of .csv, .json, .md and .tsv", in_quotes(path)));
}

AtlasRequest make_atlas_request(const Console& console, const Command& given,
                                const AtlasOptions& options) {
  AtlasRequest request;
  for (const std::string& pattern : options.patterns) {
    std::ranges::move(expand_family(pattern), std::back_inserter(request.games));
  }
  request.last = count_option("--to", options.run.last);
  if (given.given("--seconds")) request.seconds = options.seconds;
  request.output = options.output;
  if (!options.part.empty()) request.part = parse_part(options.part);
  request.merge = options.merge;
  request.team = console.team;
  set_machine_options(options.run, request.machine);
  request.overwrite = options.force;
  return request;
}

/// Counts classes and games of one status, classes that the literature solves, and members that
/// were merged because of observation alone.
struct Tally {
  std::size_t classes = 0, games = 0, solved = 0, observed = 0;
};

Tally tally(const AtlasReport& report, bool certified) {
  Tally sum;
  for (const AtlasClass& c : report.classes) {
    if ((c.period.status == PeriodStatus::kCertified) != certified) continue;
    ++sum.classes;
    sum.games += c.members.size();
    if (c.literature == LiteratureStatus::kSolved) ++sum.solved;
    sum.observed += static_cast<std::size_t>(
        std::ranges::count(c.members, AtlasEvidence::kObserved, &AtlasMember::evidence));
  }
  return sum;
}

std::string tally_text(const Tally& t) {
  return fmt::format("{} games in {} classes", format_count(t.games), format_count(t.classes));
}

void print_atlas(Console& console, const AtlasOptions& options, const AtlasReport& report) {
  const Tally certified = tally(report, true);
  const Tally open = tally(report, false);
  const std::size_t observed = certified.observed + open.observed;
  console.print("{}\n", fmt::join(options.patterns, " "));
  console.field("games", format_count(report.games));
  console.field("heaps",
                fmt::format("0 to {} (tables start at heap 0)", format_count(report.last)));
  console.field("classes",
                fmt::format("{} of equal or shifted values; {} games are in theirs by "
                            "observation, the others by proof",
                            format_count(report.classes.size()), format_count(observed)));
  console.field("certified", tally_text(certified));
  console.field("open",
                fmt::format("{}: not certified from these values; the literature solves {} of the "
                            "classes",
                            tally_text(open), format_count(open.solved)));
  console.field("time", format_duration(std::chrono::duration<double>(report.seconds)));
  if (!options.output.empty()) {
    console.field("file", fmt::format("{} ({})", options.output, format_bytes(report.file_bytes)));
  }
  for (const std::string& path : options.summaries) console.field("summary", path);
}

/// Prints the report of a part. It leaves tables and has no classes yet.
void print_part(Console& console, const AtlasOptions& options, const WorkPart& part,
                const AtlasReport& report) {
  if (console.json) {
    console.print_json({{"part", part.number},
                        {"parts", part.of},
                        {"open", report.open},
                        {"finished", report.finished},
                        {"seconds", report.seconds}});
    return;
  }
  console.print("{}, part {} of {}\n", fmt::join(options.patterns, " "), part.number, part.of);
  console.field("games", fmt::format("{} of {} that need more than {} heaps are finished",
                                     format_count(report.finished), format_count(report.open),
                                     format_count(kAtlasScreen)));
  console.field("time", format_duration(std::chrono::duration<double>(report.seconds)));
  console.field("tables", fmt::format("{}.atlas; when all parts are there, --merge makes {}",
                                      options.output, options.output));
}

int print_atlas_prediction(Console& console, const AtlasOptions& options,
                           const AtlasRequest& request) {
  if (!console.is_first()) return 0;
  AttendedRun run(console, "values");
  const auto prediction = predict_atlas(request, run.hooks());
  run.end();
  if (!prediction) return console.fail(kExitStopped, "stopped");
  const AtlasPrediction& p = *prediction;
  if (console.json) {
    Json json{{"games", p.games}, {"differing", p.differing}, {"open", p.open},
              {"own", p.own},     {"tried", p.tried},         {"last_heap", request.last}};
    json.update(needs_json(console, p.needs));
    console.print_json(json);
    return 0;
  }
  console.print("{}\n", fmt::join(options.patterns, " "));
  console.field("games", fmt::format("{}, of which {} differ by their rules", format_count(p.games),
                                     format_count(p.differing)));
  console.field(
      "open",
      fmt::format("{} need more than {} heaps{}", format_count(p.open),
                  format_count(std::min(kAtlasScreen, request.last)),
                  request.part ? fmt::format("; {} of them in part {} of {}", format_count(p.own),
                                             request.part->number, request.part->of)
                               : std::string()));
  if (p.tried > 0) {
    console.field("engine", engine_text(p.needs));
    console.field("trials", fmt::format("{}, of a second at most", format_count(p.tried)));
  }
  print_ranks(console, p.needs);
  print_needs(console, p.needs);
  return 0;
}

int run_atlas(Console& console, const Command& given, const AtlasOptions& options) {
  const AtlasRequest request = make_atlas_request(console, given, options);
  if (options.dry_run) return print_atlas_prediction(console, options, request);
  // The names are tried before the work is done.
  std::vector<std::pair<SummaryFormat, ByteOutput>> summaries;
  for (const std::string& path : options.summaries) {
    if (!console.is_first()) break;
    summaries.emplace_back(format_of(path), ByteOutput::file(path, options.force));
  }
  AttendedRun run(console, "values");
  const AtlasReport report = compute_atlas(request, run.hooks());
  run.end();
  if (!report.complete) {
    return console.fail(kExitStopped, options.output.empty() ? "stopped; nothing was written"
                                                             : "stopped; the same command goes on "
                                                               "from the games that are finished");
  }
  if (!console.is_first()) return 0;
  if (request.part) {
    print_part(console, options, *request.part, report);
    return 0;
  }
  for (auto& [format, out] : summaries) {
    out.write(summarize(report, format, options.times));
    out.commit();
  }
  if (console.json) {
    console.print("{}", summarize(report, SummaryFormat::kJson, options.times));
  } else {
    print_atlas(console, options, report);
  }
  return 0;
}

}  // namespace

Command atlas_command(Console& console) {
  auto options = std::make_shared<AtlasOptions>();
  options->run.last = std::to_string(kAtlasScreen);
  Command command{.name = "atlas", .help = "Compute a family of games, their periods and classes"};
  command.is_shared = true;
  command.add({
      {.names = "PATTERN",
       .target = &options->patterns,
       .help = "0.ddd (d: an octal digit, n: one that is not 0, h: a hexadecimal one), "
               "S{max<=m,size<=s}, a game, or @FILE with one pattern a line (@-: standard input)",
       .required = true},
      last_option(options->run.last, "The largest heap of every game"),
      {.names = "--seconds",
       .value = "S",
       .target = &options->seconds,
       .help = "At most so long for each game that has no proved period after heap 2500"},
      output_option(options->output, "HDF5 file to write, a group for each class"),
      {.names = "--part",
       .value = "i/N",
       .target = &options->part,
       .help =
           "Compute the i-th of N shares of the games, on one of N machines that see FILE.atlas; "
           "auto: as the job of a Slurm array",
       .excludes = {"--summary", "--merge"}},
      {.names = "--merge",
       .target = &options->merge,
       .help = "Write FILE from what all parts left; nothing is computed further"},
      {.names = "--summary",
       .value = "FILE",
       .target = &options->summaries,
       .help = "Write the table of classes: FILE.csv, FILE.json, FILE.md, or FILE.tsv with the "
               "columns of A. Flammenkamp's tables; may be repeated",
       .writes = Writes::kOther},
      {.names = "--dry-run",
       .target = &options->dry_run,
       .help = "Only predict time and memory, by trials of some of the games",
       .excludes = {"--summary", "--merge"}},
      {.names = "--times",
       .target = &options->times,
       .help = "Put the seconds of each class into summaries, which then differ every time"},
      force_option(options->force, "Replace existing files"),
  });
  command.add(machine_options(options->run));
  command.footer =
      R"(Games of equal values, up to a shift, make one class; the shortest code stands for it. The
summaries say what is proved and what is only observed. With -o, a stopped or killed run goes on
where it was when the same command is given again, and ends in the same file. Parts run on as many
machines, in any order and each as often as needed; merged they make that file too. Under MPI the ranks
of `grundy-mpi atlas` share the games.

Examples:
  grundy atlas 0.ddd 4.ddd --summary octal.md
  grundy atlas 0.dddn 4.dddn -o octal4.h5 --summary octal4.csv
  grundy atlas 0.ddd 4.ddd --to 2^17 --dry-run
  grundy atlas 0.ddd 4.ddd --to 2^17 -o hard.h5
  grundy atlas 0.ddd 4.ddd --to 2^17 -o hard.h5 --part 1/2
  grundy atlas 0.ddd 4.ddd --to 2^17 -o hard.h5 --part 2/2
  grundy atlas 0.ddd 4.ddd --to 2^17 -o hard.h5 --merge --summary hard.md
  grundy atlas 'S{max<=9,size<=4}' --to 1e5 --json
)";
  command.run = [&console, options](const Command& given) {
    return run_atlas(console, given, *options);
  };
  return command;
}

}  // namespace grundy::cli
