/// @file
/// Tables in parts for the tests of the store, and the same table in one file.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "support/collect_sink.hpp"
#include "table/lattice_samples.hpp"
#include "table/table_of_parts.hpp"

namespace grundy::store_test {

inline std::vector<std::uint64_t> zeros_of(const std::vector<Nimber>& values) {
  std::vector<std::uint64_t> zeros;
  for (std::uint64_t entry = 0; entry < values.size(); ++entry) {
    if (values[entry] == 0) zeros.push_back(entry);
  }
  return zeros;
}

/// About equal parts of the slabs of a table.
inline std::vector<TablePart> cut(const Layout& layout, std::uint64_t parts) {
  std::vector<TablePart> cuts;
  for (std::uint64_t i = 0; i < parts; ++i) {
    cuts.push_back({.number = i,
                    .parts = parts,
                    .first_slab = layout.extent[0] * i / parts,
                    .end_slab = layout.extent[0] * (i + 1) / parts});
  }
  return cuts;
}

/// A table whose parts have values of different widths.
struct PartedSource {
  Layout layout;
  std::vector<TablePart> cuts;
  Nimber shift = 0;  ///< a different number makes a different table

  [[nodiscard]] TileSource source(const TablePart& part) const {
    constexpr std::array<Nimber, 3> kLimits = {200, 60000, 100000};
    return {layout, layout.sorted, kLimits[part.number % kLimits.size()] - shift};
  }
  /// All entries of a part in their order.
  [[nodiscard]] std::vector<Nimber> values(const TablePart& part) const {
    const TileSource tiles = source(part);
    std::vector<Nimber> values;
    LatticePoint p = layout.position_at(part.begin(layout));
    while (values.size() < part.entries(layout)) {
      for (unsigned plane = 0; plane < layout.planes; ++plane) values.push_back(tiles.at(p, plane));
      layout.step(p);
    }
    return values;
  }
  [[nodiscard]] std::vector<Nimber> values() const {
    std::vector<Nimber> all;
    for (const TablePart& part : cuts) {
      const std::vector<Nimber> some = values(part);
      all.insert(all.end(), some.begin(), some.end());
    }
    return all;
  }

  /// Writes a part from tiles in some order, as a session does.
  void write(const fs::path& table, const TablePart& part, std::size_t threads = 2) const {
    const auto executor = make_executor(threads);
    const auto writer = create_part_writer(table, layout, part, *executor,
                                           {.sorted_tiles = layout.sorted, .reproducible = true});
    Summed summed(layout, layout.sorted, *writer);
    const Slabs slabs{part.first_slab, part.end_slab};
    const auto seed = static_cast<unsigned>(part.number + part.parts);
    if (layout.sorted && part.number % 2 == 0) {
      source(part).put_ranks(summed, 1000, seed, slabs);
    } else {
      source(part).put_boxes(summed, 31, seed, slabs);
    }
    testing_support::CollectSink census;
    ASSERT_EQ(summed.read_back(census), Flow::kContinue);
    const std::vector<Nimber> expected = values(part);
    ASSERT_TRUE(census.values() == expected);
    writer->finish(lattice_info(layout, expected), zeros_of(expected));
  }
  /// Writes all parts, the last one first, and the master. Returns what this says.
  TableInfo write(const fs::path& table) const {
    for (std::size_t i = cuts.size(); i-- > 0;) write(table, cuts[i]);
    return make_table_of_parts(table, lattice_info(layout, {}), {.reproducible = true});
  }
};

/// The same table in one file.
inline TableInfo write_whole(const fs::path& path, const Layout& layout,
                             const std::vector<Nimber>& values) {
  const auto executor = make_executor(2);
  const auto writer = TableWriter::create(path, layout, *executor, {.reproducible = true});
  put_all(*writer, values, 7777 * layout.planes);
  const TableInfo info = lattice_info(layout, values);
  writer->finish(info, zeros_of(values));
  return info;
}

}  // namespace grundy::store_test
