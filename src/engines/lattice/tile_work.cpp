// SPDX-License-Identifier: MIT
#include "engines/lattice/tile_work.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include <grundy/lattice/options.hpp>

#include "kernels/kernels.hpp"
#include "kernels/line_kernels.hpp"

namespace grundy {
namespace {

constexpr std::uint32_t kDefaultTile = 128;
constexpr std::uint32_t kLargestDefaultTile = 512;

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

std::uint32_t rim_of(const LatticeRule& rule) {
  std::uint32_t rim = std::max(1u, band_width(rule)) - 1;
  for (const auto& [a, b] : vectors_of(rule)) rim = std::max({rim, a, b});
  return rim;
}

std::uint32_t tile_edge(const LatticeRule& rule, const LatticeShape& shape,
                        std::optional<std::uint32_t> wanted) {
  std::uint32_t edge = std::max(DiagonalTiles::kLeastEdge, wanted.value_or(kDefaultTile));
  if (!wanted) {
    // A small table is cut into enough tiles for all threads. A large table has long sets, so its
    // tiles are larger, as long as a packed tile stays near the cache.
    const std::uint32_t least = std::min(shape.extent[0], shape.extent[1]);
    while (edge > 16 && least / edge < 16) edge /= 2;
    while (edge < kLargestDefaultTile && least / edge > 64) edge *= 2;
  }
  // No move leads past a neighbouring tile. So look-ups find their values in neighbouring tiles,
  // and a line that leaves a belt in one tile is not at work in another one.
  edge = std::max(edge, rim_of(rule));
  for (const LatticeRay& ray : rule.moves().rays) {
    if (ray.multiples.empty()) edge = std::max({edge, ray.step[0], ray.step[1]});
  }
  return edge;
}

std::uint64_t TileSlot::bytes(const LatticeRule& rule, const LatticeShape& shape,
                              std::uint32_t edge, Nimber largest) {
  const std::uint64_t side = std::min<std::uint64_t>(
      edge, std::max(shape.extent[0], shape.extent[1]));  // a tile ends with the plane
  std::uint64_t bytes = side * side * byte_count(std::max(ValueWidth::kU16, width_for(largest)));
  if (const std::uint32_t rim = rim_of(rule); rim > 0) {
    const auto width = static_cast<std::uint32_t>(side) + rim;
    bytes += std::uint64_t{width} * TileValues::pitch_of(width) * sizeof(Nimber);
  }
  return bytes * rule.planes();
}

TileWork::TileWork(const LatticeTask& task, const LatticeShape& reached)
    : task_(task),
      vectors_(vectors_of(task.rule)),
      rim_(rim_of(task.rule)),
      lines_(task.rule, reached) {
  lines_.allocate();
}

void TileWork::solve(TileSolver& solver, const TileArea& tile, TileValues& out,
                     TileValues* passed) {
  // Smaller positions have fewer options, so if the first position of a tile has some, all
  // positions have.
  const Nimber terminal = task_.rule.terminal_value();
  const bool shows_none = terminal != 0 || passed != nullptr;
  if (shows_none && is_terminal(task_.rule, {tile.x0, tile.y0})) {
    solver.solve_terminals(tile, terminal, out, passed);
  } else {
    solver.solve(tile, out, passed);
  }
}

void TileWork::compute(const TileArea& tile, TileSlot& slot, const Earlier& earlier) {
  std::array<std::unique_ptr<TileSolver>, 2> solvers;
  std::array<TileValues*, 2> out{};
  for (unsigned plane = 0; plane < planes(); ++plane) {
    solvers[plane] = borrow(plane);
    TileValues& values = rim_ > 0 ? slot.tiles[plane] : solvers[plane]->scratch();
    values.resize(rim_, tile.nx, tile.ny);
    // Of a tile whose values are known, only a band asks for the rim.
    const std::int64_t rim = slot.is_known && band_width(task_.rule) == 0 ? 0 : rim_;
    for (std::int64_t i = -rim; i < tile.nx; ++i) {
      const std::int64_t end = i < 0 ? tile.ny : 0;
      for (std::int64_t j = -rim; j < end; ++j) {
        values.at(i, j) = earlier(plane, tile.x0 + i, tile.y0 + j);
      }
    }
    out[plane] = &values;
    TileValues* const passed = plane == 0 ? nullptr : out[0];
    if (slot.is_known) {
      auto next = slot.wide.begin() + plane;
      for (std::uint32_t i = 0; i < tile.nx; ++i) {
        for (std::uint32_t j = 0; j < tile.ny; ++j, next += planes()) values.at(i, j) = *next;
      }
      solvers[plane]->mark(tile, values, passed);
    } else {
      solve(*solvers[plane], tile, values, passed);
    }
  }
  const std::span written(out.data(), planes());
  if (copy_narrow(tile, written, slot.narrow)) {
    slot.wide = {};
  } else {
    slot.narrow = {};
    copy_wide(tile, written, slot.wide);
  }
  for (unsigned plane = 0; plane < planes(); ++plane) give_back(std::move(solvers[plane]));
}

bool TileWork::copy_narrow(const TileArea& tile, std::span<TileValues* const> planes,
                           std::vector<std::uint16_t>& to) const {
  to.resize(tile.size() * planes.size());
  std::vector<std::uint16_t> row(planes.size() > 1 ? tile.ny : 0);
  for (std::size_t plane = 0; plane < planes.size(); ++plane) {
    for (std::uint32_t i = 0; i < tile.nx; ++i) {
      std::uint16_t* next = to.data() + std::size_t{i} * tile.ny * planes.size() + plane;
      std::uint16_t* const copy = row.empty() ? next : row.data();
      const Nimber largest = task_.kernels.narrow(&planes[plane]->at(i, 0), tile.ny, copy);
      if (largest > largest_value(ValueWidth::kU16)) return false;
      for (const std::uint16_t value : row) {
        *next = value;
        next += planes.size();
      }
    }
  }
  return true;
}

void TileWork::copy_wide(const TileArea& tile, std::span<TileValues* const> planes,
                         std::vector<Nimber>& to) {
  to.resize(tile.size() * planes.size());
  auto next = to.begin();
  for (std::uint32_t i = 0; i < tile.nx; ++i) {
    if (planes.size() == 1) {
      next = std::copy_n(&planes[0]->at(i, 0), tile.ny, next);
      continue;
    }
    for (std::uint32_t j = 0; j < tile.ny; ++j) {
      for (TileValues* const plane : planes) *next++ = plane->at(i, j);
    }
  }
}

std::unique_ptr<TileSolver> TileWork::borrow(unsigned plane) {
  const std::lock_guard lock(mutex_);
  auto& idle = idle_[plane];
  if (idle.empty()) {
    return std::make_unique<TileSolver>(lines_, plane, vectors_, band_width(task_.rule),
                                        task_.kernels.lines);
  }
  auto solver = std::move(idle.back());
  idle.pop_back();
  return solver;
}

void TileWork::give_back(std::unique_ptr<TileSolver> solver) {
  const std::lock_guard lock(mutex_);
  idle_[solver->plane()].push_back(std::move(solver));
}

}  // namespace grundy
