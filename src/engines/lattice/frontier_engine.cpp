/// @file
/// The engine for every rule whose options are unions of sets, in 2 to 8 dimensions: rays, bands,
/// boxes, chains.
///
/// set_plan.hpp describes the sets. Slabs (positions with one y[0]) are taken in groups, and a
/// group is cut into tiles along the other heaps. Tiles with equal sums of tile numbers are
/// independent: positions of two such tiles are incomparable, also after sorting, because a smaller
/// position has no larger coordinate, and a set that takes values belongs to a chain of positions.
/// So no atomics are needed, and the result does not depend on the threads. The next group starts
/// while the present one is in work, at tiles with smaller sums, so that all threads have work.
///
/// Memory: the sets, whose size is predicted, and the values of the groups in work. A finished
/// group goes to the sink.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>
#include <mutex>

#include <grundy/lattice/engine.hpp>
#include <grundy/machine.hpp>

#include "engines/lattice/engines.hpp"
#include "engines/lattice/frontier_schedule.hpp"
#include "engines/lattice/row_solver.hpp"
#include "engines/lattice/state_bytes.hpp"
#include "engines/lattice/value_order.hpp"
#include "kernels/kernels.hpp"
#include "parallel/layers.hpp"

namespace grundy {
namespace {

/// The number of groups whose values are kept: the groups in work, one that is being handed over,
/// and the groups that look-ups from these reach.
std::size_t groups_kept(const SetPlan& plan, const FrontierCut& cut) {
  return cut.active + 1 + (plan.reach() + cut.thickness - 1) / cut.thickness;
}

bool thin(const LatticeRule& rule) {
  return std::ranges::any_of(
      rule.moves().boxes, [](const LatticeBox& box) { return (box.heaps & (box.heaps - 1)) != 0; });
}

/// An upper bound of all values: every move but a pass takes a token.
std::uint64_t longest_game(const LatticeRule& rule, const LatticeShape& shape) {
  return shape.most_tokens() + rule.planes() - 1;
}

/// Of the bytes of its states. Raise both numbers whenever they, or the numbers of sets, change.
/// Rules whose moves are not those that are written had other sets once.
std::uint64_t version_of_states(const LatticeRule& rule) {
  return rule.moves() == rule.written() ? 1 : 2;
}

/// The cut of a run. If it has states, it does not depend on the threads of its first life, and a
/// state says which tile was wanted then. @throws Error(kCorrupt) if the state is of another
/// version
FrontierCut cut_of(const LatticeTask& task) {
  LatticeStates* const states = task.states;
  std::optional<std::uint32_t> tile = task.tile;
  if (states != nullptr && states->has_state()) {
    expect_number(*states, version_of_states(task.rule));
    tile = static_cast<std::uint32_t>(read_number(*states));
  }
  return FrontierCut::make(task.shape, thin(task.rule), tile,
                           states != nullptr ? kManyThreads : task.executor.threads());
}

class FrontierRun final : public LayerPlan {
 public:
  /// @param outcomes whether to compute 0 for P-positions and 1 for N-positions instead of the
  /// values
  FrontierRun(const LatticeTask& task, ValueSink& sink, bool outcomes)
      : task_(task),
        sink_(sink),
        planes_(task.rule.planes()),
        cut_(cut_of(task)),
        plan_(make_set_plan(task.rule, task.shape, cut_.window())),
        schedule_(plan_, cut_),
        longest_game_(outcomes ? 1
                               : std::max<std::uint64_t>(1, longest_game(task.rule, task.shape))),
        arena_(plan_.sets * planes_ + task.executor.threads(), outcomes),
        slabs_(plan_, planes_, cut_.thickness, groups_kept(plan_, cut_)) {
    for (std::size_t i = 0; i < task.executor.threads(); ++i) {
      idle_.push_back(std::make_unique<RowSolver>(task.rule, plan_, arena_,
                                                  outcomes ? outcome_kernels() : task.kernels.sets,
                                                  slabs_, plan_.sets * planes_ + i));
    }
    if (task.states != nullptr && task.states->has_state()) restore();
  }

  [[nodiscard]] std::uint64_t layer_count() const override { return schedule_.layers(); }
  void dependencies(std::uint64_t layer, std::vector<std::uint64_t>& out) const override {
    if (layer > 0) out.push_back(layer - 1);
  }
  [[nodiscard]] std::uint64_t lookback() const override { return 1; }

  std::size_t prepare(std::uint64_t layer) override {
    if (layer < next_) return 0;
    tiles_.clear();
    finished_ = nullptr;
    while (schedule_.start(oldest_) + schedule_.length(oldest_) < layer) ++oldest_;
    for (std::uint64_t g = oldest_; g < schedule_.groups() && schedule_.start(g) <= layer; ++g) {
      const std::uint64_t sum = layer - schedule_.start(g);
      if (sum == 0) open(g);
      if (sum == schedule_.length(g)) {
        finished_ = &slabs_.group(g);
        finished_index_ = g;
        continue;
      }
      numbers_.clear();
      schedule_.tiles(g, sum, numbers_);
      for (const auto& number : numbers_) tiles_.push_back({g, number});
    }
    largest_of_.assign(tiles_.size(), 0);
    // A value is at most one more than the largest value of its options. So in a tile the largest
    // value grows at most by the length of the longest chain of positions.
    std::uint64_t chain = cut_.thickness;
    for (unsigned i = 1; i < plan_.heaps; ++i) chain += cut_.edge[i];
    arena_.hold(std::min(largest_ + chain, longest_game_));
    return tiles_.size() + 1;
  }

