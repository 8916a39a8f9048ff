/// @file
/// Lattice tables for the tests of the store: values of every position, handed over as tiles in any
/// order.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "table/table_samples.hpp"
#include "table/table_writer.hpp"
#include "table/written_check.hpp"

namespace grundy::store_test {

/// A value for every position, the same for all orders of its heaps if `symmetric`.
inline Nimber value_of(LatticePoint p, unsigned heaps, unsigned plane, bool symmetric,
                       Nimber limit) {
  if (symmetric) detail::sort_heaps(heaps, p);
  std::uint64_t hash = plane + 1;
  for (unsigned i = 0; i < heaps; ++i) hash = (hash ^ p[i]) * 0x9e3779b97f4a7c15ULL;
  // Small at first, so that wider values come when chunks are on disk already.
  const std::uint64_t total = p[0] + p[1] + (heaps > 2 ? p[2] : 0);
  return static_cast<Nimber>((hash >> 33) % std::min<std::uint64_t>(limit, 2 + total * total * 40));
}

/// The slabs first .. end - 1 of a table.
struct Slabs {
  std::uint64_t first = 0;
  std::uint64_t end = 0;
};

struct TileSource {
  Layout layout;
  bool sorted;  ///< of the tiles
  Nimber limit;

  [[nodiscard]] Nimber at(const LatticePoint& p, unsigned plane) const {
    return value_of(p, layout.heaps, plane, sorted, limit);
  }

  void put(ValueSink& sink, const Tile& tile, const std::vector<Nimber>& values) const {
    const Nimber top = *std::ranges::max_element(values);
    const std::vector<std::uint16_t> narrow(values.begin(), values.end());
    const Values given =
        width_for(top) == ValueWidth::kU32 ? Values(std::span(values)) : Values(std::span(narrow));
    sink.put({.begin = 0, .values = given, .table = {}, .tile = &tile});
  }

  /// Boxes with edges up to `edge`, shuffled; of a part those of its slabs only.
  void put_boxes(ValueSink& sink, std::uint32_t edge, unsigned seed, const Slabs& slabs) const {
    const unsigned heaps = layout.heaps;
    std::vector<Tile> tiles(1);
    for (unsigned i = 0; i < heaps; ++i) {
      const bool slowest = i == (sorted ? heaps - 1 : 0);
      const auto first = slowest ? static_cast<std::uint32_t>(slabs.first) : 0;
      const auto end = static_cast<std::uint32_t>(slowest ? slabs.end : layout.extent[i]);
      std::vector<Tile> next;
      for (const Tile& tile : tiles) {
        for (std::uint32_t from = first; from < end; from += edge) {
          next.push_back(tile);
          next.back().origin[i] = from;
          next.back().extent[i] = std::min(edge, end - from);
        }
      }
      tiles = next;
    }
    std::shuffle(tiles.begin(), tiles.end(), std::mt19937(seed));
    for (const Tile& tile : tiles) {
      LatticePoint most = tile.origin;
      for (unsigned i = 0; i < heaps; ++i) most[i] += tile.extent[i] - 1;
      // Of a sorted table only boxes with a sorted position come.
      bool any = true;
      for (unsigned i = 0; sorted && i + 1 < heaps; ++i) any &= tile.origin[i] <= most[i + 1];
      if (!any) continue;
      std::vector<Nimber> values;
      LatticeShape box{heaps, tile.extent, false};
      const Layout inside = Layout::of(box, layout.planes);
      for (std::uint64_t entry = 0; entry < inside.entries(); ++entry) {
        LatticePoint p = inside.position_at(entry);
        for (unsigned i = 0; i < heaps; ++i) p[i] += tile.origin[i];
        values.push_back(at(p, static_cast<unsigned>(entry % layout.planes)));
      }
      put(sink, tile, values);
    }
  }
  void put_boxes(ValueSink& sink, std::uint32_t edge, unsigned seed) const {
    put_boxes(sink, edge, seed, {0, layout.extent[0]});
  }

  /// Runs of ranks of about `length`, shuffled; of a part those of its slabs only.
  void put_ranks(ValueSink& sink, std::uint64_t length, unsigned seed, const Slabs& slabs) const {
    const std::uint64_t first = sorted_count(layout.heaps, slabs.first);
    const std::uint64_t end = sorted_count(layout.heaps, slabs.end);
    std::vector<std::uint64_t> begins;
    for (std::uint64_t rank = first; rank < end; rank += length) begins.push_back(rank);
    std::shuffle(begins.begin(), begins.end(), std::mt19937(seed));
    for (const std::uint64_t begin : begins) {
      std::vector<Nimber> values;
      for (std::uint64_t r = begin; r < std::min(begin + length, end); ++r) {
        for (unsigned plane = 0; plane < layout.planes; ++plane) {
          values.push_back(at(position_of(layout.heaps, r), plane));
        }
      }
      Tile tile;
      tile.first_rank = begin;
      put(sink, tile, values);
    }
  }
  void put_ranks(ValueSink& sink, std::uint64_t length, unsigned seed) const {
    put_ranks(sink, length, seed, {0, layout.extent[0]});
  }

  /// All entries in their order, by the definition.
  [[nodiscard]] std::vector<Nimber> expected() const {
    std::vector<Nimber> values;
    for (std::uint64_t entry = 0; entry < layout.entries(); ++entry) {
      values.push_back(at(layout.position_at(entry), static_cast<unsigned>(entry % layout.planes)));
    }
    return values;
  }
};

inline TableInfo lattice_info(const Layout& layout, const std::vector<Nimber>& values) {
  TableInfo info = info_of(values);
  info.layout = layout;
  info.reference = "a reference";
  return info;
}

inline Layout layout_of(std::vector<std::uint32_t> extent, bool sorted, unsigned planes = 1) {
  Layout layout;
  layout.heaps = static_cast<unsigned>(extent.size());
  std::ranges::copy(extent, layout.extent.begin());
  layout.sorted = sorted;
  layout.planes = planes;
  return layout;
}

/// What a session does with tiles: sums them up, and then hands them to the writer.
class Summed final : public ValueSink {
 public:
  Summed(const Layout& layout, bool sorted_tiles, TableWriter& writer)
      : expected_(layout, sorted_tiles), writer_(writer) {}
  Flow put(const Stretch& stretch) override {
    expected_.put(stretch);
    return writer_.put(stretch);
  }
  Flow read_back(ValueSink& census) { return writer_.read_back(census, expected_); }

 private:
  WrittenCheck expected_;
  TableWriter& writer_;
};

}  // namespace grundy::store_test
