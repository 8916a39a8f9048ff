// The arithmetic of chunks: every entry has one place, and runs and bands are what they say.
// SPDX-License-Identifier: MIT
#include "table/chunk_grid.hpp"

#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace grundy::store_test {
namespace {

struct Shape {
  std::vector<std::uint64_t> extent, edge;
};

const std::vector<Shape> kShapes = {
    {{1}, {1}},
    {{17}, {4}},
    {{16}, {16}},
    {{5, 7}, {2, 3}},
    {{5, 7}, {5, 2}},
    {{5, 7}, {1, 7}},
    {{4, 5, 2}, {3, 2, 2}},
    {{3, 4, 5}, {1, 2, 5}},
    {{3, 3, 3, 3}, {2, 1, 3, 2}},
    {{2, 3, 2, 2, 3, 2, 2}, {1, 2, 2, 1, 2, 2, 2}},
};

TEST(ChunkGrid, EveryEntryHasOnePlaceAndRunsAreTrue) {
  for (const Shape& shape : kShapes) {
    const ChunkGrid grid(shape.extent, shape.edge);
    std::set<std::pair<std::uint64_t, std::uint64_t>> places;
    for (std::uint64_t entry = 0; entry < grid.size(); ++entry) {
      const auto at = grid.coordinates_of(entry);
      ASSERT_EQ(grid.entry_at(at), entry);
      const ChunkGrid::Run run = grid.run_from(entry);
      ASSERT_TRUE(places.emplace(run.chunk, run.offset).second);
      ASSERT_GE(run.length, 1U);
      ASSERT_LE(entry + run.length, grid.size());
      const ChunkGrid::Run last = grid.run_from(entry + run.length - 1);
      EXPECT_EQ(last.chunk, run.chunk);
      EXPECT_EQ(last.offset, run.offset + run.length - 1);
      for (unsigned axis = 0; axis < shape.extent.size(); ++axis) {
        const ChunkGrid::Run along = grid.run_along(axis, at);
        auto end = at;
        end[axis] += along.length - 1;
        const ChunkGrid::Run there = grid.run_along(axis, end);
        EXPECT_EQ(there.chunk, run.chunk);
        EXPECT_EQ(there.offset, run.offset + (along.length - 1) * along.stride);
      }
    }
    std::uint64_t entries = 0;
    for (std::uint64_t chunk = 0; chunk < grid.chunk_count(); ++chunk) {
      entries += grid.entries_in(chunk);
    }
    EXPECT_EQ(entries, grid.size());
  }
}

TEST(ChunkGrid, BandsAreConsecutiveEntries) {
  for (const Shape& shape : kShapes) {
    const ChunkGrid grid(shape.extent, shape.edge);
    ASSERT_EQ(grid.chunk_count() % grid.chunks_per_band(), 0U);
    std::uint64_t end = 0;
    for (std::uint64_t chunk = 0; chunk < grid.chunk_count();) {
      std::set<std::uint64_t> entries;
      for (std::uint64_t i = 0; i < grid.chunks_per_band(); ++i, ++chunk) {
        std::uint64_t inside = 0;
        grid.for_each_row(chunk, [&](std::uint64_t entry, const ChunkGrid::Run& run) {
          EXPECT_EQ(run.chunk, chunk);
          for (std::uint64_t k = 0; k < run.length; ++k) entries.insert(entry + k);
          inside += run.length;
        });
        EXPECT_EQ(inside, grid.entries_in(chunk));
      }
      ASSERT_EQ(*entries.begin(), end);
      ASSERT_EQ(*entries.rbegin() - end + 1, entries.size());
      EXPECT_LE(entries.size(), grid.band_size());
      end += entries.size();
    }
    EXPECT_EQ(end, grid.size());
  }
}

TEST(ChunkGrid, ChunksOfLatticeTablesAreModerate) {
  using Extent = std::vector<std::uint64_t>;
  const auto edges = [](const ChunkGrid& grid) {
    return Extent(grid.edge().begin(), grid.edge().end());
  };
  EXPECT_EQ(edges(cubical_grid(Extent{16384, 16384}, 0)), (Extent{256, 256}));
  EXPECT_EQ(edges(cubical_grid(Extent{100, 100}, 0)), (Extent{100, 100}));
  EXPECT_EQ(edges(cubical_grid(Extent{3, 1u << 20}, 0)), (Extent{3, 16384}));
  EXPECT_EQ(edges(cubical_grid(Extent{1u << 20}, 0)), (Extent{65536}));
  EXPECT_EQ(edges(cubical_grid(Extent{512, 512, 2}, 1)), (Extent{128, 256, 2}));
  for (const Extent& extent : {Extent{1u << 20, 1u << 20}, Extent{2048, 2048, 2048},
                               Extent{64, 64, 64, 64, 64, 64}, Extent{1u << 30, 7}}) {
    const ChunkGrid grid = cubical_grid(extent, 0);
    EXPECT_LE(grid.chunk_size(), 1u << 16);
    EXPECT_GE(grid.chunk_size(), 1u << 14);
    EXPECT_LE(grid.band_size(), 1u << 23);
  }
}

}  // namespace
}  // namespace grundy::store_test
