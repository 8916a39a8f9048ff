// SPDX-License-Identifier: MIT
#include "engines/lattice/wavefront_engine.hpp"

#include <algorithm>
#include <array>
#include <mutex>

#include <grundy/machine.hpp>

#include "engines/lattice/diagonal_tiles.hpp"
#include "engines/lattice/line_sets.hpp"
#include "engines/lattice/tile_solver.hpp"
#include "engines/lattice/value_order.hpp"
#include "kernels/kernels.hpp"
#include "kernels/line_kernels.hpp"
#include "parallel/layers.hpp"

namespace grundy {
namespace {

constexpr std::uint32_t kDefaultTile = 128;
constexpr std::uint32_t kLargestDefaultTile = 1024;
constexpr std::uint32_t kLargestStep = 128;

/// The steps t v of all rays with finitely many multiples.
std::vector<TileSolver::Vector2> vectors_of(const LatticeRule& rule) {
  std::vector<TileSolver::Vector2> vectors;
  for (const LatticeRay& ray : rule.moves().rays) {
    for (const std::uint32_t t : ray.multiples) {
      vectors.emplace_back(t * ray.step[0], t * ray.step[1]);
    }
  }
  std::ranges::sort(vectors);
  vectors.erase(std::unique(vectors.begin(), vectors.end()), vectors.end());
  return vectors;
}

std::uint32_t tile_edge(const LatticeRule& rule, const LatticeShape& shape,
                        std::optional<std::uint32_t> wanted) {
  std::uint32_t edge = std::max(DiagonalTiles::kLeastEdge, wanted.value_or(kDefaultTile));
  if (!wanted) {
    // A small table is cut into enough tiles for all threads. The sets of a large one are long, so
    // that its tiles are as large as they may be for that.
    const std::uint32_t least = std::min(shape.extent[0], shape.extent[1]);
    while (edge > 16 && least / edge < 16) edge /= 2;
    while (edge < kLargestDefaultTile && least / edge > 64) edge *= 2;
  }
  for (const auto& [a, b] : vectors_of(rule)) edge = std::max({edge, a, b});
  return edge;
}

/// One run. Layer k has the tiles (r, c) with r + c = k. The last layer only hands values over.
class WavefrontRun final : public LayerPlan {
 public:
  WavefrontRun(const LatticeTask& task, ValueSink& sink)
      : task_(task),
        sink_(sink),
        sorted_(task.shape.sorted),
        edge_(tile_edge(task.rule, task.shape, task.tile)),
        tiles_(task.shape, edge_),
        vectors_(vectors_of(task.rule)),
        lines_(task.rule, task.shape) {
    for (const auto& [a, b] : vectors_) rim_ = std::max({rim_, a, b});
    lines_.allocate();
    constexpr std::size_t kParts = 64;
    task.executor.parallel_for(kParts, [&](std::size_t part) { lines_.touch(part, kParts); });
  }

  [[nodiscard]] std::uint64_t layer_count() const override { return tiles_.layers() + 1; }
  void dependencies(std::uint64_t layer, std::vector<std::uint64_t>& out) const override {
    if (layer > 0) out.push_back(layer - 1);
  }
  [[nodiscard]] std::uint64_t lookback() const override { return 1; }

  std::size_t prepare(std::uint64_t layer) override {
    at(layer).resize(tiles_.tiles_in(layer));
    known_ = 0;
    for (Slot& slot : at(layer)) {
      const TileArea tile = tiles_.area(layer, tiles_.first_row(layer) + known_);
      const auto values = task_.known != nullptr && !fresh_ ? task_.known->next(tile.size())
                                                            : std::span<const Nimber>();
      fresh_ = values.empty();
      if (fresh_) break;
      slot.wide.assign(values.begin(), values.end());
      ++known_;
    }
    return at(layer).size() + 1;
  }

