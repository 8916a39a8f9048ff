/// @file
/// The promises of every lattice engine besides values: order, stopping, memory.
// SPDX-License-Identifier: MIT
#include <stop_token>

#include <gtest/gtest.h>

#include "engines/lattice/lattice_testing.hpp"

namespace grundy {
namespace {

using testing_support::TableSink;

constexpr std::string_view kGames[] = {"wythoff",        "2: sym (1,2) + (3,3)",
                                       "a-wythoff(3)",   "2: (1,0)* + (2,1)*",
                                       "wythoff-any(3)", "3: (1,0,0)* + (0,1,1) + box(2,3)",
                                       "end-nim(3)",     "chomp(3)",
                                       "moore(4,2)",     "nim-with-a-pass(2)",
                                       "euclid",         "wythoff-balanced(3)"};

/// Checks that the options of every position have come when its tile ends.
class OrderSink final : public TableSink {
 public:
  OrderSink(const LatticeRule& rule, const LatticeShape& shape)
      : TableSink(shape, rule.planes()),
        rule_(rule),
        heaps_(shape.heaps),
        layout_(Layout::of(shape, 1)),
        come_(layout_.positions()) {}

  Flow put(const Stretch& stretch) override {
    const Tile& tile = *stretch.tile;
    EXPECT_FALSE(inside_) << "two tiles at a time";
    inside_ = true;
    TableSink::put(stretch);
    std::vector<LatticePoint> positions;
    for (std::size_t i = 0; i < stretch.values.size(); i += rule_.planes()) {
      positions.push_back(position(tile, i / rule_.planes()));
    }
    for (const LatticePoint& p : positions) come_[layout_.entry_of(p)] = true;
    for (const LatticePoint& p : positions) {
      for_each_option(rule_, p,
                      [&](const LatticePoint& q) { EXPECT_TRUE(come_[layout_.entry_of(q)]); });
    }
    inside_ = false;
    return Flow::kContinue;
  }

 private:
  /// The i-th position of a tile.
  [[nodiscard]] LatticePoint position(const Tile& tile, std::uint64_t i) const {
    if (tile.first_rank) return position_of(heaps_, *tile.first_rank + i);
    LatticePoint p = tile.origin;
    for (unsigned heap = heaps_; heap-- > 0; i /= tile.extent[heap]) {
      p[heap] += static_cast<std::uint32_t>(i % tile.extent[heap]);
    }
    return p;
  }

  const LatticeRule& rule_;
  unsigned heaps_;
  Layout layout_;  ///< of one value a position
  std::vector<bool> come_;
  bool inside_ = false;
};

/// Counts tiles, and stops the run after some.
class StoppingSink final : public ValueSink {
 public:
  explicit StoppingSink(int most) : left_(most) {}
  Flow put(const Stretch&) override {
    ++tiles;
    return --left_ > 0 ? Flow::kContinue : Flow::kStop;
  }
  int tiles = 0;

 private:
  int left_;
};

class EveryLatticeEngine : public ::testing::TestWithParam<std::string_view> {
 protected:
  /// Runs every engine that accepts the game.
  template <class Body>
  void for_each_engine(std::uint32_t size, Body&& body) const {
    const LatticeRule rule = resolve_game(GetParam(), GameKind::kLattice).lattice();
    const LatticeShape shape = LatticeShape::cube(rule.heaps(), size, rule.symmetric());
    const auto executor = make_executor(3, "threads");
    for (const LatticeEngine* engine : lattice_engines()) {
      if (!engine->refusal(rule, shape).empty()) continue;
      SCOPED_TRACE(engine->name());
      const LatticeTask task{.rule = rule,
                             .shape = shape,
                             .kernels = select_kernels("auto"),
                             .executor = *executor,
                             .stop = {},
                             .tile = 8};
      body(*engine, task);
    }
  }
  [[nodiscard]] std::uint32_t size() const {
    return resolve_game(GetParam(), GameKind::kLattice).lattice().heaps() == 2 ? 40 : 14;
  }
};

TEST_P(EveryLatticeEngine, HandsOverInOrder) {
  for_each_engine(size(), [](const LatticeEngine& engine, const LatticeTask& task) {
    OrderSink sink(task.rule, task.shape);
    EXPECT_EQ(engine.run(task, sink), RunStatus::kComplete);
    sink.expect_complete();
  });
}

TEST_P(EveryLatticeEngine, StopsWhenTheSinkSaysSo) {
  for_each_engine(size(), [](const LatticeEngine& engine, const LatticeTask& task) {
    StoppingSink sink(1);
    EXPECT_EQ(engine.run(task, sink), RunStatus::kStoppedBySink);
    EXPECT_EQ(sink.tiles, 1);
  });
}

TEST_P(EveryLatticeEngine, StopsWhenAsked) {
  for_each_engine(size(), [](const LatticeEngine& engine, LatticeTask task) {
    std::stop_source source;
    source.request_stop();
    task.stop = source.get_token();
    StoppingSink sink(1000000);
    EXPECT_EQ(engine.run(task, sink), RunStatus::kCancelled);
    EXPECT_EQ(sink.tiles, 0);
  });
}

/// A prediction grows with the table, and holds at least a layer of values. So does the work, if it
/// is known.
TEST_P(EveryLatticeEngine, PredictsItsMemory) {
  for_each_engine(size(), [](const LatticeEngine& engine, const LatticeTask& task) {
    constexpr Nimber kLargest = 1000;
    const std::uint64_t small = engine.memory_bytes(task.rule, task.shape, task.tile, kLargest);
    const LatticeShape larger =
        LatticeShape::cube(task.shape.heaps, 2 * task.shape.extent[0], task.shape.sorted);
    EXPECT_GT(small, task.shape.extent[0] * sizeof(Nimber));
    EXPECT_GT(engine.memory_bytes(task.rule, larger, task.tile, kLargest), small);
    EXPECT_GT(engine.work(task.rule, larger).value_or(1),
              engine.work(task.rule, task.shape).value_or(0));
    if (engine.name() != "frontier") return;
    EXPECT_LT(outcomes_memory_bytes(task.rule, task.shape), small);
    EXPECT_GT(outcomes_memory_bytes(task.rule, task.shape), 0u);
  });
}

INSTANTIATE_TEST_SUITE_P(Games, EveryLatticeEngine, ::testing::ValuesIn(kGames),
                         [](const auto& game) { return std::to_string(game.index); });

}  // namespace
}  // namespace grundy
