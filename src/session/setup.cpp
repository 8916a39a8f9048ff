// SPDX-License-Identifier: MIT
#include "session/setup.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include <grundy/error.hpp>

#include "core/advice.hpp"
#include "core/engine_choice.hpp"
#include "core/names.hpp"
#include "engines/heap/pass.hpp"
#include "games/heap/notation.hpp"
#include "session/machine.hpp"
#include "session/own_engine.hpp"
#include "table/schema.hpp"

namespace grundy {
namespace {

HeapSize checked_count(const Request& request, const HeapGame& game) {
  check_size(game.last, request.output.chunk);
  if (game.at_period == AtPeriod::kEnd && !game.stats_only && !request.output.path.empty()) {
    throw Error(ErrorCode::kUsage,
                "a table has all its heaps: no run ends at a period and has one");
  }
  if (game.misere) {
    throw Error(
        ErrorCode::kUsage,
        "misère values of one heap do not add up: compute_genera() finds the genus of a heap, "
        "compute_outcomes() who wins");
  }
  return game.last + 1;
}

/// The edge of a tile. Engines cut larger edges anyway.
std::optional<std::uint32_t> tile_of(const Machine& machine) {
  constexpr HeapSize kLargest = 1u << 16;
  if (!machine.block) return std::nullopt;
  return static_cast<std::uint32_t>(std::min(*machine.block, kLargest));
}

template <class Game>
const Game& game_of(const Request& request, std::string_view kind) {
  if (const auto* game = std::get_if<Game>(&request.game)) return *game;
  throw Error(ErrorCode::kUsage,
              fmt::format("this takes a game {}, and the request has another one", kind));
}

/// Checks an own engine. Provenance knows it by its name.
template <class Engine>
const Engine& checked_own(const Engine& own, std::span<const Engine* const> known,
                          const std::string& game, const std::string& refusal) {
  const std::string name(own.name());
  const bool taken =
      leaves_choice(name) || std::ranges::find(known, own.name(), &Engine::name) != known.end();
  if (taken) {
    throw Error(ErrorCode::kUsage,
                fmt::format("an engine of one's own cannot be called '{}'", name));
  }
  if (!refusal.empty()) {
    throw Error(ErrorCode::kUsage, engine_refusal(name, game, refusal));
  }
  return own;
}

}  // namespace

const HeapEngine& engine_for(const HeapGame& game, const Machine& machine) {
  if (game.engine == nullptr) {
    return select_heap_engine(machine.engine, game.rule, game.last + 1);
  }
  refuse_pass(game.rule, "an engine of one's own");
  return checked_own(*game.engine, heap_engines(), game.rule.canonical(),
                     game.engine->refusal(game.rule));
}

bool outgrows_window(const HeapGame& game, const Machine& machine) {
  const HeapSize count = game.last + 1;
  const HeapEngine& engine = engine_for(game, machine);
  const HeapEngine& frugal =
      engine.name() == kAutoName ? detail::named_heap_engine("sparse") : engine;
  return frugal.kept_heaps(count, 0) < count;
}

const LatticeEngine& engine_for(const LatticeGame& game, const LatticeShape& computed,
                                const Machine& machine) {
  if (game.engine == nullptr) return select_lattice_engine(machine.engine, game.rule, computed);
  return checked_own(*game.engine, lattice_engines(), game.rule.canonical(),
                     game.engine->refusal(game.rule, computed));
}

const GraphEngine& engine_for(const PositionGame& game, const Machine& machine) {
  if (game.engine == nullptr) return select_graph_engine(machine.engine, *game.game);
  return checked_own(*game.engine, graph_engines(), "this game", game.engine->refusal(*game.game));
}

MadeMachine::MadeMachine(const Machine& machine)
    : kernels(select_kernels(machine.kernel)),
      executor(make_executor(machine.threads, machine.backend)),
      memory(machine.memory ? *machine.memory : memory_available()) {
  if (machine.block == HeapSize{0}) {
    throw Error(ErrorCode::kUsage, "a block or tile of 0 was asked for; the least is 1");
  }
}

std::string size_refusal(HeapSize last, HeapSize chunk) {
  if (last >= kMaxCount) {
    return fmt::format("heap {} is too large for a table; the limit is 2^48-1", last);
  }
  if (!std::has_single_bit(chunk) || chunk > kLargestChunk) {
    return fmt::format("a chunk of {} values is not a power of two up to 2^18", chunk);
  }
  return {};
}

void check_size(HeapSize last, HeapSize chunk) {
  const std::string clause = size_refusal(last, chunk);
  if (!clause.empty()) throw Error(ErrorCode::kUsage, clause);
}

const HeapGame& heap_game(const Request& request) {
  return game_of<HeapGame>(request, "of one heap");
}

const LatticeGame& lattice_game(const Request& request) {
  return game_of<LatticeGame>(request, "of several heaps");
}

const PositionGame& position_game(const Request& request) {
  const auto& positions = game_of<PositionGame>(request, "on positions");
  if (positions.game == nullptr) throw Error(ErrorCode::kUsage, "the request has no game");
  return positions;
}

HeapSetup::HeapSetup(const Request& r)
    : MadeMachine(r.machine),
      request(r),
      game(heap_game(r)),
      count(checked_count(r, game)),
      engine(engine_for(game, r.machine)) {
  if (r.team == nullptr) return;
  refuse_pass(game.rule, "a team of ranks");
  if (!engine.is_shared(game.rule)) {
    throw Error(ErrorCode::kUsage,
                fmt::format("{} ranks cannot share this game with the engine '{}'; the engine "
                            "'dense' shares octal games",
                            r.team->size(), engine.name()));
  }
  if (!r.machine.memory) memory /= r.team->ranks_here();
}

RunStatus HeapSetup::run(HeapSize heaps, ValueSink& sink, const Hooks& hooks,
                         const KnownValues* known,
                         const std::function<void(const EngineChoice&)>& on_choice, Team* team,
                         const HeapTask::Recall& recall) const {
  // A run that is not sealed looks for a period in its whole table. Where the engine needs as many
  // values anyway, it keeps them.
  const bool keeps_table =
      !lets_values_go() || (request.output.path.empty() && !outgrows_window(game, request.machine));
  const HeapTask task{.rule = game.rule,
                      .count = heaps,
                      .kernels = kernels,
                      .executor = *executor,
                      .stop = hooks.stop,
                      .progress = hooks.progress,
                      .block = request.machine.block,
                      .keep_table = keeps_table,
                      .recall = recall,
                      .known = known,
                      .on_choice = on_choice,
                      .team = team};
  if (on_choice && !chooses() && !begins_behind_pass(engine, task)) {
    on_choice({known != nullptr ? known->count() : 0, std::string(engine.name()),
               was_named() ? "it was asked for" : detail::reason_of_selection(engine, game.rule),
               known != nullptr ? known->slowness() : EngineSlowness()});
  }
  return game.engine != nullptr ? run_own(engine, task, sink) : engine.run(task, sink);
}

LatticeShape computed_shape(const LatticeRule& rule, LatticeShape shape) {
  const auto end = shape.extent.begin() + shape.heaps;
  if (rule.symmetric() && std::equal(shape.extent.begin() + 1, end, shape.extent.begin())) {
    shape.sorted = true;
  }
  return shape;
}

LatticeSetup::LatticeSetup(const Request& r)
    : MadeMachine(r.machine),
      request(r),
      game(lattice_game(r)),
      stored(Layout::of(game.shape, game.rule.planes())),
      computed(computed_shape(game.rule, game.shape)),
      engine(engine_for(game, computed, r.machine)),
      tile(tile_of(r.machine)) {
  if (game.stats_only && r.output.in_parts) {
    throw Error(ErrorCode::kUsage, "statistics have no values that could be kept in parts");
  }
  if (r.team == nullptr) return;
  if (r.output.path.empty() && !game.stats_only) {
    throw Error(ErrorCode::kUsage,
                "ranks keep no table in memory: name an output, or ask for statistics only");
  }
  stripes = engine.stripes(game.rule, computed, tile);
  if (stripes.count() == 0 && r.team->size() == 1) {
    throw Error(
        ErrorCode::kUsage,
        "parts are made of tables of two heaps, of rays, bands, vectors and a pass, by the engine "
        "'wavefront'");
  }
  if (stripes.count() == 0) {
    throw Error(ErrorCode::kUsage,
                fmt::format("{} ranks cannot share this game with the engine '{}'; the engine "
                            "'wavefront' shares rays, bands, vectors and a pass of two heaps",
                            r.team->size(), engine.name()));
  }
  if (r.team->size() > stripes.count()) {
    throw Error(ErrorCode::kUsage,
                fmt::format("{} ranks are too many for this table, which has {} stripe{}",
                            r.team->size(), stripes.count(), stripes.count() == 1 ? "" : "s"));
  }
  if (r.output.in_parts && computed.sorted && !game.shape.sorted) {
    throw Error(ErrorCode::kUsage,
                fmt::format("of a game that does not depend on the order of its heaps, only a "
                            "sorted table is kept in parts: {}",
                            kSortTable));
  }
  if (!r.machine.memory) memory /= r.team->ranks_here();
}

std::vector<std::size_t> LatticeSetup::own_stripes() const {
  std::vector<std::size_t> own;
  for (std::size_t i = 0; i < stripes.count(); ++i) {
    const Team& team = *request.team;
    if (rank_of_stripe(computed, i, stripes.count(), team.size()) == team.rank()) own.push_back(i);
  }
  return own;
}

LatticeTask LatticeSetup::task(const LatticeShape& shape, const Hooks& hooks) const {
  return {.rule = game.rule,
          .shape = shape,
          .kernels = kernels,
          .executor = *executor,
          .stop = hooks.stop,
          .progress = hooks.progress,
          .tile = tile};
}

RunStatus LatticeSetup::run(const LatticeShape& shape, ValueSink& sink, const Hooks& hooks,
                            KnownTiles* known, LatticeStates* states) const {
  LatticeTask whole = task(shape, hooks);
  whole.known = known;
  whole.states = states;
  return game.engine != nullptr ? run_own(engine, whole, sink) : engine.run(whole, sink);
}

RunStatus LatticeSetup::run_stripes(std::span<const LatticeStripe> own, const Hooks& hooks) const {
  return engine.run_stripes(task(computed, hooks), *request.team, own);
}

PositionSetup::PositionSetup(const Request& r)
    : MadeMachine(r.machine),
      request(r),
      game(*position_game(r).game),
      engine(engine_for(position_game(r), r.machine)) {}

}  // namespace grundy
