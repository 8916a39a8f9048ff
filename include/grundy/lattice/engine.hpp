/// @file
/// What every engine for lattice games offers, and the list of engines.
///
/// All engines give the same values for every rule they accept; they differ in speed and memory.
/// Results do not depend on threads, kernels or tile sizes.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <grundy/error.hpp>
#include <grundy/known.hpp>
#include <grundy/lattice/rule.hpp>
#include <grundy/lattice/tile.hpp>
#include <grundy/machine.hpp>
#include <grundy/progress.hpp>
#include <grundy/sink.hpp>
#include <grundy/team.hpp>
#include <grundy/types.hpp>

namespace grundy {

/// Where an engine leaves its *states*, and finds one again. A state is everything on which the
/// values that were not handed over depend, as bytes that only this engine can read. It belongs to
/// a rule, a shape and a tile order, and does not depend on threads and kernels.
class LatticeStates {
 public:
  /// Takes the next bytes of a state. @throws Error(kFailure) if they cannot be kept
  using Write = std::function<void(std::span<const std::byte>)>;

  virtual ~LatticeStates() = default;
  /// Whether the run goes on from a state, which read() hands over.
  [[nodiscard]] virtual bool has_state() const = 0;
  /// Copies the next bytes of that state. @throws Error(kCorrupt) if it has fewer
  virtual void read(std::span<std::byte> bytes) = 0;
  /// Whether the next state is wanted now.
  [[nodiscard]] virtual bool is_due() = 0;
  /// Keeps the state in which the sink has received the first `handed` values. It calls `put` once,
  /// which writes the state. @throws Error(kFailure)
  virtual void keep(std::uint64_t handed, const std::function<void(const Write&)>& put) = 0;
};

/// What to compute and with what. References must outlive the run.
struct LatticeTask {
  const LatticeRule& rule;
  /// All positions of a box; if it is sorted, only those with x1 <= x2 <= .. The library asks for
  /// the sorted shape of a cube whenever the rule is symmetric, even if the table is not sorted.
  LatticeShape shape;
  const KernelSet& kernels;
  Executor& executor;
  std::stop_token stop{};  ///< when set, the engine returns after the tiles it works on
  ProgressSink* progress = nullptr;
  /// Edge of a tile; an engine takes at least 8. Unset: the engine's choice.
  std::optional<std::uint32_t> tile{};
  /// Values that the engine takes as they are and hands over like its own; null: none are known.
  KnownTiles* known = nullptr;
  /// Where states are kept, whenever one is due and when the run is cancelled. A run that goes on
  /// from a state hands over the values behind it only. Null: no states, and none is known.
  LatticeStates* states = nullptr;
};

/// Consecutive slabs (Layout::slab_begin()) of a table that ranks share. A stripe is handed over by
/// itself, in tiles that are numbered from its first value on. Their order depends on the table and
/// the stripe only.
struct LatticeStripe {
  std::uint32_t begin = 0, end = 0;  ///< slabs
  ValueSink* sink = nullptr;
  KnownTiles* known = nullptr;  ///< values of its first tiles, in its order; null: none are known
};

/// How a table is cut into stripes: the same for any number of ranks and threads.
struct LatticeStripes {
  std::uint32_t tile = 0;                ///< edge of a tile
  std::vector<std::uint32_t> borders{};  ///< the first slab of each stripe, from 0 on, and the end

  /// The number of stripes. 0: ranks cannot share the table.
  [[nodiscard]] std::size_t count() const noexcept {
    return borders.empty() ? 0 : borders.size() - 1;
  }
};

/// The rank that computes stripe number `stripe` of `stripes`. @pre ranks <= stripes
std::uint64_t rank_of_stripe(const LatticeShape& shape, std::size_t stripe, std::size_t stripes,
                             std::uint64_t ranks) noexcept;

/// An algorithm for tables of lattice games. Stateless; run() may be called from several threads.
class LatticeEngine {
 public:
  virtual ~LatticeEngine() = default;

