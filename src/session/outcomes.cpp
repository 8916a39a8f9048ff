// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <grundy/compute.hpp>
#include <grundy/error.hpp>
#include <grundy/lattice/outcomes.hpp>

#include "core/stopwatch.hpp"
#include "kernels/kernels.hpp"
#include "session/prediction.hpp"
#include "session/setup.hpp"
#include "theory/stats_collector.hpp"

namespace grundy {
namespace {

/// @throws Error if the request cannot be met
void check(const Request& request, const LatticeGame& game, std::uint64_t memory) {
  if (!request.output.path.empty()) {
    throw Error(ErrorCode::kUsage, "a run that finds outcomes only has no values for a file");
  }
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
  SinkOf sink([&](const Stretch& stretch) {
    report.p_positions += count_zeros(stretch);
    list_zeros(stretch, kMilestoneZeros, report.first);
    report.entries = stretch.end();
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
  report.seconds = time.seconds();
  return report;
}

}  // namespace grundy
