// SPDX-License-Identifier: MIT
#include "table/export.hpp"

#include <limits>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <grundy/error.hpp>
#include <grundy/file_kind.hpp>
#include <grundy/graph/file.hpp>

#include "atlas/family_export.hpp"
#include "cli/attended_run.hpp"
#include "cli/commands.hpp"
#include "cli/run_options.hpp"
#include "core/text.hpp"
#include "session/export_file.hpp"

namespace grundy::cli {
namespace {

struct ExportRequest {
  std::string file;
  std::string format;
  std::string offset;
  std::string terms;
  std::string value;
  std::string anumber;
  bool differences = false;
  std::string output = "-";
  bool force = false;
};

/// A count with an optional sign before it.
std::int64_t parse_offset(const std::string& text) {
  const bool negative = text.starts_with('-');
  const std::uint64_t size = count_option("--offset", negative ? text.substr(1) : text);
  if (size > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    throw Error(ErrorCode::kUsage, "--offset: the index would leave the range of 63 bits");
  }
  return negative ? -static_cast<std::int64_t>(size) : static_cast<std::int64_t>(size);
}

ExportOptions export_options(const ExportRequest& options) {
  ExportOptions what;
  if (!options.offset.empty()) what.offset = parse_offset(options.offset);
  if (!options.terms.empty()) what.terms = count_option("--terms", options.terms);
  if (!options.value.empty()) {
    const std::uint64_t value = count_option("--value", options.value);
    if (value > largest_value(ValueWidth::kU32)) {
      throw Error(ErrorCode::kUsage, fmt::format("--value: {} is no Grundy value", value));
    }
    what.value = static_cast<Nimber>(value);
  }
  what.differences = options.differences;
  what.anumber = options.anumber;
  return what;
}

Exported export_any(const std::string& file, ExportFormat format, const ExportOptions& what,
                    ByteOutput& out) {
  switch (kind_of(file)) {
    case FileKind::kAtlas:
    case FileKind::kCensus:
    case FileKind::kRuleCensus:
      return atlas::export_family(file, format, what, out);
    default:
      return export_file(file, format, what, out);
  }
}

int run_export(Console& console, const ExportRequest& options) {
  const ExportFormat format = parse_export_format(options.format);
  if (console.json && options.output == "-") {
    throw Error(ErrorCode::kUsage, "--json describes the file that is written; add -o FILE");
  }
  const ExportOptions what = export_options(options);
  if (options.output == "-") {
    export_any(options.file, format, what, console.out());
    return 0;
  }
  AttendedRun run(console, "rows");
  const std::stop_token stop = run.hooks().stop;
  ByteOutput out = ByteOutput::file(options.output, options.force, stop);
  const Exported written = export_any(options.file, format, what, out);
  if (stop.stop_requested()) return console.stopped();
  out.commit();
  run.end();
  if (console.json) {
    console.print_json(
        {{"file", options.output},
         {"format", options.format},
         {kind_of(options.file) == FileKind::kPositions ? "positions" : "terms", written.count}});
  } else {
    console.note(
        fmt::format("{} {} in {}", format_count(written.count), written.what, options.output));
  }
  return 0;
}

}  // namespace

Command export_command(Console& console) {
  auto options = std::make_shared<ExportRequest>();
  Command command{.name = "export",
                  .help =
                      "Write a table, a list of P-positions, a census or a family of games in "
                      "another format"};
  command.add({
      {.names = "FILE",
       .target = &options->file,
       .help = "A table or a list written by `grundy compute`, a census, or a family of games",
       .required = true},
      {.names = "--format",
       .value = "FORMAT",
       .target = &options->format,
       .help =
           "For a table of values bfile (OEIS), csv, npy (NumPy) or histogram; for positions csv, "
           "json or dot; for P-positions csv or bfile; for a census csv, and bfile for the "
           "periods of sets; for a family csv; for misère play of one heap csv or bfile",
       .required = true,
       .offers = export_format_names()},
      {.names = "-o,--output",
       .value = "FILE",
       .target = &options->output,
       .help = "File to write; - is standard output"},
      {.names = "--offset",
       .value = "N",
       .target = &options->offset,
       .help = "Added to the heap to give the printed index; of a b-file with --value, or of "
               "P-positions: the first index"},
      {.names = "--terms",
       .value = "N",
       .target = &options->terms,
       .help = "How many values from the first on (in tables of several heaps for csv), rows of a "
               "census, or games of a family. All by default"},
      {.names = "--anumber",
       .value = "A000000",
       .target = &options->anumber,
       .help =
           "A-number of a b-file, which then begins with lines that say game, period and proof"},
      {.names = "--value",
       .value = "V",
       .target = &options->value,
       .help = "List the heaps, or the positions of several heaps, that have this value"},
      {.names = "--differences",
       .target = &options->differences,
       .help = "With --value, of several heaps: also the differences of consecutive heaps"},
      force_option(options->force, "Replace an existing file"),
  });
  command.footer = R"(--json describes the file that -o names.

Examples:
  grundy export kayles.h5 --format bfile --terms 10001 -o b002186.txt
  grundy export kayles.h5 --format bfile --terms 10001 --anumber A002186
  grundy export kayles.h5 --format histogram
  grundy export kayles.h5 --format npy -o kayles.npy
  grundy export cram.h5 --format dot | dot -Tsvg > cram.svg
  grundy export wythoff.h5 --format csv --value 0 --differences -o p-positions.csv
  grundy export kayles.h5 --format csv --value 0         # P-positions of one heap
  grundy export outcomes.h5 --format bfile    # P-positions of several heaps, by their largest heap
  grundy export cram-outcomes.h5 --format bfile    # of a game on positions, by layer
  grundy export sets3.h5 --format csv -o sets3.csv    # a census: a line for each set
  grundy export hard.h5 --format csv                  # a family: a line for each game
  grundy export misere-kayles.h5 --format csv         # misère play: genus and kind of each heap
)";
  command.run = [&console, options](const Command&) { return run_export(console, *options); };
  return command;
}

}  // namespace grundy::cli
