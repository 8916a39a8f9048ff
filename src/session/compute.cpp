// SPDX-License-Identifier: MIT
#include <variant>

#include <grundy/compute.hpp>
#include <grundy/error.hpp>

#include "session/compute_kinds.hpp"
#include "session/scratch_directory.hpp"
#include "session/setup.hpp"

namespace grundy {
namespace {

/// Whether the engine may let values go before the last heap. So the run has to be sealed.
bool lets_values_go(const Request& request) {
  const auto& game = std::get<HeapGame>(request.game);
  const HeapSize count = game.last + 1;
  const HeapEngine& engine = engine_for(game, request.machine);
  const HeapEngine& frugal = engine.name() == "auto" ? detail::named_heap_engine("sparse") : engine;
  return frugal.kept_heaps(count) < count;
}

}  // namespace

Report compute(const Request& request, const Hooks& hooks) {
  if (request.team != nullptr && std::holds_alternative<PositionGame>(request.game)) {
    throw Error(ErrorCode::kUsage, "ranks share games of one heap and of two only");
  }
  if (request.output.in_parts && !std::holds_alternative<LatticeGame>(request.game)) {
    throw Error(ErrorCode::kUsage, "only tables of two heaps are kept in parts");
  }
  if (std::holds_alternative<PositionGame>(request.game)) return compute_positions(request, hooks);
  CheckpointControl own;
  Hooks with_control = hooks;
  if (hooks.control == nullptr) with_control.control = &own;
  if (std::holds_alternative<HeapGame>(request.game)) return compute_heaps(request, with_control);
  if (request.team != nullptr) return compute_stripes(request, with_control);
  if (!request.output.in_parts) return compute_lattice(request, with_control);
  Request of_one_rank = request;
  const auto team = make_thread_team(1);
  of_one_rank.team = team.front().get();
  return compute_stripes(of_one_rank, with_control);
}

Report search_period(const Request& request, const Hooks& hooks) {
  Request search = request;
  auto& game = std::get<HeapGame>(search.game);
  game.at_period = AtPeriod::kEnd;
  game.stats_only = !search.output.path.empty();
  if (game.stats_only || !lets_values_go(search)) return compute(search, hooks);
  const ScratchDirectory scratch;
  game.stats_only = true;
  search.output.path = scratch.path() / "period.h5";
  return compute_heaps(search, hooks, true);
}

}  // namespace grundy
