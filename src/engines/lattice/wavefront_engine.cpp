/// @file
/// The engine for rays, bands, vectors and a pass of two heaps: tile by tile (tile_work.hpp),
/// antidiagonal after antidiagonal. Memory: the line sets (line_sets.hpp) and the values of two or
/// three antidiagonals of tiles.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include <grundy/lattice/engine.hpp>
#include <grundy/layout.hpp>
#include <grundy/machine.hpp>

#include "engines/lattice/diagonal_tiles.hpp"
#include "engines/lattice/engines.hpp"
#include "engines/lattice/line_border.hpp"
#include "engines/lattice/state_bytes.hpp"
#include "engines/lattice/stripe_order.hpp"
#include "engines/lattice/stripe_run.hpp"
#include "engines/lattice/stripe_schedule.hpp"
#include "engines/lattice/tile_work.hpp"
#include "engines/lattice/value_order.hpp"
#include "parallel/layers.hpp"

namespace grundy {
namespace {

constexpr std::uint32_t kLargestStep = 128;

/// Of the bytes of its states. Raise it whenever they, or the numbers of lines, change.
constexpr std::uint64_t kWavefrontStates = 1;

/// A layer is handed over while the next one is computed. Vectors and bands look back two layers.
constexpr std::size_t layers_kept(bool looks_back) noexcept {
  return looks_back ? 3 : 2;
}

/// A run of one process. Layer k has the tiles (r, c) with r + c = k. The last layer only hands
/// values over.
class WavefrontRun final : public LayerPlan {
 public:
  WavefrontRun(const LatticeTask& task, ValueSink& sink)
      : task_(task),
        sink_(sink),
        tiles_(task.shape, tile_edge(task.rule, task.shape, task.tile)),
        work_(task, task.shape),
        end_(task.shape, work_.lines().accesses(), task.shape.extent[0]) {
    if (task.states != nullptr && task.states->has_state()) restore();
  }

  [[nodiscard]] std::uint64_t layer_count() const override { return tiles_.layers() + 1; }
  void dependencies(std::uint64_t layer, std::vector<std::uint64_t>& out) const override {
    if (layer > 0) out.push_back(layer - 1);
  }
  [[nodiscard]] std::uint64_t lookback() const override { return 1; }

  std::size_t prepare(std::uint64_t layer) override {
    if (layer < first_) return 0;
    at(layer).resize(tiles_.tiles_in(layer));
    std::uint64_t row = tiles_.first_row(layer);
    for (TileSlot& slot : at(layer)) {
      const TileArea tile = tiles_.area(layer, row++);
      const auto values = task_.known != nullptr && !fresh_
                              ? task_.known->next(tile.size() * task_.rule.planes())
                              : std::span<const Nimber>();
      fresh_ = values.empty();
      slot.is_known = !fresh_;
      if (!fresh_) slot.wide.assign(values.begin(), values.end());
    }
    return at(layer).size() + 1;
  }

  /// Task 0 hands the layer before to the sink, so the sink works while the solvers do.
  void task(std::uint64_t layer, std::size_t index) override {
    if (index == 0) {
      if (layer > first_) hand_over(layer - 1);
    } else {
      work_.compute(
          tiles_.area(layer, tiles_.first_row(layer) + index - 1), at(layer)[index - 1],
          [this](unsigned plane, std::int64_t x, std::int64_t y) { return earlier(plane, x, y); });
    }
  }

  bool finish(std::uint64_t layer) override {
    if (layer < first_) return true;
    release_lines(layer);
    finished_ = layer + 1;
    if (task_.states != nullptr && finished_ <= tiles_.layers() && task_.states->is_due()) {
      keep_state();
    }
    return flow_ == Flow::kContinue;
  }

  /// Keeps the state behind the last finished layer. @pre no layer is in work
  void keep_state() {
    // A run that has finished nothing of its own has no new state.
    if (finished_ == first_ || flow_ == Flow::kStop) return;
    hand_over(finished_ - 1);
    if (flow_ == Flow::kStop) return;
    first_ = finished_;
    task_.states->keep(handed_, [this](const LatticeStates::Write& write) { save(write); });
  }

 private:
  std::vector<TileSlot>& at(std::uint64_t layer) noexcept {
    return ring_[layer % layers_kept(work_.rim() > 0)];
  }

