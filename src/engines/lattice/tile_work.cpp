// SPDX-License-Identifier: MIT
#include "engines/lattice/tile_work.hpp"

#include <algorithm>
#include <span>
#include <type_traits>
#include <utility>

#include "games/lattice/options.hpp"
#include "kernels/kernels.hpp"
#include "kernels/line_kernels.hpp"

namespace grundy {
namespace {

constexpr std::uint32_t kDefaultTile = 128;
constexpr std::uint32_t kLargestDefaultTile = 1024;

}  // namespace

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

std::uint64_t TileSlot::bytes(const LatticeRule& rule, const LatticeShape& shape,
                              std::uint32_t edge) {
  const std::uint64_t side = std::min<std::uint64_t>(
      edge, std::max(shape.extent[0], shape.extent[1]));  // a tile ends with the plane
  std::uint64_t bytes = side * side * (sizeof(Nimber) + sizeof(std::uint16_t));
  if (!vectors_of(rule).empty()) bytes += 4 * side * side * sizeof(Nimber);  // and the rim
  return bytes;
}

TileWork::TileWork(const LatticeTask& task, const LatticeShape& reached)
    : task_(task), vectors_(vectors_of(task.rule)), lines_(task.rule, reached) {
  for (const auto& [a, b] : vectors_) rim_ = std::max({rim_, a, b});
  lines_.allocate();
}

void TileWork::compute(const TileArea& tile, TileSlot& slot, const Earlier& earlier) {
  auto solver = borrow();
  TileValues& out = rim_ > 0 ? slot.tile : solver->scratch();
  out.resize(rim_, tile.nx, tile.ny);
  if (slot.is_known) {
    for (std::uint32_t i = 0; i < tile.nx; ++i) {
      std::copy_n(slot.wide.begin() + std::size_t{i} * tile.ny, tile.ny, &out.at(i, 0));
    }
    mark_lines(lines_, tile, out);
  } else {
    const std::int64_t rim = rim_;
    for (std::int64_t i = -rim; i < tile.nx; ++i) {
      const std::int64_t end = i < 0 ? tile.ny : 0;
      for (std::int64_t j = -rim; j < end; ++j) {
        out.at(i, j) = earlier(tile.x0 + i, tile.y0 + j);
      }
    }
    // Smaller positions have fewer options: if the first position of a tile has some, all have.
    const Nimber terminal = task_.rule.terminal_value();
    if (terminal != 0 && is_terminal(task_.rule, {tile.x0, tile.y0})) {
      solver->solve_terminals(tile, terminal, out);
    } else {
      solver->solve(tile, out);
    }
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

Flow TileWork::put(const TileArea& area, const TileSlot& slot, ValueSink& sink,
                   std::uint64_t& handed) {
  const Tile tile{.first_rank = {}, .origin = {area.x0, area.y0}, .extent = {area.nx, area.ny}};
  const Values values =
      slot.wide.empty() ? Values(std::span(slot.narrow)) : Values(std::span(slot.wide));
  const Flow flow = sink.put({.begin = handed, .values = values, .table = {}, .tile = &tile});
  if (flow == Flow::kContinue) handed += values.size();
  return flow;
}

std::unique_ptr<TileSolver> TileWork::borrow() {
  const std::lock_guard lock(mutex_);
  if (idle_.empty()) return std::make_unique<TileSolver>(lines_, vectors_, task_.kernels.lines);
  auto solver = std::move(idle_.back());
  idle_.pop_back();
  return solver;
}

void TileWork::give_back(std::unique_ptr<TileSolver> solver) {
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(solver));
}

}  // namespace grundy