  /// Task 0 hands a finished group to the sink, so the sink works while the solvers do.
  void task(std::uint64_t, std::size_t index) override {
    if (index == 0) return hand_over();
    const auto& [group, number] = tiles_[index - 1];
    auto solver = borrow();
    LatticePoint y{};
    const std::uint64_t end = (group + 1) * cut_.thickness;
    for (y[0] = static_cast<std::uint32_t>(group) * cut_.thickness;
         y[0] < end && y[0] < plan_.extent[0]; ++y[0]) {
      solve(*solver, number, y, 1, group < known_groups_, largest_of_[index - 1]);
    }
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(solver));
  }

  bool finish(std::uint64_t layer) override {
    if (layer < next_) return true;
    next_ = layer + 1;
    for (const Nimber largest : largest_of_) largest_ = std::max(largest_, largest);
    // A state is of some values, and the last layer leaves nothing to go on to.
    const bool can_keep = task_.states != nullptr && handed_ > 0 && next_ < schedule_.layers();
    if (can_keep && task_.states->is_due()) keep_state();
    return flow_ == Flow::kContinue;
  }

  /// Keeps the state behind the last finished layer. @pre no layer is in work
  void keep_state() {
    // A run that has finished nothing of its own has no new state.
    if (next_ == kept_ || handed_ == 0 || flow_ == Flow::kStop) return;
    kept_ = next_;
    task_.states->keep(handed_ * planes_,
                       [this](const LatticeStates::Write& write) { save(write); });
  }

 private:
  struct TileOf {
    std::uint64_t group;
    FrontierSchedule::TileNumber number;
  };

  void save(const LatticeStates::Write& write) {
    for (const std::uint64_t number :
         {version_of_states(task_.rule), std::uint64_t{cut_.edge[plan_.heaps - 1]}, next_, handed_,
          std::uint64_t{largest_}}) {
      write_number(write, number);
    }
    for (const SlabRing::Group& group : slabs_.groups()) {
      write_number(write, group.first);
      write_list<Nimber>(write, group.values);
    }
    arena_.save(plan_.sets * planes_, write);
  }

  /// Reads what save() has written; cut_of() has read the first two numbers.
  void restore() {
    LatticeStates& states = *task_.states;
    for (std::uint64_t* const number : {&next_, &handed_}) *number = read_number(states);
    largest_ = static_cast<Nimber>(read_number(states));
    if (next_ >= schedule_.layers() || largest_ > longest_game_) refuse_state();
    const std::uint64_t entries = Layout::of(task_.shape, planes_).entries();
    for (SlabRing::Group& group : slabs_.groups()) {
      group.first = read_number(states);
      group.values = read_list<Nimber>(states, entries);
    }
    arena_.restore(plan_.sets * planes_, states);
    kept_ = next_;
  }

  void open(std::uint64_t group) {
    slabs_.open(group);
    if (task_.known != nullptr && known_groups_ == group) {
      std::vector<Nimber>& values = slabs_.group(group).values;
      const auto known = task_.known->next(values.size());
      std::ranges::copy(known, values.begin());
      if (!known.empty()) ++known_groups_;
    }
    const std::uint64_t first = group * cut_.thickness;
    for (std::uint64_t slab = first; slab < first + cut_.thickness; ++slab) {
      for (const SetPlan::Window& window : plan_.windows) {
        const std::uint64_t set = window.first + slab % plan_.window * window.stride;
        for (unsigned plane = 0; plane < planes_; ++plane) {
          arena_.clear(set + plane * plan_.sets, window.stride);
        }
      }
    }
  }

  /// Solves all rows of a tile whose first `heap` sizes are those of y. If their values are known,
  /// enters the values into the sets instead.
  void solve(RowSolver& solver, const FrontierSchedule::TileNumber& number, LatticePoint& y,
             unsigned heap, bool known, Nimber& largest) {
    const std::uint32_t begin = number[heap] * cut_.edge[heap];
    std::uint32_t end = std::min(begin + cut_.edge[heap], plan_.extent[heap]);
    if (plan_.sorted) end = std::min(end, y[heap - 1] + 1);
    if (heap + 1 == plan_.heaps || heap + 1 == kMaxLatticeHeaps) {
      y[heap] = begin;
      if (begin < end) largest = std::max(largest, solver.solve(y, end, known));
      return;
    }
    for (y[heap] = begin; y[heap] < end; ++y[heap]) {
      solve(solver, number, y, heap + 1, known, largest);
    }
  }

