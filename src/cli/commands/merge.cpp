// SPDX-License-Identifier: MIT
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <grundy/error.hpp>
#include <grundy/file_kind.hpp>
#include <grundy/machine.hpp>

#include "cli/attended_run.hpp"
#include "cli/commands.hpp"
#include "cli/run_options.hpp"
#include "cli/table_report.hpp"
#include "core/text.hpp"
#include "table/table_of_parts.hpp"

namespace grundy::cli {
namespace {

struct MergeOptions {
  std::string file;
  std::string output;
  std::string threads;
  bool force = false;
  bool reproducible = false;
};

int run_table_merge(Console& console, const MergeOptions& options) {
  if (kind_of(options.file) == FileKind::kTable) {
    throw Error(ErrorCode::kUsage,
                fmt::format("'{}' is no table in parts: there is nothing to merge", options.file));
  }
  std::optional<std::size_t> threads;
  if (!options.threads.empty()) threads = count_option("--threads", options.threads);
  AttendedRun run(console, "values");
  const auto executor = make_executor(threads);
  const std::optional<TableInfo> info =
      merge_table(options.file, options.output, *executor,
                  {.overwrite = options.force, .reproducible = options.reproducible},
                  run.hooks().stop, run.hooks().progress);
  run.end();
  if (!info) return console.fail(kExitStopped, "stopped; no file was made");
  const std::uint64_t bytes = std::filesystem::file_size(options.output);
  if (console.json) {
    Json json = table_json(*info);
    json["file"] = options.output;
    json["file_bytes"] = bytes;
    console.print_json(json);
    return 0;
  }
  print_table(console, *info);
  console.field("file", fmt::format("{}, {}", options.output, format_bytes(bytes)));
  return 0;
}

}  // namespace

Command merge_command(Console& console) {
  auto options = std::make_shared<MergeOptions>();
  Command command{.name = "merge", .help = "Make one file of a table in parts"};
  command.add({
      {.names = "FILE",
       .target = &options->file,
       .help = "A table in parts; these lie beside it, in the directory that it names",
       .required = true},
      {.names = "-o,--output",
       .value = "FILE",
       .target = &options->output,
       .help = "The table to write",
       .required = true,
       .writes = Writes::kHdf5},
      {.names = "--threads",
       .value = "N",
       .target = &options->threads,
       .help = "Threads that compress; all that may be used by default"},
      {.names = "--reproducible",
       .target = &options->reproducible,
       .help = "Leave out the date, so that equal tables give equal files"},
      force_option(options->force, "Replace an existing file"),
  });
  command.footer =
      R"(Where several processes wrote a table, its values are in files of their own, the parts:
`planes.h5` opens as one table, and `planes.parts/` has its values. All commands that read a table
read such a one, and it may be moved together with its parts. A merged table is one file without
parts; values and digest are the same. The parts stay.

Exit codes: 4 if a part is missing, damaged, or not the one that belongs to the table.

Examples:
  grundy merge planes.h5 -o one.h5
  grundy verify one.h5
)";
  command.run = [&console, options](const Command&) { return run_table_merge(console, *options); };
  return command;
}

}  // namespace grundy::cli
