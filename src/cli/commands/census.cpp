// SPDX-License-Identifier: MIT
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <grundy/census.hpp>
#include <grundy/error.hpp>

#include "cli/attended_run.hpp"
#include "cli/census_report.hpp"
#include "cli/commands.hpp"
#include "cli/run_options.hpp"
#include "core/text.hpp"

namespace grundy::cli {
namespace {

struct CensusOptions {
  std::string family;
  std::string output;
  std::string summary;
  bool force = false;
  RunOptions run;
};

int run_census(Console& console, const CensusOptions& options) {
  CensusRequest request{.family = SetFamily::parse(options.family), .output = options.output};
  request.last = count_option("--to", options.run.last);
  set_machine_options(options.run, request.machine);
  request.force = options.force;
  // The name is tried before the work is done.
  std::optional<ByteOutput> summary;
  if (!options.summary.empty()) {
    summary.emplace(ByteOutput::file(options.summary, options.force));
  }
  AttendedRun run(console, "sets");
  const CensusReport report = compute_census(request, run.hooks());
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

}  // namespace

Command census_command(Console& console) {
  auto options = std::make_shared<CensusOptions>();
  options->run.last = "2^24";
  Command command{.name = "census",
                  .help = "Prove the periods of all subtraction sets of a family"};
  command.add({
      {.names = "FAMILY",
       .target = &options->family,
       .help = "S{max<=m,size=k}: all sets of k moves, each at most m",
       .required = true},
      {.names = "--to",
       .value = "N",
       .target = &options->run.last,
       .help = "The largest heap of a set that is computed; a period that needs more is not found"},
      {.names = "-o,--output",
       .value = "FILE",
       .target = &options->output,
       .help = "HDF5 file to write, a row for each set"},
      {.names = "--summary",
       .value = "FILE",
       .target = &options->summary,
       .help = "Write a CSV file with a row for each largest move"},
      {.names = "--force", .target = &options->force, .help = "Replace existing files"},
  });
  command.add(common_options(console));
  for (Option& option : machine_options(options->run)) {
    if (option.names == "--threads" || option.names == "--backend") command.add({option});
  }
  command.footer =
      R"(The rows of FILE stand in colexicographic order, so a smaller family is the begin of a larger one:
the moves, least preperiod and period, zeros in a period, and the largest value. Every period is proved.
`grundy verify FILE` proves rows again, heap by heap from the definition.

Examples:
  grundy census 'S{max<=64,size=3}'
  grundy census 'S{max<=128,size=3}' -o sets3.h5 --summary sets3.csv
  grundy verify sets3.h5
)";
  command.run = [&console, options](const Command&) { return run_census(console, *options); };
  return command;
}

}  // namespace grundy::cli