  /// Task 0 hands the layer before to the sink, which so works beside the solvers.
  void task(std::uint64_t layer, std::size_t index) override {
    if (index == 0) {
      if (layer > 0) hand_over(layer - 1);
    } else {
      compute(tiles_.area(layer, tiles_.first_row(layer) + index - 1), at(layer)[index - 1],
              index <= known_);
    }
  }

  bool finish(std::uint64_t) override { return flow_ == Flow::kContinue; }

 private:
  static constexpr std::size_t kRing = 3;  // a tile needs its neighbours, two layers back

  struct Slot {
    TileValues tile;  ///< where vectors look values up
    std::vector<std::uint16_t> narrow;
    std::vector<Nimber> wide;
  };

  std::vector<Slot>& at(std::uint64_t layer) noexcept { return ring_[layer % kRing]; }

  /// @param known the values are in slot.wide
  void compute(const TileArea& tile, Slot& slot, bool known) {
    auto solver = borrow();
    TileValues& out = rim_ > 0 ? slot.tile : solver->scratch();
    out.resize(rim_, tile.nx, tile.ny);
    if (known) {
      for (std::uint32_t i = 0; i < tile.nx; ++i) {
        std::copy_n(slot.wide.begin() + std::size_t{i} * tile.ny, tile.ny, &out.at(i, 0));
      }
      mark_lines(lines_, tile, out);
    } else {
      if (rim_ > 0) fill_rim(tile, out);
      solver->solve(tile, out);
    }
    Nimber largest = 0;
    for (std::int64_t i = 0; i < tile.nx; ++i) {
      const Nimber* const values = &out.at(i, 0);
      largest = std::max(largest, *std::max_element(values, values + tile.ny));
    }
    const auto copy = [&](auto& to) {
      to.resize(std::size_t{tile.nx} * tile.ny);
      for (std::uint32_t i = 0; i < tile.nx; ++i) {
        const Nimber* const values = &out.at(i, 0);
        using T = typename std::remove_reference_t<decltype(to)>::value_type;
        std::transform(values, values + tile.ny, to.begin() + std::size_t{i} * tile.ny,
                       [](Nimber v) { return static_cast<T>(v); });
      }
    };
    slot.wide.clear();
    slot.narrow.clear();
    if (largest > largest_value(ValueWidth::kU16)) {
      copy(slot.wide);
    } else {
      copy(slot.narrow);
    }
    give_back(std::move(solver));
  }

  /// Brings the values that vectors reach from neighbouring tiles.
  void fill_rim(const TileArea& tile, TileValues& out) {
    const std::int64_t rim = rim_;
    for (std::int64_t i = -rim; i < tile.nx; ++i) {
      const std::int64_t end = i < 0 ? tile.ny : 0;
      for (std::int64_t j = -rim; j < end; ++j) {
        out.at(i, j) = earlier(tile.x0 + i, tile.y0 + j);
      }
    }
  }

  /// A value of one of the last two layers.
  [[nodiscard]] Nimber earlier(std::int64_t x, std::int64_t y) {
    if (x < 0 || y < 0) return TileValues::kOutside;
    if (sorted_ && x > y) std::swap(x, y);
    const std::int64_t row = x / edge_;
    const std::int64_t column = y / edge_;
    const auto layer = static_cast<std::uint64_t>(row + column);
    Slot& slot = at(layer)[static_cast<std::size_t>(row) - tiles_.first_row(layer)];
    return slot.tile.at(x - row * edge_, y - column * edge_);
  }

  void hand_over(std::uint64_t layer) {
    std::uint64_t row = tiles_.first_row(layer);
    for (const Slot& slot : at(layer)) {
      const TileArea area = tiles_.area(layer, row++);
      const Tile tile{.first_rank = {}, .origin = {area.x0, area.y0}, .extent = {area.nx, area.ny}};
      const Values values =
          slot.wide.empty() ? Values(std::span(slot.narrow)) : Values(std::span(slot.wide));
      flow_ = sink_.put({.begin = handed_, .values = values, .table = {}, .tile = &tile});
      if (flow_ == Flow::kStop) return;
      handed_ += values.size();
      done_ += area.sorted && area.x0 == area.y0 ? area.nx * (area.nx + 1ull) / 2 : values.size();
    }
    if (task_.progress == nullptr) return;
    const std::uint64_t n = task_.shape.extent[0];
    const std::uint64_t all = sorted_ ? n * (n + 1) / 2 : n * task_.shape.extent[1];
    task_.progress->report({done_, all, static_cast<double>(done_) / static_cast<double>(all)});
  }

