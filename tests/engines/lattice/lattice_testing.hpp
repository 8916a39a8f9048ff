/// @file
/// Shared helpers of the tests of lattice engines: runs that end in a table.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <grundy/games.hpp>
#include <grundy/lattice/engine.hpp>
#include <grundy/lattice/options.hpp>
#include <grundy/lattice/outcomes.hpp>
#include <grundy/lattice/rank.hpp>
#include <grundy/layout.hpp>
#include <grundy/machine.hpp>

#include "kernels/kernels.hpp"

namespace grundy::testing_support {

/// Edges of tiles to try. They change what is computed, but a sanitizer sees the same, so two edges
/// are enough for it.
inline std::vector<std::uint32_t> tile_edges(std::vector<std::uint32_t> all) {
  if (GRUNDY_SANITIZED) all = {all.front(), all.back()};
  return all;
}

/// Collects a table and checks that every position comes, and once (twice in a tile that crosses
/// the diagonal of a sorted table).
class TableSink : public ValueSink {
 public:
  TableSink(const LatticeShape& shape, unsigned planes)
      : shape_(shape), planes_(planes), layout_(Layout::of(shape, 1)) {
    table_.resize(layout_.positions() * planes);
    seen_.resize(layout_.positions());
  }

  Flow put(const Stretch& stretch) override {
    const Tile& tile = *stretch.tile;
    if (tile.first_rank) {
      EXPECT_TRUE(shape_.sorted) << "only sorted tables have ranks";
      for (std::size_t i = 0; i < stretch.values.size(); ++i) {
        set(*tile.first_rank + i / planes_, i % planes_, stretch.values[i]);
      }
      return Flow::kContinue;
    }
    std::size_t at = 0;
    LatticePoint p = tile.origin;
    place(stretch, 0, p, at);
    EXPECT_EQ(at, stretch.values.size());
    return Flow::kContinue;
  }

  [[nodiscard]] const std::vector<Nimber>& values() const noexcept { return table_; }
  [[nodiscard]] Nimber at(const LatticePoint& p, unsigned plane = 0) const {
    return table_[planes_ * layout_.entry_of(p) + plane];
  }
  void expect_complete() const {
    EXPECT_EQ(std::count(seen_.begin(), seen_.end(), 0), 0) << "positions are missing";
  }

 private:
  void place(const Stretch& stretch, unsigned heap, LatticePoint& p, std::size_t& at) {
    if (heap == shape_.heaps) {
      for (unsigned plane = 0; plane < planes_; ++plane, ++at) {
        set(layout_.entry_of(p), plane, stretch.values[at]);
      }
      return;
    }
    for (std::uint32_t i = 0; i < stretch.tile->extent[heap]; ++i) {
      p[heap] = stretch.tile->origin[heap] + i;
      place(stretch, heap + 1, p, at);
    }
  }

  void set(std::uint64_t index, std::size_t plane, Nimber value) {
    ASSERT_LT(index, seen_.size());
    Nimber& entry = table_[planes_ * index + plane];
    if (plane == 0) {
      if (seen_[index] != 0) {
        EXPECT_TRUE(shape_.sorted) << "a position came twice";
        EXPECT_EQ(entry, value);
      }
      seen_[index] = 1;
    }
    entry = value;
  }

  LatticeShape shape_;
  unsigned planes_;
  Layout layout_;  ///< of one value a position
  std::vector<Nimber> table_;
  std::vector<char> seen_;  // bits take several times as long
};

inline TableSink table_by(std::string_view engine, const LatticeRule& rule,
                          const LatticeShape& shape, Executor& executor,
                          std::optional<std::uint32_t> tile = {}, KnownTiles* known = nullptr) {
  TableSink sink(shape, rule.planes());
  const LatticeTask task{.rule = rule,
                         .shape = shape,
                         .kernels = select_kernels("auto"),
                         .executor = executor,
                         .stop = {},
                         .tile = tile,
                         .known = known};
  EXPECT_EQ(select_lattice_engine(engine, rule, shape).run(task, sink), RunStatus::kComplete);
  sink.expect_complete();
  return sink;
}

/// The first `limit` of all values that an engine hands over, in that order.
class KnownPrefix final : public KnownTiles {
 public:
  KnownPrefix(std::vector<Nimber> stream, std::uint64_t limit)
      : stream_(std::move(stream)), limit_(limit) {}
  std::span<const Nimber> next(std::uint64_t count) override {
    ended_ |= at_ + count > limit_;
    if (ended_) return {};
    at_ += count;
    return std::span(stream_).subspan(at_ - count, count);
  }
  [[nodiscard]] std::uint64_t given() const noexcept { return at_; }