  void hand_over() {
    if (finished_ == nullptr) return;
    Tile tile;
    if (plan_.sorted) {
      tile.first_rank = finished_->first;
    } else {
      tile.origin[0] = static_cast<std::uint32_t>(finished_index_) * cut_.thickness;
      tile.extent = plan_.extent;
      tile.extent[0] = std::min(cut_.thickness, plan_.extent[0] - tile.origin[0]);
    }
    flow_ = sink_.put({.begin = finished_->first * planes_,
                       .values = std::span(finished_->values),
                       .table = {},
                       .tile = &tile});
    handed_ = finished_->first + finished_->values.size() / planes_;
    report_positions(task_, handed_);
  }

  std::unique_ptr<RowSolver> borrow() {
    const std::lock_guard lock(mutex_);
    auto solver = std::move(idle_.back());
    idle_.pop_back();
    return solver;
  }

  const LatticeTask& task_;
  ValueSink& sink_;
  const unsigned planes_;
  const FrontierCut cut_;
  const SetPlan plan_;
  const FrontierSchedule schedule_;
  const std::uint64_t longest_game_;  ///< an upper bound of the values
  SetArena arena_;
  SlabRing slabs_;

  // Of the present layer:
  std::vector<TileOf> tiles_;
  std::vector<Nimber> largest_of_;  ///< the largest value in each of the tiles
  const SlabRing::Group* finished_ = nullptr;
  std::uint64_t finished_index_ = 0;
  std::vector<FrontierSchedule::TileNumber> numbers_;

  std::uint64_t next_ = 0;          ///< layers before this are finished
  std::uint64_t kept_ = 0;          ///< this at the last state
  std::uint64_t handed_ = 0;        ///< positions
  std::uint64_t oldest_ = 0;        ///< the oldest group that has not been handed over
  Nimber largest_ = 0;              ///< the largest value of the finished layers
  std::uint64_t known_groups_ = 0;  ///< the values of this many first groups are known
  Flow flow_ = Flow::kContinue;
  std::mutex mutex_;
  std::vector<std::unique_ptr<RowSolver>> idle_;
};

RunStatus run_frontier(const LatticeTask& task, ValueSink& sink, bool outcomes) {
  FrontierRun run(task, sink, outcomes);
  const RunStatus status = run_status(run_layers(run, task.executor, task.stop));
  if (status == RunStatus::kCancelled && task.states != nullptr) run.keep_state();
  return status;
}

std::uint64_t bytes_of_run(const LatticeRule& rule, const LatticeShape& shape,
                           std::optional<std::uint32_t> tile, bool outcomes) {
  // The number of threads matters little, and only for two heaps.
  const FrontierCut cut = FrontierCut::make(shape, thin(rule), tile, kManyThreads);
  const SetPlan plan = make_set_plan(rule, shape, cut.window());
  const Layout layout = Layout::of(shape, rule.planes());
  const std::uint64_t slabs =
      std::min<std::uint64_t>(groups_kept(plan, cut) * cut.thickness, shape.extent[0]);
  const std::uint64_t values = layout.entries() - layout.slab_begin(shape.extent[0] - slabs);
  const std::uint64_t sets = plan.sets * rule.planes() + kManyThreads;
  return (outcomes ? sets : SetArena::bytes(sets, longest_game(rule, shape))) +
         values * sizeof(Nimber);
}

class FrontierEngine final : public LatticeEngine {
 public:
  std::string_view name() const noexcept override { return "frontier"; }
  std::string_view summary() const noexcept override {
    return "bit sets of the values on lines, in boxes and in chains of bites, slab by slab";
  }
  std::string refusal(const LatticeRule& rule, const LatticeShape& shape) const override {
    for (const LatticeFamily family : rule.moves().families) {
      if (family != LatticeFamily::kChomp && family != LatticeFamily::kEnds) {
        return "the amounts of its moves depend on each other in ways that sets do not follow";
      }
      if (family == LatticeFamily::kChomp && !shape.sorted) return "it bites into sorted rows only";
    }
    return {};
  }
  std::uint64_t memory_bytes(const LatticeRule& rule, const LatticeShape& shape,
                             std::optional<std::uint32_t> tile, Nimber) const override {
    return bytes_of_run(rule, shape, tile, false);
  }
  std::string tile_order(const LatticeRule&, const LatticeShape&,
                         std::optional<std::uint32_t>) const override {
    return kTableOrder;
  }
  RunStatus run(const LatticeTask& task, ValueSink& sink) const override {
    return run_frontier(task, sink, false);
  }
  bool has_states() const noexcept override { return true; }
};

}  // namespace

const LatticeEngine& lattice_frontier_engine() noexcept {
  static const FrontierEngine engine;
  return engine;
}

std::uint64_t frontier_outcomes_bytes(const LatticeRule& rule, const LatticeShape& shape) {
  return bytes_of_run(rule, shape, {}, true);
}

RunStatus run_frontier_outcomes(const LatticeTask& task, ValueSink& sink) {
  return run_frontier(task, sink, true);
}

}  // namespace grundy
