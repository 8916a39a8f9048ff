// SPDX-License-Identifier: MIT
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <grundy/census.hpp>
#include <grundy/error.hpp>
#include <grundy/rule_census.hpp>

#include "cli/attended_run.hpp"
#include "cli/census_report.hpp"
#include "cli/commands.hpp"
#include "cli/lattice_options.hpp"
#include "cli/run_options.hpp"
#include "core/text.hpp"

namespace grundy::cli {
namespace {

struct CensusOptions {
  std::string family;
  std::string shape;
  std::string output;
  std::string summary;
  bool force = false;
  RunOptions run;
};

/// Runs a census of one kind, and prints and writes its result.
/// @param compute takes a request and hooks
template <class Request, class Compute>
int run_request(Console& console, const CensusOptions& options, const char* rows, Request request,
                const Compute& compute) {
  request.output = options.output;
  request.overwrite = options.force;
  set_machine_options(options.run, request.machine);
  // The name is tried before the work is done.
  std::optional<ByteOutput> summary;
  if (!options.summary.empty()) {
    summary.emplace(ByteOutput::file(options.summary, options.force));
  }
  AttendedRun run(console, rows);
  const auto report = compute(request, run.hooks());
  run.end();
  if (!report.complete) return console.fail(kExitStopped, "stopped; nothing was written");
  if (summary) {
    summary->write(report.csv());
    summary->commit();
  }
  if (console.json) {
    Json json = census_json(report);
    if (!options.output.empty()) json["file"] = options.output;
    console.print_json(json);
    return 0;
  }
  print_census(console, report);
  console.field("time", format_duration(std::chrono::duration<double>(report.seconds)));
  if (!options.output.empty()) {
    console.field("file", fmt::format("{} ({})", options.output, format_bytes(report.file_bytes)));
  }
  if (!options.summary.empty()) console.field("summary", options.summary);
  return 0;
}

int run_census(Console& console, const Command& given, const CensusOptions& options) {
  if (!RuleFamily::is_meant(options.family)) {
    refuse_ignored(given, {"--shape"}, "a census of subtraction sets");
    return run_request(console, options, "sets",
                       CensusRequest{.family = SetFamily::parse(options.family),
                                     .last = count_option("--to", options.run.last)},
                       compute_census);
  }
  refuse_ignored(given, {"--to"}, "a census of rules of several heaps");
  if (options.shape.empty()) {
    throw Error(ErrorCode::kUsage, "--shape AxB is needed for a census of rules of several heaps");
  }
  return run_request(console, options, "rules",
                     RuleCensusRequest{.family = RuleFamily::parse(options.family),
                                       .shape = shape_option(options.shape)},
                     compute_rule_census);
}

}  // namespace

Command census_command(Console& console) {
  auto options = std::make_shared<CensusOptions>();
  options->run.last = "2^24";
  Command command{.name = "census",
                  .help =
                      "Prove the periods of all subtraction sets of a family, or compare rules of "
                      "several heaps"};
  command.add({
      {.names = "FAMILY",
       .target = &options->family,
       .help = "S{max<=m,size=k}: all sets of k moves, each at most m; RULE + V{max<=m,size=k}: a "
               "rule of several heaps with all sets of k vectors, entries at most m",
       .required = true},
      last_option(
          options->run.last,
          "The largest heap of a set that is computed; a period that needs more is not found"),
      {.names = "--shape",
       .value = "AxB",
       .target = &options->shape,
       .help = "Heaps of rules of several heaps: 0 to A-1, 0 to B-1, .."},
      output_option(options->output, "HDF5 file to write, a row for each set or rule"),
      {.names = "--summary",
       .value = "FILE",
       .target = &options->summary,
       .help = "Write a CSV file with a row for each largest move or vector",
       .writes = Writes::kOther},
      force_option(options->force, "Replace existing files"),
  });
  for (Option& option : machine_options(options->run)) {
    if (option.names == "--threads" || option.names == "--backend") command.add({option});
  }
  command.footer =
      R"(The rows of FILE stand in colexicographic order, so a smaller family is the beginning of a larger one. A row
of a set has its moves, least preperiod and period, zeros in a period, and the largest value; every
period is proved. A row of a rule has its vectors, the number of P-positions in the shape, the largest
value, the first position whose value, or whose outcome, is not that of RULE, whether the P-positions
are those of Nim or of Wythoff's game, and the digest of the table of its values. RULE is a game of
several heaps; `2: V{..}` are games of vectors alone, and `sym V{..}` adds each vector with its images.
`grundy verify FILE` proves rows again, value by value from the definition. No row speaks of the
literature, as those of `grundy atlas` do: codes may be unsolved, but a finite set always has a period,
and its row has the proof; of rules of several heaps no list is known.

Examples:
  grundy census 'S{max<=64,size=3}'
  grundy census 'S{max<=128,size=3}' -o sets3.h5 --summary sets3.csv
  grundy verify sets3.h5
  grundy census 'wythoff + sym V{max<=9,size=1}' --shape 128x128
  grundy census '2: sym (1,0)* + V{max<=3,size=2}' --shape 64x64 -o rules.h5
  grundy verify rules.h5
)";
  command.run = [&console, options](const Command& given) {
    return run_census(console, given, *options);
  };
  return command;
}

}  // namespace grundy::cli
