// SPDX-License-Identifier: MIT
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/session.hpp>

#include "cli/commands.hpp"
#include "cli/graph_commands.hpp"
#include "cli/progress_bar.hpp"
#include "cli/run_options.hpp"
#include "cli/stop_signals.hpp"
#include "cli/table_report.hpp"
#include "core/text.hpp"

namespace grundy::cli {
namespace {

struct Options {
  RunOptions run;
  GraphOptions graph;
  std::string output;
  std::string chunk;
  bool print = false;
  bool force = false;
  bool dry_run = false;
  bool reproducible = false;
  bool no_extend = false;
  bool stats_only = false;
};

/// Prints values as they are found; with `json` it keeps them for the object at the end.
class PrintedValues final : public BlockSink {
 public:
  PrintedValues(Console& console, bool only_purpose)
      : console_(console), only_purpose_(only_purpose) {}

  Flow put(const Block& block) override {
    block.values.visit([&](auto values) {
      if (console_.json) {
        kept_.insert(kept_.end(), values.begin(), values.end());
        return;
      }
      fmt::memory_buffer lines;
      HeapSize heap = block.begin;
      for (const Nimber value : values) {
        fmt::format_to(std::back_inserter(lines), FMT_STRING("{} {}\n"), heap++, value);
      }
      console_.out().write({lines.data(), lines.size()});
    });
    return only_purpose_ && console_.out().closed() ? Flow::kStop : Flow::kContinue;
  }

  [[nodiscard]] const std::vector<Nimber>& kept() const noexcept { return kept_; }