  /// The values of a tile to which vectors and bands reach back, row by row.
  template <class Row>
  void for_each_row(std::uint64_t layer, const Row& row) {
    std::uint64_t r = tiles_.first_row(layer);
    for (TileSlot& slot : at(layer)) {
      const TileArea area = tiles_.area(layer, r++);
      for (unsigned plane = 0; plane < work_.planes(); ++plane) {
        TileValues& values = slot.tiles[plane];
        values.resize(work_.rim(), area.nx, area.ny);
        for (std::uint32_t i = 0; i < area.nx; ++i) row(std::span(&values.at(i, 0), area.ny));
      }
    }
  }

  /// The first layer whose values the next layer may look up.
  [[nodiscard]] std::uint64_t earliest_looked_up() const noexcept {
    const std::uint64_t kept = work_.rim() > 0 ? layers_kept(true) - 1 : 0;
    return first_ - std::min(first_, kept);
  }

  void save(const LatticeStates::Write& write) {
    for (const std::uint64_t number : {kWavefrontStates, first_, done_, handed_}) {
      write_number(write, number);
    }
    for (std::uint64_t layer = earliest_looked_up(); layer < first_; ++layer) {
      for_each_row(layer, [&](std::span<const Nimber> row) { write_numbers<Nimber>(write, row); });
    }
    work_.lines().save(write);
  }

  void restore() {
    LatticeStates& states = *task_.states;
    expect_number(states, kWavefrontStates);
    for (std::uint64_t* const number : {&first_, &done_, &handed_}) *number = read_number(states);
    if (first_ > tiles_.layers()) refuse_state();
    for (std::uint64_t layer = earliest_looked_up(); layer < first_; ++layer) {
      at(layer).resize(tiles_.tiles_in(layer));
      for_each_row(layer, [&](std::span<Nimber> row) { read_numbers<Nimber>(states, row); });
    }
    work_.lines().restore(states);
    finished_ = first_;
  }

  /// A value in one of the last two layers.
  [[nodiscard]] Nimber earlier(unsigned plane, std::int64_t x, std::int64_t y) {
    if (x < 0 || y < 0) return TileValues::kOutside;
    if (task_.shape.sorted && x > y) std::swap(x, y);
    const std::int64_t edge = tiles_.edge();
    const auto layer = static_cast<std::uint64_t>(x / edge + y / edge);
    TileSlot& slot = at(layer)[static_cast<std::size_t>(x / edge) - tiles_.first_row(layer)];
    return slot.tiles[plane].at(x % edge, y % edge);
  }

  /// Releases the lines that have left the table. If its last slab is shorter than a step, they may
  /// be in the range of a tile of the slab before it, so they are released a tile later.
  void release_lines(std::uint64_t layer) {
    const std::uint64_t slabs = (task_.shape.extent[0] - 1) / tiles_.edge() + 1;
    if (layer < slabs) return;
    const std::uint64_t place = layer - slabs;
    const TileArea tile = tile_of_slab(task_.shape, tiles_.edge(), slabs - 1, place);
    const std::uint32_t begin = task_.shape.sorted ? tile.x0 : tile.y0;
    const std::uint32_t end = begin + (task_.shape.sorted ? tile.nx : tile.ny);
    work_.lines().release(end_.lines(begin, end));
  }

  void hand_over(std::uint64_t layer) {
    std::uint64_t row = tiles_.first_row(layer);
    for (const TileSlot& slot : at(layer)) {
      const TileArea area = tiles_.area(layer, row++);
      flow_ = area.put(slot.values(), sink_, handed_);
      if (flow_ == Flow::kStop) return;
      done_ += area.positions();
    }
    report_positions(task_, done_);
  }

