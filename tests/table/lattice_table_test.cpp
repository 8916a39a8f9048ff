// Tables of several heaps: for all tiles in any order, the file holds every value at its place; and
// a writer that fails leaves nothing.
// SPDX-License-Identifier: MIT
#include <map>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/collect_sink.hpp"
#include "table/lattice_array.hpp"
#include "table/lattice_samples.hpp"

namespace grundy::store_test {
namespace {

using testing_support::CollectSink;

struct Case {
  std::vector<std::uint32_t> extent;
  bool stored_sorted, tiles_sorted;
  unsigned planes = 1;
};

class LatticeTable : public testing::TestWithParam<Case> {};

TEST_P(LatticeTable, HoldsEveryValueWhateverTheTiles) {
  const auto& [extent, stored_sorted, tiles_sorted, planes] = GetParam();
  const TemporaryDirectory dir;
  const Layout layout = layout_of(extent, stored_sorted, planes);
  std::uint32_t edge = 1;
  for (const Nimber limit : {Nimber{200}, Nimber{60000}, Nimber{100000}}) {
    edge = 4 * edge + 3;  // 7, 31, 127
    const TileSource source{layout, tiles_sorted, limit};
    const std::vector<Nimber> expected = source.expected();
    const fs::path path = dir / (std::to_string(edge) + ".h5");
    const auto executor = make_executor(1 + edge % 3);
    const auto writer =
        TableWriter::create(path, layout, *executor, {.sorted_tiles = tiles_sorted});
    Summed summed(layout, tiles_sorted, *writer);
    const ValueWidth width =
        edge == 31 ? ValueWidth::kU32 : ValueWidth::kU16;  // too wide, too narrow
    LatticeArray array(layout, tiles_sorted, width);
    for (ValueSink* sink : {static_cast<ValueSink*>(&summed), static_cast<ValueSink*>(&array)}) {
      if (tiles_sorted && edge != 31) {
        source.put_ranks(*sink, edge * edge, edge);
      } else {
        source.put_boxes(*sink, edge, edge);
      }
    }
    CollectSink census;
    EXPECT_EQ(summed.read_back(census), Flow::kContinue);
    ASSERT_EQ(census.values(), expected);
    const TableInfo info = lattice_info(layout, expected);
    writer->finish(info, {});

    const auto reader = TableReader::open(path);
    EXPECT_EQ(reader->info(), info);
    ASSERT_EQ(read_values(*reader), expected);
    for (std::uint64_t entry = 0; entry < layout.entries(); entry += 7) {
      const LatticePoint p = layout.position_at(entry);
      const auto plane = static_cast<unsigned>(entry % planes);
      ASSERT_EQ(reader->value(p, plane), expected[entry]);
      ASSERT_EQ(array.at(p, plane), expected[entry]);
      if (!stored_sorted) continue;
      LatticePoint other = p;
      std::reverse(other.begin(), other.begin() + layout.heaps);
      ASSERT_EQ(reader->value(other, plane), expected[entry]);
    }
    // The slice from the middle of each heap, one position less in the last.
    LatticePoint first{}, end{};
    Layout box{.heaps = layout.heaps};
    for (unsigned i = 0; i < layout.heaps; ++i) {
      first[i] = extent[i] / 2;
      end[i] = std::max(first[i] + 1, extent[i] - (i + 1 == layout.heaps ? 1 : 0));
      box.extent[i] = end[i] - first[i];
    }
    const std::vector<Nimber> slice = reader->slice(first, end, planes - 1);
    ASSERT_EQ(slice.size(), box.positions());
    for (std::uint64_t i = 0; i < slice.size(); ++i) {
      LatticePoint p = box.position_at(i);
      for (unsigned j = 0; j < layout.heaps; ++j) p[j] += first[j];
      ASSERT_EQ(slice[i], reader->value(p, planes - 1)) << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, LatticeTable,
    testing::Values(Case{{1, 1}, false, false}, Case{{40, 70}, false, false},
                    Case{{300, 300}, false, true}, Case{{300, 300}, true, true},
                    Case{{50, 50}, true, true, 2}, Case{{20, 40, 30}, false, false, 2},
                    Case{{24, 24, 24}, false, true}, Case{{24, 24, 24}, true, true},
                    Case{{9, 9, 9, 9}, false, true, 2}, Case{{5, 4, 3, 2, 3, 4}, false, false},
                    Case{{5, 5, 5, 5, 5}, true, true}));

TEST(LatticeTableFile, EqualRunsGiveEqualBytes) {
  const TemporaryDirectory dir;
  const Layout layout = layout_of({300, 300}, false);
  for (const std::size_t threads : {1, 2, 3}) {
    const auto executor = make_executor(threads);
    const auto writer = TableWriter::create(dir / std::to_string(threads), layout, *executor,
                                            {.sorted_tiles = true, .reproducible = true});
    Summed summed(layout, true, *writer);
    TileSource{layout, true, 100000}.put_ranks(summed, 1000, 1);
    CollectSink census;
    summed.read_back(census);
    writer->finish(lattice_info(layout, census.values()), {});
  }
  EXPECT_TRUE(bytes_of(dir / "1") == bytes_of(dir / "2"));
  EXPECT_TRUE(bytes_of(dir / "1") == bytes_of(dir / "3"));
}

TEST(LatticeTableFile, WhatIsNoEntryIsTheSameAtEveryWidth) {
  const TemporaryDirectory dir;
  const Layout layout = layout_of({300, 300}, false);
  const auto executor = make_executor(2);
  // The row of wide values comes after two of the four chunks, which reach beyond the table, or
  // first.
  for (const bool wide_first : {false, true}) {
    const auto writer = TableWriter::create(dir / (wide_first ? "first" : "last"), layout,
                                            *executor, {.reproducible = true});
    Summed summed(layout, false, *writer);
    std::vector<std::uint32_t> rows(300);
    std::iota(rows.begin(), rows.end(), 0);
    if (wide_first) std::ranges::rotate(rows, rows.end() - 1);
    for (const std::uint32_t row : rows) {
      const std::vector<std::uint16_t> values(300, row == 299 ? 1000 : 7);
      Tile tile;
      tile.origin = {row, 0};
      tile.extent = {1, 300};
      summed.put({.values = std::span(values), .table = {}, .tile = &tile});
    }
    CollectSink census;
    summed.read_back(census);
    writer->finish(lattice_info(layout, census.values()), {});
  }
  EXPECT_TRUE(bytes_of(dir / "first") == bytes_of(dir / "last"));
}

TEST(LatticeTableFile, RefusesWhatIsNotThere) {
  const TemporaryDirectory dir;
  const Layout layout = layout_of({10, 20}, false);
  const auto executor = make_executor(2);
  const TileSource source{layout, false, 200};
  const auto writer = TableWriter::create(dir / "t.h5", layout, *executor, {});
  Summed summed(layout, false, *writer);
  source.put_boxes(summed, 8, 1);
  CollectSink census;
  summed.read_back(census);
  writer->finish(lattice_info(layout, census.values()), {});
  const auto reader = TableReader::open(dir / "t.h5");
  EXPECT_THROW(static_cast<void>(reader->value(LatticePoint{10, 0})), Error);
  EXPECT_THROW(static_cast<void>(reader->value(LatticePoint{0, 20})), Error);
  EXPECT_THROW(static_cast<void>(reader->value(LatticePoint{0, 0}, 1)), Error);
  EXPECT_EQ(reader->value(LatticePoint{9, 19}), source.at({9, 19}, 0));
  EXPECT_THROW(static_cast<void>(reader->slice({3, 3}, {4, 3})), Error);
  EXPECT_THROW(static_cast<void>(reader->slice({3, 3}, {11, 4})), Error);
  EXPECT_THROW(static_cast<void>(reader->slice({3, 3}, {4, 4}, 1)), Error);
  write_table(dir / "heaps.h5", {0, 1, 2});
  EXPECT_THROW(static_cast<void>(TableReader::open(dir / "heaps.h5")->value(LatticePoint{1, 1})),
               Error);
}

TEST(LatticeTableFile, IncompleteTablesAreNotWritten) {
  const TemporaryDirectory dir;
  const Layout layout = layout_of({300, 300}, false);
  const auto executor = make_executor(2);
  {
    const auto writer = TableWriter::create(dir / "t.h5", layout, *executor, {});
    Summed summed(layout, false, *writer);
    Tile tile;
    tile.extent = {300, 299};
    const std::vector<std::uint16_t> values(300 * 299);
    const Stretch part{.values = std::span(values), .table = {}, .tile = &tile};
    summed.put(part);
    CollectSink census;
    EXPECT_THROW(summed.read_back(census), Error);
    EXPECT_EQ(dir.entries(), 0U);
    EXPECT_THROW(summed.put(part), Error) << "a writer that failed stays dead";
  }
  {
    const auto writer = TableWriter::create(dir / "u.h5", layout, *executor, {});
    EXPECT_EQ(dir.entries(), 1U);
  }
  EXPECT_EQ(dir.entries(), 0U) << "a writer that was given up leaves nothing";
}

TEST(LatticeTableFile, WrongStatisticsAreRefused) {
  const TemporaryDirectory dir;
  const Layout layout = layout_of({30, 30}, true);
  const auto executor = make_executor(2);
  const TileSource source{layout, true, 200};
  const auto writer = TableWriter::create(dir / "t.h5", layout, *executor, {.sorted_tiles = true});
  Summed summed(layout, true, *writer);
  source.put_ranks(summed, 50, 1);
  CollectSink census;
  summed.read_back(census);
  TableInfo info = lattice_info(layout, census.values());
  info.layout.extent[1] = 31;
  EXPECT_THROW(writer->finish(info, {}), Error);
  EXPECT_EQ(dir.entries(), 0U);
}

TEST(LatticeTableFile, EveryDamagedByteIsFoundOrHarmless) {
  const TemporaryDirectory dir;
  const Layout layout = layout_of({20, 20, 20}, false);
  const auto executor = make_executor(2);
  const TileSource source{layout, true, 60000};
  const auto writer = TableWriter::create(dir / "t.h5", layout, *executor,
                                          {.sorted_tiles = true, .reproducible = true});
  Summed summed(layout, true, *writer);
  source.put_ranks(summed, 100, 1);
  CollectSink census;
  summed.read_back(census);
  writer->finish(lattice_info(layout, census.values()), {});
  const std::string good = bytes_of(dir / "t.h5");
  std::mt19937 random(3);
  for (int i = 0; i < 300; ++i) {
    std::string bad = good;
    bad[random() % bad.size()] ^= static_cast<char>(1u << random() % 8);
    write_bytes(dir / "bad.h5", bad);
    try {
      EXPECT_EQ(read_values(*TableReader::open(dir / "bad.h5")), census.values());
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kCorrupt) << error.what();
    }
  }
}

}  // namespace
}  // namespace grundy::store_test
