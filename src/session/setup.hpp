/// @file
/// A request, checked and bound to the parts that will carry it out.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <grundy/compute.hpp>
#include <grundy/graph/engine.hpp>
#include <grundy/heap/engine.hpp>
#include <grundy/lattice/engine.hpp>
#include <grundy/layout.hpp>
#include <grundy/machine.hpp>

#include "core/names.hpp"
#include "kernels/kernels.hpp"

namespace grundy {

/// The parts of a Machine, made: inner loops, threads, and the bytes of memory that may be used.
struct MadeMachine {
  const KernelSet& kernels;
  std::unique_ptr<Executor> executor;
  std::uint64_t memory;

  /// @throws Error(kUsage) for unknown kernels and back ends, and for too many threads
  explicit MadeMachine(const Machine& machine);
};

/// The game of a request. @throws Error(kUsage) if the game is of another kind, or null
const HeapGame& heap_game(const Request& request);
const LatticeGame& lattice_game(const Request& request);
const PositionGame& position_game(const Request& request);

/// Larger tables are refused: 2^48 values of one byte are 256 TiB.
inline constexpr HeapSize kMaxCount = HeapSize{1} << 48;

/// The engine of a game: its own, or the one that the machine names.
/// @throws Error(kUsage) if the engine is unknown or refuses the game, or if an own engine has a
///   name that is taken
const HeapEngine& engine_for(const HeapGame& game, const Machine& machine);
const LatticeEngine& engine_for(const LatticeGame& game, const LatticeShape& computed,
                                const Machine& machine);
const GraphEngine& engine_for(const PositionGame& game, const Machine& machine);

/// Whether the engine, or one that it chooses, may let values go before the last heap because it
/// needs fewer than all. Then only a sealed run can look for a period.
bool outgrows_window(const HeapGame& game, const Machine& machine);

/// Empty if a table of heaps 0 .. last can have chunks of `chunk` values, else the reason.
std::string size_refusal(HeapSize last, HeapSize chunk);
/// @throws Error(kUsage) with that reason
void check_size(HeapSize last, HeapSize chunk);

/// Where the output of a run lies: where the request says, or in a place for its states alone.
struct OutputPlace {
  /// It is removed when the run has ended: nobody hears of it, and no file is written.
  bool is_scratch = false;
  /// The advice if there is no room.
  const char* without_room = "choose another place for the output";
};

/// A request for a game of one heap, which must outlive the setup.
struct HeapSetup : MadeMachine {
  const Request& request;
  const HeapGame& game;
  HeapSize count;
  const HeapEngine& engine;

  /// Whether the engine chooses among others during the run.
  [[nodiscard]] bool chooses() const noexcept { return engine.name() == kAutoName; }
  /// Whether the request names its engine.
  [[nodiscard]] bool was_named() const noexcept {
    return game.engine != nullptr || !leaves_choice(request.machine.engine);
  }
  /// The reason against an engine that was named, as a clause; empty if there is none.
  [[nodiscard]] std::string doubt() const {
    return was_named() ? engine.doubt(game.rule) : std::string();
  }

  /// Whether the engine may let values go. A run without a table keeps no values, and a table is
  /// made from sealed values. A reproducible table forbids it: in a window, the engine decides how
  /// soon a period is proved.
  [[nodiscard]] bool lets_values_go() const noexcept {
    return game.stats_only || (!request.output.path.empty() && !request.output.reproducible);
  }

  /// Whether the engine can go on from a state.
  [[nodiscard]] bool takes_states() const noexcept {
    return engine.name() == "sparse" || chooses();
  }

  /// @throws Error(kUsage) for sizes out of range and for unknown engines, kernels and back ends
  explicit HeapSetup(const Request& request);

  /// Runs the engine for heaps 0 .. heaps-1, or for those that are not known. `on_choice` hears of
  /// every engine that is started, and why. With a team, the engine must be able to share the rule.
  /// @param recall HeapTask::recall
  RunStatus run(HeapSize heaps, ValueSink& sink, const Hooks& hooks,
                const KnownValues* known = nullptr,
                const std::function<void(const EngineChoice&)>& on_choice = {},
                Team* team = nullptr, const HeapTask::Recall& recall = {}) const;
};

/// The shape that the engine computes for a table of `shape`. For a cube it is the sorted shape if
/// the order of heaps does not matter.
LatticeShape computed_shape(const LatticeRule& rule, LatticeShape shape);

/// A request for a game of several heaps, which must outlive the setup.
struct LatticeSetup : MadeMachine {
  const Request& request;
  const LatticeGame& game;
  Layout stored;          ///< the table
  LatticeShape computed;  ///< what the engine is asked for: sorted if a sorted shape is enough
  const LatticeEngine& engine;
  std::optional<std::uint32_t> tile;  ///< edge of a tile; unset: the engine's choice
  LatticeStripes stripes;             ///< the stripes of the ranks of a team; none without a team

  /// @throws Error(kUsage) for shapes that do not fit the rule, for unknown engines, kernels and
  /// back ends, and for a table that this number of ranks cannot share
  explicit LatticeSetup(const Request& request);

  /// The numbers of the stripes of this rank, ascending. @pre request.team is not null
  [[nodiscard]] std::vector<std::size_t> own_stripes() const;

  /// Runs the engine, for `shape` in place of `computed`.
  RunStatus run(const LatticeShape& shape, ValueSink& sink, const Hooks& hooks,
                KnownTiles* known = nullptr, LatticeStates* states = nullptr) const;
  /// Runs the engine for the stripes of this rank of the team.
  RunStatus run_stripes(std::span<const LatticeStripe> own, const Hooks& hooks) const;
  /// Whether a run that keeps statistics only can go on from a state. What an engine from outside
  /// hands over is checked as a whole.
  [[nodiscard]] bool has_states() const noexcept {
    return game.engine == nullptr && engine.has_states();
  }
  /// The order in which the engine hands over values; empty if a run cannot be resumed.
  [[nodiscard]] std::string tile_order() const {
    return engine.tile_order(game.rule, computed, tile);
  }

 private:
  [[nodiscard]] LatticeTask task(const LatticeShape& shape, const Hooks& hooks) const;
};

/// A request for a game on positions, which must outlive the setup.
struct PositionSetup : MadeMachine {
  const Request& request;
  const GraphGame& game;
  const GraphEngine& engine;

  /// @throws Error(kUsage) for unknown engines, kernels and back ends
  explicit PositionSetup(const Request& request);
};

}  // namespace grundy
