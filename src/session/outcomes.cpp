// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <grundy/compute.hpp>
#include <grundy/error.hpp>
#include <grundy/heap/outcomes.hpp>
#include <grundy/lattice/outcomes.hpp>

#include "core/advice.hpp"
#include "core/atomic_file.hpp"
#include "core/names.hpp"
#include "core/stopwatch.hpp"
#include "kernels/kernels.hpp"
#include "session/outcomes_file.hpp"
#include "session/prediction.hpp"
#include "session/provenance.hpp"
#include "session/setup.hpp"
#include "theory/stats_collector.hpp"

namespace grundy {
namespace {

/// A game whose outcomes can be found, of either kind.
struct OutcomeGame {
  std::string canonical, description;
  bool misere;
  Layout layout;
  std::string refusal;
  bool in_values;                  ///< P-positions are found as the zeros of all values, ..
  std::uint64_t memory_bytes = 0;  ///< .. or in this memory
  std::function<RunStatus(ValueSink&)> run;  ///< by this
};

/// Finds P-positions as the zeros of all values. False if it was stopped.
bool run_values(Request request, const Hooks& hooks, ValueSink& sink) {
  request.output = {};
  if (auto* const heaps = std::get_if<HeapGame>(&request.game)) heaps->stats_only = true;
  const Hooks own{.stop = hooks.stop,
                  .progress = hooks.progress,
                  .values = [&sink](const Stretch& stretch) { return sink.put(stretch); },
                  .narrate = hooks.narrate};
  return compute(request, own).complete;
}

OutcomeGame outcome_game(const HeapGame& game, const MadeMachine& machine, const Hooks& hooks) {
  const HeapSize count = game.last + 1;
  OutcomeGame made{.canonical = game.rule.canonical(),
                   .description = game.describe(),
                   .misere = game.misere,
                   .layout = Layout::of_heaps(count),
                   .refusal = outcomes_refusal(game.rule, game.misere, count),
                   .in_values = false,
                   .memory_bytes = 0,
                   .run = [&game, &machine, &hooks, count](ValueSink& sink) {
                     return run_outcomes(HeapTask{.rule = game.rule,
                                                  .count = count,
                                                  .kernels = machine.kernels,
                                                  .executor = *machine.executor,
                                                  .stop = hooks.stop,
                                                  .progress = hooks.progress},
                                         game.misere, sink);
                   }};
  if (!made.refusal.empty()) return made;
  made.in_values = outcomes_are_in_values(game.rule, game.misere);
  if (!made.in_values) made.memory_bytes = outcomes_memory_bytes(game.rule, count);
  return made;
}

OutcomeGame outcome_game(const LatticeGame& game, const MadeMachine& machine, const Hooks& hooks) {
  // A shape that does not fit the rule is refused in the same way as for values.
  static_cast<void>(select_lattice_engine("auto", game.rule, game.shape));
  OutcomeGame made{.canonical = game.rule.canonical(),
                   .description = game.rule.describe(),
                   .misere = game.rule.moves().misere,
                   .layout = Layout::of(game.shape, game.rule.planes()),
                   .refusal = {},
                   .in_values = outcomes_are_in_values(game.rule, game.shape),
                   .memory_bytes = 0,
                   .run = [&game, &machine, &hooks](ValueSink& sink) {
                     return run_outcomes(LatticeTask{.rule = game.rule,
                                                     .shape = game.shape,
                                                     .kernels = machine.kernels,
                                                     .executor = *machine.executor,
                                                     .stop = hooks.stop,
                                                     .progress = hooks.progress},
                                         sink);
                   }};
  if (!made.in_values) made.memory_bytes = outcomes_memory_bytes(game.rule, game.shape);
  return made;
}

/// @throws Error if the request cannot be met
OutcomeGame checked_game(const Request& request, const MadeMachine& machine, const Hooks& hooks) {
  if (std::holds_alternative<PositionGame>(request.game)) {
    throw Error(
        ErrorCode::kUsage,
        "these are outcomes of games of heaps; compute_p_positions() finds those of positions");
  }
  const auto* heap = std::get_if<HeapGame>(&request.game);
  const bool own = heap != nullptr ? heap->engine != nullptr
                                   : std::get<LatticeGame>(request.game).engine != nullptr;
  if (own || !leaves_choice(request.machine.engine)) {
    throw Error(ErrorCode::kUsage, "outcomes have one engine of their own; do not name one");
  }
  if (heap != nullptr) check_size(heap->last, request.output.chunk);
  OutcomeGame game = heap != nullptr
                         ? outcome_game(*heap, machine, hooks)
                         : outcome_game(std::get<LatticeGame>(request.game), machine, hooks);
  if (!game.refusal.empty()) {
    throw Error(ErrorCode::kUsage,
                fmt::format("outcomes without values are not found here: {}{}", game.refusal,
                            game.misere ? "" : fmt::format("; {}", kZerosOfValues)));
  }
  if (!request.force && !game.in_values) {  // a run of values sees to its memory
    const std::uint64_t kept = request.keeps_values ? game.layout.entries() : 0;
    require("memory", game.memory_bytes + kept, machine.memory,
            heap != nullptr ? "choose fewer heaps or allow more memory"
                            : "choose a smaller shape or allow more memory");
  }
  return game;
}

/// Writes the file of the run that `run` carries out, complete and read back, or writes nothing.
void write(const Request& request, const OutcomeGame& game, OutcomeReport& report,
           const std::function<void(const TakeEntries&)>& run) {
  const Output& output = request.output;
  AtomicFile place(output.path, output.overwrite);
  OutcomesInfo info{.title = request.about.title.empty() ? game.canonical : request.about.title,
                    .canonical = game.canonical,
                    .description = request.about.moves(game.description),
                    .misere = game.misere,
                    .layout = game.layout,
                    .provenance_json = provenance_json(output.command_line, output.reproducible,
                                                       report.threads, {})};
  write_outcomes_file(place.path(), info, run);
  if (!report.complete) return;
  place.publish_if([&] { return OutcomesReader(place.path()).info() == info; });
  report.digest = info.digest;
}

}  // namespace

OutcomeReport compute_outcomes(const Request& request, const Hooks& hooks) {
  const Stopwatch time;
  const MadeMachine machine(request.machine);
  const OutcomeGame game = checked_game(request, machine, hooks);
  OutcomeReport report;
  report.layout = game.layout;
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
    report.complete =
        game.in_values ? run_values(request, hooks, sink) : game.run(sink) == RunStatus::kComplete;
  };
  if (request.output.path.empty()) {
    run({});
  } else {
    write(request, game, report, run);
  }
  report.seconds = time.seconds();
  return report;
}

}  // namespace grundy