  std::unique_ptr<TileSolver> borrow() {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) {
      return std::make_unique<TileSolver>(lines_, vectors_, task_.kernels.lines);
    }
    auto solver = std::move(idle_.back());
    idle_.pop_back();
    return solver;
  }
  void give_back(std::unique_ptr<TileSolver> solver) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(solver));
  }

  const LatticeTask& task_;
  ValueSink& sink_;
  const bool sorted_;
  const std::uint32_t edge_;
  const DiagonalTiles tiles_;
  const std::vector<TileSolver::Vector2> vectors_;
  std::uint32_t rim_ = 0;  ///< how far vectors reach
  LineSets lines_;
  std::array<std::vector<Slot>, kRing> ring_;
  std::size_t known_ = 0;  ///< the values of so many first tiles of the present layer are known
  bool fresh_ = false;     ///< no further tile is known
  Flow flow_ = Flow::kContinue;
  std::uint64_t done_ = 0;
  std::uint64_t handed_ = 0;  ///< values; tiles on the diagonal of a sorted table have both sides
  std::mutex mutex_;
  std::vector<std::unique_ptr<TileSolver>> idle_;
};

}  // namespace

std::string_view WavefrontEngine::summary() const noexcept {
  return "bit sets of the values on lines, tile by tile; two heaps";
}

std::string WavefrontEngine::refusal(const LatticeRule& rule, const LatticeShape& shape) const {
  const LatticeMoves& moves = rule.moves();
  if (rule.heaps() != 2) return "it computes two heaps only";
  if (!moves.bands.empty() || !moves.boxes.empty() || !moves.families.empty() || moves.pass) {
    return "it knows rays and vectors only";
  }
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
  if (!lines && vectors_of(rule).size() > TileSolver::kMaxVectors) {
    return "it has more than 63 vectors and no line";
  }
  return {};
}

std::uint64_t WavefrontEngine::memory_bytes(const LatticeRule& rule, const LatticeShape& shape,
                                            std::optional<std::uint32_t> tile) const {
  const std::uint64_t edge = tile_edge(rule, shape, tile);
  const std::uint64_t rows = std::min(shape.extent[0], shape.extent[1]) / edge + 1;
  const std::uint64_t tiles = shape.sorted ? rows / 2 + 1 : rows;  // of a layer
  const std::uint64_t side = std::min<std::uint64_t>(
      edge, std::max(shape.extent[0], shape.extent[1]));  // a tile ends with the plane
  std::uint64_t slot = side * side * (sizeof(Nimber) + sizeof(std::uint16_t));
  if (!vectors_of(rule).empty()) slot += 4 * side * side * sizeof(Nimber);  // and the rim
  return LineSets(rule, shape).bytes() + 3 * tiles * slot;
}

std::string WavefrontEngine::tile_order(const LatticeRule& rule, const LatticeShape& shape,
                                        std::optional<std::uint32_t> tile) const {
  return diagonal_order_name(tile_edge(rule, shape, tile));
}

RunStatus WavefrontEngine::run(const LatticeTask& task, ValueSink& sink) const {
  WavefrontRun run(task, sink);
  switch (run_layers(run, task.executor, task.stop)) {
    case LayerStatus::kEnded:
      return RunStatus::kStoppedBySink;
    case LayerStatus::kCancelled:
      return RunStatus::kCancelled;
    case LayerStatus::kComplete:
      break;
  }
  return RunStatus::kComplete;
}

}  // namespace grundy
