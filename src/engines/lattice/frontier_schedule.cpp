// SPDX-License-Identifier: MIT
#include "engines/lattice/frontier_schedule.hpp"

#include <algorithm>

#include <grundy/lattice/rank.hpp>

namespace grundy {

FrontierCut FrontierCut::make(const LatticeShape& shape, bool thin,
                              std::optional<std::uint32_t> tile, std::size_t threads) {
  constexpr std::uint32_t kLong = 64;
  constexpr std::uint32_t kShort = 8;
  constexpr std::uint64_t kGroupValues = std::uint64_t{1} << 24;
  const unsigned heaps = shape.heaps;
  const std::uint32_t last = std::max(tile.value_or(kLong), kShort);
  FrontierCut cut{};
  // With two heaps a group has one tile in each layer, so more groups are needed to keep all
  // threads at work.
  cut.active = heaps == 2 ? static_cast<std::uint32_t>(std::min<std::size_t>(threads, 256)) + 1 : 2;
  for (unsigned i = 1; i < heaps; ++i) cut.edge[i] = i + 1 == heaps ? last : kShort;
  std::uint64_t slab = shape.sorted ? sorted_count(heaps - 1, shape.extent[0]) : 1;
  for (unsigned i = 1; i < heaps && !shape.sorted; ++i) slab *= shape.extent[i];
  const std::uint64_t most = thin ? 1 : heaps == 2 ? last : kShort;
  cut.thickness =
      static_cast<std::uint32_t>(std::clamp<std::uint64_t>(kGroupValues / slab, 1, most));
  return cut;
}

FrontierSchedule::FrontierSchedule(const SetPlan& plan, const FrontierCut& cut)
    : plan_(plan), cut_(cut) {
  const std::uint32_t groups = (plan.extent[0] - 1) / cut.thickness + 1;
  std::uint64_t next = 0;
  for (std::uint32_t g = 0; g < groups; ++g) {
    std::uint64_t length = 1;
    for (unsigned i = 1; i < plan.heaps; ++i) {
      length += (plan.sorted ? largest(g) : plan.extent[i] - 1) / cut.edge[i];
    }
    start_.push_back(next);
    length_.push_back(length);
    // Two slabs share the memory of their box sets, so the group after the next one must not start.
    next += std::max<std::uint64_t>(plan.heaps, (length + cut.active - 1) / cut.active);
  }
}

void FrontierSchedule::tiles(std::uint64_t group, std::uint64_t sum,
                             std::vector<TileNumber>& out) const {
  // Entry 0 stands for the last slab of the group, which bounds the tiles.
  TileNumber tile{};
  tile[0] = largest(group);
  extend(sum, 1, tile, out);
}

void FrontierSchedule::extend(std::uint64_t sum, unsigned heap, TileNumber& tile,
                              std::vector<TileNumber>& out) const {
  const std::uint32_t end = tile_end(heap, tile);
  if (heap + 1 == plan_.heaps || heap + 1 == kMaxLatticeHeaps) {
    if (sum >= end) return;
    tile[heap] = static_cast<std::uint32_t>(sum);
    out.push_back(tile);
    return;
  }
  for (tile[heap] = 0; tile[heap] < end && tile[heap] <= sum; ++tile[heap]) {
    extend(sum - tile[heap], heap + 1, tile, out);
  }
}

std::uint32_t FrontierSchedule::tile_end(unsigned heap, const TileNumber& tile) const noexcept {
  std::uint32_t most = plan_.extent[heap] - 1;
  if (plan_.sorted) {
    const std::uint32_t before =
        heap == 1 ? tile[0] : (tile[heap - 1] + 1) * cut_.edge[heap - 1] - 1;
    most = std::min(most, before);
  }
  return most / cut_.edge[heap] + 1;
}

std::uint32_t FrontierSchedule::largest(std::uint64_t group) const noexcept {
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>((group + 1) * cut_.thickness, plan_.extent[0]) - 1);
}

}  // namespace grundy