 private:
  Console& console_;
  bool only_purpose_;
  std::vector<Nimber> kept_;
};

int print_prediction(Console& console, const ComputeRequest& request) {
  const Prediction p = predict(request);
  if (console.json) {
    console.print_json({{"notation", request.rule.canonical()},
                        {"first_heap", 0},
                        {"last_heap", request.last},
                        {"engine", p.engine},
                        {"kernel", p.kernel},
                        {"threads", p.threads},
                        {"seconds", p.seconds},
                        {"memory_bytes", p.memory_bytes},
                        {"memory_available", p.memory_available},
                        {"disk_bytes", p.disk_bytes},
                        {"disk_available", p.disk_available},
                        {"period", period_json(p.period)}});
    return 0;
  }
  print_game(console, request.title, request.rule.canonical(), request.rule.describe());
  console.field("heaps", fmt::format("0 to {} ({})", format_count(request.last), kIndexConvention));
  console.field("engine", fmt::format("{}, kernel {}, {} thread{}", p.engine, p.kernel, p.threads,
                                      p.threads == 1 ? "" : "s"));
  print_period(console, p.period);
  console.field("time",
                fmt::format("about {}", format_duration(std::chrono::duration<double>(p.seconds))));
  console.field("memory", fmt::format("about {} of {}", format_bytes(p.memory_bytes),
                                      format_bytes(p.memory_available)));
  if (!request.output.empty()) {
    console.field("disk", fmt::format("about {} of {}", format_bytes(p.disk_bytes),
                                      format_bytes(p.disk_available)));
  }
  return 0;
}

void print_report(Console& console, const ComputeRequest& request, const ComputeReport& report,
                  const std::vector<Nimber>* values) {
  const HeapSize count = report.info.stats.count;
  if (console.json) {
    Json json = table_json(report.info);
    json["threads"] = report.threads;
    json["seconds"] = report.seconds;
    json["engine_seconds"] = report.engine_seconds;
    if (!request.output.empty()) {
      json["file"] = request.output.string();
      json["file_bytes"] = report.file_bytes;
    }
    if (report.sparse) json["sparse_space"] = sparse_json(*report.sparse);
    if (request.stats_only) {
      json["milestones"] = Json::array();
      for (const TableStats& stats : report.milestones) {
        json["milestones"].push_back(stats_json(stats));
      }
      json["zeros"] = report.zeros;
    }
    if (values != nullptr) json["values"] = *values;
    console.print_json(json);
    return;
  }
  print_table(console, report.info);
  if (report.sparse) print_sparse(console, *report.sparse);
  const auto rate = static_cast<std::uint64_t>(static_cast<double>(count) / report.seconds);
  console.field("time",
                fmt::format("{} on {} thread{}, {} values/s",
                            format_duration(std::chrono::duration<double>(report.seconds)),
                            report.threads, report.threads == 1 ? "" : "s", format_count(rate)));
  if (!request.output.empty()) {
    console.field("file",
                  fmt::format("{}, {}", request.output.string(), format_bytes(report.file_bytes)));
  }
}

ComputeRequest full_request(const Options& options) {
  if (options.run.last.empty()) {
    throw Error(ErrorCode::kUsage, "--to N is needed for a game of one heap");
  }
  ComputeRequest request = make_request(options.run);
  if (request.title.empty()) request.title = request.rule.canonical();
  request.output = options.output;
  if (!options.chunk.empty()) request.chunk = count_option("--chunk", options.chunk);
  request.force = options.force;
  request.reproducible = options.reproducible;
  request.extend = !options.no_extend;
  request.stats_only = options.stats_only;
  return request;
}

int run_compute(Console& console, const Options& options) {
  if (is_graph_game(options.run.game)) {
    return compute_graph(console, options.run, options.graph,
                         {options.output, options.force, options.dry_run, options.reproducible});
  }
  ComputeRequest request = full_request(options);
  request.command_line = console.command_line;
  if (options.dry_run) return print_prediction(console, request);

  ProgressBar bar(console.quiet || options.print);
  const auto narrate = [&](const std::string& sentence) {
    bar.clear();
    console.note(sentence);
  };
  const StopSignals signals([&narrate] { narrate(kStopping); });
  PrintedValues printed(console, request.output.empty());
  const ComputeReport report =
      compute(request, signals.token(), &bar, options.print ? &printed : nullptr, narrate);
  bar.clear();
  if (!report.complete) {
    if (console.out().closed()) return 0;
    console.out().flush();
    write_error_line(fmt::format("stopped after {} of {} heaps; no file was written",
                                 format_count(report.info.stats.count),
                                 format_count(request.last + 1)));
    return kExitStopped;
  }
  if (options.print && !console.json) return 0;
  print_report(console, request, report, options.print ? &printed.kept() : nullptr);
  return 0;
}

}  // namespace

Command add_compute(CLI::App& app, Console& console) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("compute", "Compute the table of a game");
  command->add_option("GAME", options->run.game, "Name, code or subtraction set")
      ->type_name("")
      ->required();
  command->add_option("--to", options->run.last, "The largest heap: 1000, 1e9, 2^32, 10^6-1")
      ->type_name("N");
  command->add_option("-o,--output", options->output, "HDF5 file to write")->type_name("FILE");
  command->add_flag("--print", options->print, "Print every value, as lines `n value`");
  command->add_flag("--dry-run", options->dry_run, "Only predict time, memory and disk");
  command->add_flag("--force", options->force,
                    "Replace an existing file, and run although memory or disk seem too small");
  command->add_flag("--no-extend", options->no_extend,
                    "Compute every value, also those that follow from a proved period");
  command->add_flag("--stats-only", options->stats_only,
                    "Keep no values, in constant memory where the engine can; --json gives "
                    "statistics at every power of two");
  command->add_flag("--reproducible", options->reproducible,
                    "Leave times, machine and command line out of the file");
  command->add_option("--chunk", options->chunk, "Values a chunk of the file, a power of two")
      ->type_name("N");
  add_common_options(*command, console);
  add_run_options(*command, options->run);
  add_graph_options(*command, options->graph);
  command->footer(R"(Examples:
  grundy compute kayles --to 1e9 -o kayles.h5
  grundy compute .007 --to 2^20 --dry-run
  grundy compute 'S{1,2,5}' --to 20 --print
  grundy compute officers --to 2^32 --stats-only --json > officers.json
  grundy compute cram:5x6 -o cram.h5
  grundy compute node-kayles:graph.txt --root
)");
  return {command, [&console, options] { return run_compute(console, *options); }};
}

}  // namespace grundy::cli