  [[nodiscard]] virtual std::string_view name() const noexcept = 0;
  /// One line for `--help` and for metadata.
  [[nodiscard]] virtual std::string_view summary() const noexcept = 0;
  /// Empty if this engine can compute the rule in the shape, else the reason in one clause.
  [[nodiscard]] virtual std::string refusal(const LatticeRule& rule,
                                            const LatticeShape& shape) const = 0;
  /// An upper bound of the memory in bytes, for tiles of edge `tile` (unset: the engine's choice),
  /// if no value exceeds `largest`.
  [[nodiscard]] virtual std::uint64_t memory_bytes(const LatticeRule& rule,
                                                   const LatticeShape& shape,
                                                   std::optional<std::uint32_t> tile,
                                                   Nimber largest) const = 0;
  /// What a run costs, in a unit of the engine, so that the time of one shape tells that of another
  /// one of the same rule; more than 0. Unset: the engine cannot say, and runs must show it.
  [[nodiscard]] virtual std::optional<double> work(const LatticeRule& rule,
                                                   const LatticeShape& shape) const {
    static_cast<void>(rule), static_cast<void>(shape);
    return {};
  }
  /// The order in which all values are handed over, in words. Equal words mean equal order, for any
  /// threads and kernels. Empty if the engine cannot take known tiles.
  [[nodiscard]] virtual std::string tile_order(const LatticeRule& rule, const LatticeShape& shape,
                                               std::optional<std::uint32_t> tile) const {
    static_cast<void>(rule), static_cast<void>(shape), static_cast<void>(tile);
    return {};
  }
  /// Whether run() uses LatticeTask::states; if it does not, the task must have none. compute()
  /// asks engines of the library only.
  [[nodiscard]] virtual bool has_states() const noexcept { return false; }
  /// Computes the table of `task.shape` and hands it to `sink`, in stretches that are numbered from
  /// 0 on. They have every entry of `Layout::of(task.shape, task.rule.planes())` once: in tiles, or
  /// in the order of the entries, without tiles. The values of all planes of a position come
  /// together. The result is kComplete only if all were handed over.
  ///
  /// compute() checks an engine of your own (LatticeGame::engine) for this, and that tiles are in
  /// the shape; otherwise it throws Error(kFailure). It does not check the order of tiles.
  /// @throws Error from the sink, or kFailure when memory runs out
  virtual RunStatus run(const LatticeTask& task, ValueSink& sink) const = 0;

  /// The stripes that ranks share; none if they cannot.
  [[nodiscard]] virtual LatticeStripes stripes(const LatticeRule& rule, const LatticeShape& shape,
                                               std::optional<std::uint32_t> tile) const {
    static_cast<void>(rule), static_cast<void>(shape), static_cast<void>(tile);
    return {};
  }
  /// An upper bound of the memory in bytes of each of `ranks` ranks of `threads` threads, if no
  /// value exceeds `largest`. @pre there are stripes()
  [[nodiscard]] virtual std::uint64_t rank_memory_bytes(const LatticeRule& rule,
                                                        const LatticeShape& shape,
                                                        std::optional<std::uint32_t> tile,
                                                        std::uint64_t ranks, std::size_t threads,
                                                        Nimber largest) const {
    static_cast<void>(ranks), static_cast<void>(threads);
    return memory_bytes(rule, shape, tile, largest);
  }
  /// Computes the stripes of this rank (rank_of_stripe()), in their order, and hands them to their
  /// sinks, which are called by one thread at a time. `task.known` is not used. A rank that is
  /// stopped stops the others, whose runs are cancelled. Progress is that of all ranks, as far as
  /// this rank has heard of it.
  /// @pre there are stripes(), and not more ranks than stripes
  /// @throws Error from a sink, or kFailure when memory runs out or a rank has left
  virtual RunStatus run_stripes(const LatticeTask& task, Team& team,
                                std::span<const LatticeStripe> stripes) const;
};

/// Every engine, the reference first.
std::span<const LatticeEngine* const> lattice_engines() noexcept;

/// The engine called `name`; `auto` (or empty) picks the fastest that accepts the rule in the
/// shape.
/// @throws Error(kUsage) if the shape does not fit the rule, there is no engine of that name, or
/// it refuses
const LatticeEngine& select_lattice_engine(std::string_view name, const LatticeRule& rule,
                                           const LatticeShape& shape);

}  // namespace grundy
