// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <grundy/compute.hpp>
#include <grundy/error.hpp>
#include <grundy/lattice/outcomes.hpp>

#include "core/atomic_file.hpp"
#include "core/stopwatch.hpp"
#include "kernels/kernels.hpp"
#include "session/outcomes_file.hpp"
#include "session/prediction.hpp"
#include "session/provenance.hpp"
#include "session/setup.hpp"
#include "theory/stats_collector.hpp"

namespace grundy {
namespace {

/// @throws Error if the request cannot be met
void check(const Request& request, const LatticeGame& game, std::uint64_t memory) {
  if (request.machine.engine != "auto") {
    throw Error(ErrorCode::kUsage, "outcomes have one engine of their own; leave --engine out");
  }
  // What does not fit the rule is refused in the words that values have.
  static_cast<void>(select_lattice_engine("auto", game.rule, game.shape));
  if (const std::string reason = outcomes_refusal(game.rule, game.shape); !reason.empty()) {
    throw Error(ErrorCode::kUsage,
                fmt::format("outcomes without values cannot be found here: {}", reason));
  }
  if (!request.force) {
    require("memory", outcomes_memory_bytes(game.rule, game.shape), memory,
            "choose a smaller shape or add --force");
  }
}

/// Writes the file of a run that `run` carries out, complete and read back, or nothing.
void write(const Request& request, OutcomeReport& report,
           const std::function<void(const TakeEntries&)>& run) {
  const auto& game = std::get<LatticeGame>(request.game);
  const Output& output = request.output;
  AtomicFile place(output.path, request.force);
  OutcomesInfo info{
      .title = request.about.title.empty() ? game.rule.canonical() : request.about.title,
      .canonical = game.rule.canonical(),
      .description = game.rule.describe(),
      .layout = report.layout,
      .provenance_json =
          provenance_json(output.command_line, output.reproducible, report.threads, {})};
  write_outcomes_file(place.path(), info, run);
  if (!report.complete) return;
  place.sync();
  if (OutcomesReader(place.path()).info() != info) {
    throw Error(
        ErrorCode::kFailure,
        fmt::format("'{}' was not written: it does not read back as it was", output.path.string()));
  }
  place.publish();
  report.digest = info.digest;
}

}  // namespace

OutcomeReport compute_outcomes(const Request& request, const Hooks& hooks) {
  const Stopwatch time;
  const auto& game = std::get<LatticeGame>(request.game);
  const MadeMachine machine(request.machine);
  check(request, game, machine.memory);
  OutcomeReport report;
  report.layout = Layout::of(game.shape, game.rule.planes());
  report.kernel = machine.kernels.name;
  report.threads = machine.executor->threads();
  const auto run = [&](const TakeEntries& take) {
    std::vector<std::uint64_t> found;
    SinkOf sink([&](const Stretch& stretch) {
      report.p_positions += count_zeros(stretch);
      list_zeros(stretch, kMilestoneZeros, report.first);
      report.entries = stretch.end();
      if (take) {
        found.clear();
        list_zeros(stretch, stretch.values.size(), found);
        take(found);
      }
      return hooks.values ? hooks.values(stretch) : Flow::kContinue;
    });
    const RunStatus status = run_outcomes({.rule = game.rule,
                                           .shape = game.shape,
                                           .kernels = machine.kernels,
                                           .executor = *machine.executor,
                                           .stop = hooks.stop,
                                           .progress = hooks.progress},
                                          sink);
    report.complete = status == RunStatus::kComplete;
  };
  if (request.output.path.empty()) {
    run({});
  } else {
    write(request, report, run);
  }
  report.seconds = time.seconds();
  return report;
}

}  // namespace grundy