 private:
  std::vector<Nimber> stream_;
  std::uint64_t limit_;
  std::uint64_t at_ = 0;
  bool ended_ = false;
};

/// By one engine on one thread.
inline TableSink table_by(std::string_view engine, const LatticeRule& rule,
                          const LatticeShape& shape) {
  static const std::unique_ptr<Executor> executor = make_executor(1, "threads");
  return table_by(engine, rule, shape, *executor);
}

/// The full cube of a symmetric game in row-major order, from tiles of its sorted table.
class CubeSink final : public ValueSink {
 public:
  CubeSink(unsigned heaps, std::uint32_t size) : heaps_(heaps), size_(size) {
    std::size_t count = 1;
    for (unsigned i = 0; i < heaps; ++i) count *= size;
    values_.resize(count);
  }

  Flow put(const Stretch& stretch) override {
    const Tile& tile = *stretch.tile;
    if (tile.first_rank) {
      for (std::size_t i = 0; i < stretch.values.size(); ++i) {
        set(position_of(heaps_, *tile.first_rank + i), stretch.values[i]);
      }
      return Flow::kContinue;
    }
    EXPECT_EQ(heaps_, 2u) << "sorted tables of more heaps come by ranks";
    for (std::size_t i = 0; i < stretch.values.size(); ++i) {
      const std::uint32_t x = tile.origin[0] + static_cast<std::uint32_t>(i / tile.extent[1]);
      const std::uint32_t y = tile.origin[1] + static_cast<std::uint32_t>(i % tile.extent[1]);
      set(x < y ? LatticePoint{x, y} : LatticePoint{y, x}, stretch.values[i]);
    }
    return Flow::kContinue;
  }
  [[nodiscard]] const std::vector<std::uint16_t>& values() const noexcept { return values_; }

 private:
  /// @pre the heaps ascend
  void set(LatticePoint p, Nimber value) {
    ASSERT_LE(value, largest_value(ValueWidth::kU16));
    do {
      std::size_t at = 0;
      for (unsigned i = 0; i < heaps_; ++i) at = at * size_ + p[i];
      values_[at] = static_cast<std::uint16_t>(value);
    } while (std::next_permutation(p.begin(), p.begin() + heaps_));
  }

  unsigned heaps_;
  std::uint32_t size_;
  std::vector<std::uint16_t> values_;
};

inline std::vector<std::uint16_t> full_cube(std::string_view game, std::uint32_t size,
                                            Executor& executor) {
  const LatticeRule rule = resolve_game(game, GameKind::kLattice).lattice();
  const LatticeShape shape = LatticeShape::cube(rule.heaps(), size, true);
  CubeSink sink(rule.heaps(), size);
  const LatticeTask task{.rule = rule,
                         .shape = shape,
                         .kernels = select_kernels("auto"),
                         .executor = executor,
                         .stop = {}};
  EXPECT_EQ(select_lattice_engine("auto", rule, shape).run(task, sink), RunStatus::kComplete);
  return sink.values();
}

/// 0 for P-positions and 1 for others.
inline TableSink outcomes_of(const LatticeRule& rule, const LatticeShape& shape,
                             Executor& executor) {
  TableSink sink(shape, rule.planes());
  const LatticeTask task{.rule = rule,
                         .shape = shape,
                         .kernels = select_kernels("auto"),
                         .executor = executor,
                         .stop = {}};
  EXPECT_FALSE(outcomes_are_in_values(rule, shape));
  EXPECT_EQ(run_outcomes(task, sink), RunStatus::kComplete);
  sink.expect_complete();
  return sink;
}

/// The cube of a named game or notation; sorted if the rule is symmetric.
inline TableSink cube_of(std::string_view game, std::uint32_t size,
                         std::string_view engine = "auto") {
  const LatticeRule rule = resolve_game(game, GameKind::kLattice).lattice();
  return table_by(engine, rule, LatticeShape::cube(rule.heaps(), size, rule.symmetric()));
}

}  // namespace grundy::testing_support
