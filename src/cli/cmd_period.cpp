// SPDX-License-Identifier: MIT
#include <memory>
#include <string>

#include <grundy/error.hpp>
#include <grundy/session.hpp>
#include <grundy/table.hpp>

#include "cli/commands.hpp"
#include "cli/progress_bar.hpp"
#include "cli/run_options.hpp"
#include "cli/stop_signals.hpp"
#include "cli/table_report.hpp"
#include "session/value_source.hpp"

namespace grundy::cli {
namespace {

void print_result(Console& console, const std::string& title, const std::string& canonical,
                  const std::string& description, const PeriodReport& period) {
  if (console.json) {
    Json json{{"title", title}, {"notation", canonical}};
    json.update(period_json(period));
    console.print_json(json);
    return;
  }
  print_game(console, title, canonical, description);
  console.field("status", to_string(period.status));
  print_period(console, period);
}

/// A file holds its report; nothing is computed.
int period_of_file(Console& console, const std::string& file) {
  const auto table = require_heap_table(TableReader::open(file));
  const TableInfo& info = table->info();
  print_result(console, info.title, info.canonical, info.description, info.period);
  return 0;
}

int period_of_game(Console& console, const RunOptions& options) {
  const ComputeRequest request = make_request(options);
  ProgressBar bar(console.quiet);
  const StopSignals signals([&] {
    bar.clear();
    console.note(kStopping);
  });
  const std::optional<PeriodReport> period = search_period(request, signals.token(), &bar);
  bar.clear();
  if (!period) {
    write_error_line("stopped before a period was found");
    return kExitStopped;
  }
  const std::string canonical = request.rule.canonical();
  print_result(console, request.title.empty() ? canonical : request.title, canonical,
               request.rule.describe(), *period);
  return 0;
}

}  // namespace

Command add_period(CLI::App& app, Console& console) {
  auto options = std::make_shared<RunOptions>();
  options->last = "2^17";
  CLI::App* command = app.add_subcommand("period", "Find and prove the period of a game");
  command->add_option("GAME|FILE", options->game, "A game, or a table written by `grundy compute`")
      ->type_name("")
      ->required();
  CLI::Option* last = command->add_option("--to", options->last, "Search heaps up to this one")
                          ->type_name("N")
                          ->capture_default_str();
  add_common_options(*command, console);
  add_run_options(*command, *options);
  command->footer(R"(The period is certified only by a theorem whose conditions hold; else it is a
candidate. The preperiod is the least e with G(n+p) = G(n) + saltus for all n >= e.

Examples:
  grundy period kayles
  grundy period 0.16 --to 2^19 --json
  grundy period kayles.h5
)");
  return {command, [&console, options, last] {
            if (!names_a_table(options->game)) return period_of_game(console, *options);
            if (last->count() > 0) {
              throw Error(ErrorCode::kUsage, "--to is for games; a table holds its own report");
            }
            return period_of_file(console, options->game);
          }};
}

}  // namespace grundy::cli
