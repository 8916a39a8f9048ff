// SPDX-License-Identifier: MIT
#include "table/chunk_grid.hpp"

#include <algorithm>

namespace grundy {

ChunkGrid::ChunkGrid(std::span<const std::uint64_t> extent, std::span<const std::uint64_t> edge)
    : axes_(static_cast<unsigned>(extent.size())) {
  std::ranges::copy(extent, extent_.begin());
  std::ranges::copy(edge, edge_.begin());
  size_ = chunk_size_ = chunk_count_ = 1;
  for (unsigned axis = axes_; axis-- > 0;) {
    stride_[axis] = size_;
    chunk_stride_[axis] = chunk_size_;
    chunks_[axis] = extent_[axis] / edge_[axis] + (extent_[axis] % edge_[axis] != 0 ? 1 : 0);
    size_ *= extent_[axis];
    chunk_size_ *= edge_[axis];
    chunk_count_ *= chunks_[axis];
  }
  // A band is as thick as a chunk along the first axis on which chunks are thicker than 1.
  unsigned thick = 0;
  while (thick + 1 < axes_ && edge_[thick] == 1) ++thick;
  band_size_ = std::min(edge_[thick], extent_[thick]) * stride_[thick];
  for (unsigned axis = thick + 1; axis < axes_; ++axis) chunks_per_band_ *= chunks_[axis];
}

ChunkGrid::Axes ChunkGrid::origin_of(std::uint64_t chunk) const noexcept {
  Axes origin{};
  for (unsigned axis = axes_; axis-- > 0; chunk /= chunks_[axis]) {
    origin[axis] = chunk % chunks_[axis] * edge_[axis];
  }
  return origin;
}

std::uint64_t ChunkGrid::entries_in(std::uint64_t chunk) const noexcept {
  const Axes origin = origin_of(chunk);
  std::uint64_t entries = 1;
  for (unsigned axis = 0; axis < axes_; ++axis) {
    entries *= std::min(edge_[axis], extent_[axis] - origin[axis]);
  }
  return entries;
}

std::uint64_t ChunkGrid::entry_at(const Axes& at) const noexcept {
  std::uint64_t entry = 0;
  for (unsigned axis = 0; axis < axes_; ++axis) entry += at[axis] * stride_[axis];
  return entry;
}

ChunkGrid::Axes ChunkGrid::coordinates_of(std::uint64_t entry) const noexcept {
  Axes at{};
  for (unsigned axis = axes_; axis-- > 0; entry /= extent_[axis]) {
    at[axis] = entry % extent_[axis];
  }
  return at;
}

ChunkGrid::Run ChunkGrid::run_along(unsigned axis, const Axes& at) const noexcept {
  Run run;
  for (unsigned i = 0; i < axes_; ++i) {
    run.chunk = run.chunk * chunks_[i] + at[i] / edge_[i];
    run.offset += at[i] % edge_[i] * chunk_stride_[i];
  }
  run.stride = chunk_stride_[axis];
  run.length = std::min(edge_[axis] - at[axis] % edge_[axis], extent_[axis] - at[axis]);
  return run;
}

ChunkGrid::Run ChunkGrid::run_from(std::uint64_t entry) const noexcept {
  const Axes at = coordinates_of(entry);
  // Trailing axes that are not cut have the same order in a chunk as in the array.
  unsigned axis = axes_ - 1;
  std::uint64_t inner = 1;
  std::uint64_t behind = 0;  // entries of the inner axes before this entry
  while (axis > 0 && edge_[axis] == extent_[axis]) {
    behind += at[axis] * inner;
    inner *= extent_[axis--];
  }
  Run run = run_along(axis, at);
  run.stride = 1;
  run.length = run.length * inner - behind;
  return run;
}

ChunkGrid cubical_grid(std::span<const std::uint64_t> extent, unsigned whole) {
  constexpr std::uint64_t kChunk = 1u << 16;
  constexpr std::uint64_t kBand = 1u << 23;
  const auto cut = static_cast<unsigned>(extent.size()) - whole;
  std::array<std::uint64_t, ChunkGrid::kMaxAxes> edges{};
  const std::span<std::uint64_t> edge(edges.data(), extent.size());
  std::uint64_t size = 1;
  for (unsigned axis = 0; axis < extent.size(); ++axis) {
    edge[axis] = axis < cut ? 1 : extent[axis];
    size *= edge[axis];
  }
  const auto grow = [&](unsigned axis) {
    size /= edge[axis];
    edge[axis] = std::min(2 * edge[axis], extent[axis]);
    size *= edge[axis];
  };
  while (2 * size <= kChunk) {
    unsigned thinnest = cut;
    for (unsigned axis = cut; axis-- > 0;) {
      const bool open = edge[axis] < extent[axis];
      if (open && (thinnest == cut || edge[axis] < edge[thinnest])) thinnest = axis;
    }
    if (thinnest == cut) break;
    grow(thinnest);
  }
  for (unsigned axis = 0; axis + 1 < cut; ++axis) {
    while (edge[axis] > 1 && ChunkGrid(extent, edge).band_size() > kBand) {
      size /= edge[axis];
      edge[axis] = (edge[axis] + 1) / 2;
      size *= edge[axis];
      if (2 * size <= kChunk && edge[cut - 1] < extent[cut - 1]) grow(cut - 1);
    }
  }
  return {extent, edge};
}

std::vector<std::uint64_t> array_extent(const Layout& layout) {
  std::vector<std::uint64_t> extent;
  if (layout.sorted) {
    extent.push_back(layout.positions());
  } else {
    extent.assign(layout.extent.begin(), layout.extent.begin() + layout.heaps);
  }
  if (layout.planes > 1) extent.push_back(layout.planes);
  return extent;
}

std::uint64_t array_begin(const Layout& layout, const TablePart& part) noexcept {
  return layout.sorted ? part.begin(layout) / layout.planes : part.first_slab;
}

std::vector<std::uint64_t> array_extent(const Layout& layout, const TablePart& part) {
  std::vector<std::uint64_t> extent = array_extent(layout);
  extent[0] =
      layout.sorted ? part.entries(layout) / layout.planes : part.end_slab - part.first_slab;
  return extent;
}

ChunkGrid grid_of(const Layout& layout, const TablePart& part) {
  return cubical_grid(array_extent(layout, part), layout.planes > 1 ? 1 : 0);
}

ChunkGrid grid_of(const Layout& layout, std::uint64_t heap_chunk) {
  const std::vector<std::uint64_t> extent = array_extent(layout);
  if (!layout.is_lattice()) return {extent, std::array{heap_chunk}};
  return cubical_grid(extent, layout.planes > 1 ? 1 : 0);
}

}  // namespace grundy
