// SPDX-License-Identifier: MIT
#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <grundy/compute.hpp>
#include <grundy/error.hpp>

#include "core/atomic_directory.hpp"
#include "session/agreement.hpp"
#include "session/compute_kinds.hpp"
#include "session/sealed_stripes.hpp"
#include "session/setup.hpp"
#include "theory/mixed_saltus.hpp"

namespace grundy {
namespace {

namespace fs = std::filesystem;

/// Where a run without an output seals its states; the directory never gets this name.
/// @throws Error(kFailure) if the system has no place for temporary files
fs::path place_of_states() {
  std::error_code error;
  const fs::path place = fs::temp_directory_path(error);
  if (!error) return place / "grundy-states";
  throw Error(ErrorCode::kFailure,
              fmt::format("there is no place for the states of the run, which lie in TMPDIR: {}",
                          error.message()));
}

/// The pattern of the first heaps of a game with a pass in which each residue has a saltus of its
/// own; nothing if there is none, or if the search for it was stopped.
std::optional<MixedPattern> find_mixed(const Request& search, const Hooks& hooks) {
  const HeapGame& game = heap_game(search);
  if (!game.rule.pass()) return std::nullopt;
  const Request request{
      .game = HeapGame{.rule = game.rule, .last = std::min(game.last, kMostMixedValues - 1)},
      .machine = search.machine};
  std::vector<Nimber> values;
  Hooks collect{.stop = hooks.stop};
  collect.values = [&values](const Stretch& block) {
    for (HeapSize i = 0; i < block.values.size(); ++i) values.push_back(block.values[i]);
    return Flow::kContinue;
  };
  if (!compute(request, collect).complete) return std::nullopt;
  return find_mixed_pattern(game.rule, values, hooks.stop);
}

/// Carries out a run without an output that may let values go. Its states are sealed, so that it
/// can look for a period, in a directory that goes when the run has ended.
Report compute_in_scratch(Request request, const Hooks& hooks) {
  const AtomicDirectory scratch(place_of_states(), true);
  std::get<HeapGame>(request.game).stats_only = true;
  request.output.path = scratch.path() / "scratch.h5";
  return compute_heaps(
      request, hooks,
      {.is_scratch = true,
       .without_room = "states lie in TMPDIR: let it name another place, or choose an output"});
}

/// Whether a request for statistics looks for a period as one with an output does. Who takes the
/// values wants all of them, also those behind a proof.
bool looks_in_scratch(const Request& request, const Hooks& hooks) {
  const auto& game = std::get<HeapGame>(request.game);
  return game.stats_only && request.output.path.empty() && request.team == nullptr &&
         !hooks.values && outgrows_window(game, request.machine);
}

/// search_period() without a look for a mixed pattern.
Report search_one_period(const Request& request, const Hooks& hooks) {
  HeapGame game = heap_game(request);
  game.at_period = AtPeriod::kEnd;
  game.stats_only = !request.output.path.empty();
  Request search = request;
  search.game = game;
  return game.stats_only || !outgrows_window(game, request.machine)
             ? compute(search, hooks)
             : compute_in_scratch(search, hooks);
}

/// Whether ranks have begun the table. @throws Error(kCorrupt) if they have begun another one
bool is_begun_by_ranks(const Request& request) {
  if (request.output.path.empty()) return false;
  const fs::path directory = stripes_directory_for(request.output.path);
  const auto begun = read_stripes(directory).record;
  if (!begun) return false;
  const std::string rule = std::get<LatticeGame>(request.game).rule.canonical();
  if (begun->rule == rule) return true;
  throw Error(
      ErrorCode::kCorrupt,
      fmt::format("'{}' holds stripes of {}, not of {}; choose another output or remove the "
                  "directory",
                  directory.string(), begun->rule, rule));
}

}  // namespace

Report compute(const Request& request, const Hooks& hooks) {
  if (request.team != nullptr && std::holds_alternative<PositionGame>(request.game)) {
    throw Error(ErrorCode::kUsage, "ranks share games of one heap and of two only");
  }
  if (request.output.in_parts && !std::holds_alternative<LatticeGame>(request.game)) {
    throw Error(ErrorCode::kUsage, "only tables of two heaps are kept in parts");
  }
  const auto* const lattice = std::get_if<LatticeGame>(&request.game);
  if (lattice != nullptr && lattice->stats_only && hooks.values) {
    throw Error(ErrorCode::kUsage,
                "statistics of several heaps are reported, and no values are kept to be handed on "
                "in the order of a table: leave out the hook for values, or compute a table");
  }
  if (std::holds_alternative<PositionGame>(request.game)) return compute_positions(request, hooks);
  if (request.team != nullptr) agree(request.team, intent_of(request));
  CheckpointControl own;
  Hooks with_control = hooks;
  if (hooks.control == nullptr) with_control.control = &own;
  if (std::holds_alternative<HeapGame>(request.game)) {
    return looks_in_scratch(request, with_control) ? compute_in_scratch(request, with_control)
                                                   : compute_heaps(request, with_control);
  }
  if (request.team != nullptr) return compute_stripes(request, with_control);
  const bool is_begun = is_begun_by_ranks(request);
  if (lattice->stats_only && is_begun) {
    throw Error(ErrorCode::kUsage,
                fmt::format("'{}' holds a table that ranks have begun; choose another output",
                            stripes_directory_for(request.output.path).string()));
  }
  if (!request.output.in_parts && !is_begun) {
    return compute_lattice(request, with_control);
  }
  Request of_one_rank = request;
  const auto team = make_thread_team(1);
  of_one_rank.team = team.front().get();
  return compute_stripes(of_one_rank, with_control);
}

Report search_period(const Request& request, const Hooks& hooks) {
  // A stop that comes meanwhile stops the search as well, before it claims or writes anything.
  const auto mixed = find_mixed(request, hooks);
  Request search = request;
  if (mixed && mixed->proved && request.output.path.empty()) {
    // A sequence with such a pattern has no period, so later values would tell nothing.
    HeapGame game = heap_game(request);
    game.last = std::min(game.last, mixed->size - 1);
    search.game = std::move(game);
  }
  Report report = search_one_period(search, hooks);
  PeriodReport& period = report.info.period;
  if (report.complete && period.status == PeriodStatus::kNone) period.mixed = mixed;
  return report;
}

}  // namespace grundy