  const LatticeTask& task_;
  ValueSink& sink_;
  const DiagonalTiles tiles_;
  TileWork work_;
  const LineBorder end_;
  std::array<std::vector<TileSlot>, 3> ring_;
  std::uint64_t first_ = 0;     ///< layers before this are handed over
  std::uint64_t finished_ = 0;  ///< layers before this are computed
  bool fresh_ = false;          ///< no more tiles are known
  Flow flow_ = Flow::kContinue;
  std::uint64_t done_ = 0;
  std::uint64_t handed_ = 0;  ///< values; a tile on the diagonal of a sorted table has both sides
};

class WavefrontEngine final : public LatticeEngine {
 public:
  std::string_view name() const noexcept override { return "wavefront"; }
  std::string_view summary() const noexcept override {
    return "bit sets of the values on lines, tile by tile; two heaps";
  }
  std::string refusal(const LatticeRule& rule, const LatticeShape& shape) const override {
    const LatticeMoves& moves = rule.moves();
    if (rule.heaps() != 2) return "it computes two heaps only";
    if (!moves.boxes.empty() || !moves.families.empty()) {
      return "it knows rays, bands, vectors and a pass only";
    }
    // What a band gives to a diagonal is in the row or the column already, so no value is larger
    // than the lines of its position say.
    const auto takes_any = [&moves](LatticePoint step) {
      return std::ranges::count(moves.rays, LatticeRay{.step = step, .multiples = {}}) > 0;
    };
    if (!moves.bands.empty() && !(takes_any({1, 0}) && takes_any({0, 1}))) {
      return "it takes a band only where any number may be taken from each heap";
    }
    if (band_width(rule) > kLargestStep) return "a band is wider than 128";
    if (std::max(shape.extent[0], shape.extent[1]) > DiagonalTiles::kLargestExtent) {
      return "an extent is too large";
    }
    bool lines = false;
    for (const LatticeRay& ray : moves.rays) {
      const std::uint64_t longest = std::max(ray.step[0], ray.step[1]);
      const std::uint64_t most = ray.multiples.empty() ? 1 : ray.multiples.back();
      lines |= ray.multiples.empty();
      if (longest * most > kLargestStep) return "a step takes more than 128 tokens from a heap";
    }
    if (!lines && vectors_of(rule).size() + (moves.pass ? 1 : 0) > TileSolver::kMaxVectors) {
      return "it has more than 63 vectors and no line";
    }
    return {};
  }
  std::uint64_t memory_bytes(const LatticeRule& rule, const LatticeShape& shape,
                             std::optional<std::uint32_t> tile, Nimber largest) const override {
    const std::uint32_t edge = tile_edge(rule, shape, tile);
    const std::uint64_t rows = std::min(shape.extent[0], shape.extent[1]) / edge + 1;
    const std::uint64_t tiles = shape.sorted ? rows / 2 + 1 : rows;  // number in a layer
    const LineSets lines(rule, shape);
    return lines.bytes(largest) + lines.bytes_of_held(edge) +
           layers_kept(rim_of(rule) > 0) * tiles * TileSlot::bytes(rule, shape, edge, largest);
  }
  /// A position of a large table costs what one of a smaller table does (NOTES.md).
  std::optional<double> work(const LatticeRule&, const LatticeShape& shape) const override {
    return static_cast<double>(Layout::of(shape, 1).positions());
  }
  std::string tile_order(const LatticeRule& rule, const LatticeShape& shape,
                         std::optional<std::uint32_t> tile) const override {
    return diagonal_order_name(tile_edge(rule, shape, tile));
  }
  RunStatus run(const LatticeTask& task, ValueSink& sink) const override {
    WavefrontRun run(task, sink);
    const RunStatus status = run_status(run_layers(run, task.executor, task.stop));
    if (status == RunStatus::kCancelled && task.states != nullptr) run.keep_state();
    return status;
  }
  bool has_states() const noexcept override { return true; }

  LatticeStripes stripes(const LatticeRule& rule, const LatticeShape& shape,
                         std::optional<std::uint32_t> tile) const override {
    const std::uint32_t edge = tile_edge(rule, shape, tile);
    return {.tile = edge, .borders = stripe_borders_of(shape, edge)};
  }
  std::uint64_t rank_memory_bytes(const LatticeRule& rule, const LatticeShape& shape,
                                  std::optional<std::uint32_t> tile, std::uint64_t ranks,
                                  std::size_t threads, Nimber largest) const override {
    return stripes_memory_bytes(rule, shape, tile_edge(rule, shape, tile), ranks, threads, largest);
  }
  RunStatus run_stripes(const LatticeTask& task, Team& team,
                        std::span<const LatticeStripe> stripes) const override {
    return run_stripes_of(task, team, stripes);
  }
};

}  // namespace

const LatticeEngine& lattice_wavefront_engine() noexcept {
  static const WavefrontEngine engine;
  return engine;
}

}  // namespace grundy
