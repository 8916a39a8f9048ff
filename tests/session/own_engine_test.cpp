/// @file
/// Engines from outside of the library, handed to compute() with the game.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <grundy/compute.hpp>
#include <grundy/error.hpp>
#include <grundy/games.hpp>
#include <grundy/graph/engine.hpp>
#include <grundy/lattice/engine.hpp>
#include <grundy/lattice/options.hpp>
#include <grundy/layout.hpp>
#include <grundy/table.hpp>

#include "support/errors.hpp"
#include "support/files.hpp"

namespace grundy {
namespace {

using testing_support::code_of;
using testing_support::error_of;
using testing_support::TemporaryDirectory;

/// The engine of the library with this name, under another name.
class OwnHeapEngine final : public HeapEngine {
 public:
  explicit OwnHeapEngine(std::string_view name = "own", std::string why = {})
      : name_(name), why_(std::move(why)) {}
  [[nodiscard]] std::string_view name() const noexcept override { return name_; }
  [[nodiscard]] std::string_view summary() const noexcept override { return "of a test"; }
  [[nodiscard]] std::string refusal(const HeapRule& rule) const override {
    return why_.empty() ? dense().refusal(rule) : why_;
  }
  [[nodiscard]] std::uint64_t memory_bytes(const HeapRule& rule, HeapSize count,
                                           Nimber max_value) const override {
    return dense().memory_bytes(rule, count, max_value);
  }
  RunStatus run(const HeapTask& task, ValueSink& sink) const override {
    ++runs;
    return dense().run(task, sink);
  }
  mutable int runs = 0;

 private:
  static const HeapEngine& dense() { return detail::named_heap_engine("dense"); }
  std::string_view name_;
  std::string why_;
};

/// Computes values by itself, from public headers alone.
class OwnLatticeEngine final : public LatticeEngine {
 public:
  using Table = std::span<const Nimber>;
  /// Hands over the entries of `layout`, and says how the run has ended.
  using HandOver = std::function<RunStatus(const Layout& layout, Table table, ValueSink& sink)>;

  explicit OwnLatticeEngine(HandOver hand_over) : hand_over_(std::move(hand_over)) {}
  [[nodiscard]] std::string_view name() const noexcept override { return "own"; }
  [[nodiscard]] std::string_view summary() const noexcept override { return "of a test"; }
  [[nodiscard]] std::string refusal(const LatticeRule&, const LatticeShape&) const override {
    return {};
  }
  [[nodiscard]] std::uint64_t memory_bytes(const LatticeRule& rule, const LatticeShape& shape,
                                           std::optional<std::uint32_t>, Nimber) const override {
    return Layout::of(shape, rule.planes()).entries() * sizeof(Nimber);
  }
  RunStatus run(const LatticeTask& task, ValueSink& sink) const override {
    const Layout layout = Layout::of(task.shape, task.rule.planes());
    std::vector<Nimber> table;
    for (std::uint64_t entry = 0; entry < layout.entries(); ++entry) {
      std::set<Nimber> reached;
      for_each_option(task.rule, layout.position_at(entry), layout.plane_of(entry),
                      [&](const LatticePoint& option, unsigned plane) {
                        reached.insert(table[layout.entry_of(option, plane)]);
                      });
      Nimber value = reached.empty() ? task.rule.terminal_value() : 0;
      while (reached.contains(value)) ++value;
      table.push_back(value);
    }
    return hand_over_(layout, table, sink);
  }

 private:
  HandOver hand_over_;
};

/// Hands over entries `begin` .. `end` - 1, without a tile.
void put_entries(OwnLatticeEngine::Table table, std::uint64_t begin, std::uint64_t end,
                 ValueSink& sink) {
  sink.put({.begin = begin, .values = table.subspan(begin, end - begin), .table = {}});
}

RunStatus put_all(const Layout& /*layout*/, OwnLatticeEngine::Table table, ValueSink& sink) {
  put_entries(table, 0, table.size(), sink);
  return RunStatus::kComplete;
}

/// The first `slabs` slabs.
RunStatus put_slabs(const Layout& layout, OwnLatticeEngine::Table table, std::uint32_t slabs,
                    ValueSink& sink) {
  for (std::uint32_t i = 0; i < slabs; ++i) {
    put_entries(table, layout.slab_begin(i), layout.slab_begin(i + 1), sink);
  }
  return RunStatus::kComplete;
}

/// Boxes of the first heap's sizes, or the ranks of a sorted table, with the numbers that fit.
RunStatus put_tiles(const Layout& layout, OwnLatticeEngine::Table table, ValueSink& sink) {
  for (std::uint32_t i = 0; i < layout.extent[0]; ++i) {
    Tile tile;
    const std::uint64_t begin = layout.slab_begin(i);
    if (layout.sorted) {
      tile.first_rank = begin / layout.planes;
    } else {
      tile = {.first_rank = {}, .origin = {i}, .extent = layout.shape().extent};
      tile.extent[0] = 1;
    }
    sink.put({.begin = begin,
              .values = table.subspan(begin, layout.slab_begin(i + 1) - begin),
              .table = {},
              .tile = &tile});
  }
  return RunStatus::kComplete;
}

class OwnGraphEngine final : public GraphEngine {
 public:
  [[nodiscard]] std::string_view name() const noexcept override { return "own"; }
  [[nodiscard]] std::string_view summary() const noexcept override { return "of a test"; }
  [[nodiscard]] std::string refusal(const GraphGame& game) const override {
    return graph_engines().front()->refusal(game);
  }
  [[nodiscard]] std::uint64_t memory_bytes(const GraphGame& game,
                                           std::uint64_t positions) const override {
    return graph_engines().front()->memory_bytes(game, positions);
  }
  [[nodiscard]] std::optional<GraphTable> run(const GraphTask& task) const override {
    auto table = graph_engines().front()->run(task);
    spoil(table);
    return table;
  }
  /// Changes the table before it is handed over.
  std::function<void(std::optional<GraphTable>&)> spoil = [](auto& /*table*/) {};
};

TEST(OwnEngine, ComputesATable) {
  const TemporaryDirectory directory;
  const OwnHeapEngine own;
  Request request{.game = HeapGame{.rule = HeapRule::parse("0.007"), .last = 5000, .engine = &own}};
  request.output.path = directory / "table.h5";
  const Report report = compute(request);
  EXPECT_TRUE(report.complete);
  EXPECT_GE(own.runs, 1);
  EXPECT_EQ(TableReader::open(request.output.path)->info().engine, "own");
  std::get<HeapGame>(request.game).engine = nullptr;
  request.output.path.clear();
  EXPECT_EQ(compute(request).info.stats, report.info.stats);
}

TEST(OwnEngine, IsForetoldAndSearchesForAPeriod) {
  const OwnHeapEngine own;
  const Request request{
      .game = HeapGame{.rule = HeapRule::parse("0.77"), .last = 100'000'000, .engine = &own}};
  EXPECT_EQ(predict(request).engine, "own");
  EXPECT_EQ(search_period(request).info.period.period, 12);
}

TEST(OwnEngine, IsRefusedIfItRefusesOrHasATakenName) {
  for (const OwnHeapEngine& own :
       {OwnHeapEngine("auto"), OwnHeapEngine("sparse"), OwnHeapEngine("own", "it will not")}) {
    const Request request{
        .game = HeapGame{.rule = HeapRule::parse("0.77"), .last = 100, .engine = &own}};
    EXPECT_EQ(code_of([&] { compute(request); }), ErrorCode::kUsage) << own.name();
    EXPECT_EQ(own.runs, 0);
  }
}

/// Sorted shapes are asked for of cubes of symmetric rules, whether the table is sorted or not.
TEST(OwnEngine, ComputesLatticesInTilesAndWithout) {
  const TemporaryDirectory directory;
  const OwnLatticeEngine engines[] = {
      OwnLatticeEngine(put_all), OwnLatticeEngine([](const Layout& layout, auto table, auto& sink) {
        return put_slabs(layout, table, static_cast<std::uint32_t>(layout.extent[0]), sink);
      }),
      OwnLatticeEngine(put_tiles)};
  const std::pair<std::string_view, LatticeShape> games[] = {
      {"2: sym (1,0)* + (1,1)*", LatticeShape::cube(2, 30)},
      {"2: sym (1,0)* + (1,1)*", LatticeShape::cube(2, 30, true)},
      {"2: sym (1,0)* + (1,1)*", {.heaps = 2, .extent = {30, 31}}},
      {"2: (1,0)* + (1,2)", LatticeShape::cube(2, 30)},
      {"2: sym (1,0)* + misere", LatticeShape::cube(2, 20)},
      {"2: sym (1,0)* + pass", LatticeShape::cube(2, 20)},
      {"3: sym (1,0,0)* + (1,1,1)", LatticeShape::cube(3, 8)}};
  for (const auto& [notation, shape] : games) {
    LatticeGame game{.rule = LatticeRule::parse(notation), .shape = shape};
    const TableStats expected = compute({.game = game}).info.stats;
    for (const OwnLatticeEngine& engine : engines) {
      SCOPED_TRACE(fmt::format("{} {} by engine {}", notation, fmt::join(shape.extent, "x"),
                               &engine - engines));
      game.engine = &engine;
      Request request{.game = game};
      std::vector<Nimber> heard;
      const Report in_memory =
          compute(request, {.values = [&](const Stretch& stretch) {
                    heard.insert(heard.end(), stretch.values.begin(), stretch.values.end());
                    return Flow::kContinue;
                  }});
      EXPECT_EQ(in_memory.info.stats, expected);
      EXPECT_EQ(in_memory.info.engine, "own");
      request.output = {.path = directory / "table.h5", .overwrite = true};
      EXPECT_EQ(compute(request).info.stats, expected);
      const auto table = TableReader::open(request.output.path);
      EXPECT_EQ(table->info().stats, expected);
      const Layout& layout = table->info().layout;
      ASSERT_EQ(heard.size(), layout.entries());
      for (std::uint64_t i = 0; i < heard.size(); i += 7) {
        EXPECT_EQ(table->value(layout.position_at(i), layout.plane_of(i)), heard[i]);
      }
      game.stats_only = true;
      const TableStats counted = compute({.game = game}).info.stats;
      game.stats_only = false;
      EXPECT_EQ(counted.count, expected.count);
      EXPECT_EQ(counted.histogram, expected.histogram);
      EXPECT_EQ(counted.argmax, expected.argmax);
    }
  }
}

/// The errors of a run that makes a file, a table in memory, or statistics. No file is left.
std::set<std::string> errors_of(auto game) {
  const TemporaryDirectory directory;
  std::set<std::string> errors;
  const auto run = [&errors](const Request& request) {
    const Error error = error_of([&] { compute(request); });
    EXPECT_EQ(error.code(), ErrorCode::kFailure);
    errors.insert(error.what());
  };
  run({.game = game});
  Request with_file{.game = game};
  with_file.output.path = directory / "table.h5";
  run(with_file);
  EXPECT_FALSE(std::filesystem::exists(with_file.output.path));
  game.stats_only = true;
  run({.game = game});
  return errors;
}

TEST(OwnEngine, IsRefusedIfItHandsOverOtherPositionsThanAskedFor) {
  using Table = OwnLatticeEngine::Table;
  const auto put_box = [](Table table, LatticePoint origin, LatticePoint extent, ValueSink& sink) {
    const Tile tile{.first_rank = {}, .origin = origin, .extent = extent};
    sink.put({.values = table.first(10), .table = {}, .tile = &tile});
    return RunStatus::kComplete;
  };
  struct Case {
    bool symmetric;
    OwnLatticeEngine::HandOver hand_over;
    std::string_view error;
  };
  const std::string no_fit =
      "handed over 10 values from number 0 on that do not fit the shape it "
      "was asked for (10 x 10: 100 positions)";
  const Case cases[] = {
      {false,
       [](const Layout& layout, Table table, ValueSink& sink) {
         return put_slabs(layout, table, 2, sink);
       },
       "says that its run is complete after 20 of 100 values"},
      {true,
       [](const Layout& layout, Table table, ValueSink& sink) {
         return put_slabs(layout, table, 2, sink);
       },
       "says that its run is complete after 3 of 55 values"},
      {false,
       [](const Layout& layout, Table table, ValueSink& sink) {
         put_slabs(layout, table, 2, sink);
         return RunStatus::kStoppedBySink;
       },
       "stopped by itself after 20 of 100 values"},
      {false, [](const Layout&, Table, ValueSink&) { return RunStatus::kCancelled; },
       "stopped by itself after 0 of 100 values"},
      {false,
       [](const Layout&, Table table, ValueSink& sink) {
         put_entries(table, 0, 10, sink);
         put_entries(table, 20, 30, sink);
         return RunStatus::kComplete;
       },
       "handed over values from number 20 on where number 10 is due"},
      {false,
       [](const Layout&, Table table, ValueSink& sink) {
         const Tile row{.first_rank = {}, .origin = {3}, .extent = {1, 10}};
         for (std::uint64_t i = 0; i < 10; ++i) {
           sink.put({.begin = 10 * i, .values = table.first(10), .table = {}, .tile = &row});
         }
         return RunStatus::kComplete;
       },
       "handed over the value of (3, 0) twice"},
      {false,
       [](const Layout&, Table table, ValueSink& sink) {
         const Tile column{.first_rank = {}, .origin = {0, 4}, .extent = {10, 1}};
         put_entries(table, 0, 10, sink);
         sink.put({.begin = 10, .values = table.first(10), .table = {}, .tile = &column});
         return RunStatus::kComplete;
       },
       "handed over the value of (0, 4) twice"},
      {true,
       [](const Layout&, Table table, ValueSink& sink) {
         std::vector<Nimber> all(100);
         std::ranges::copy(table, all.begin());
         return put_all({}, all, sink);
       },
       "handed over 100 values from number 0 on that do not fit the shape it was asked for "
       "(10 x 10, sorted heaps only: 55 positions)"},
      {false,
       [&](const Layout&, Table table, ValueSink& sink) {
         return put_box(table, {1, 1}, {1, 10}, sink);
       },
       no_fit},
      {false,
       [&](const Layout&, Table table, ValueSink& sink) {
         return put_box(table, {1, 0}, {1, 9}, sink);
       },
       no_fit},
      {false,
       [&](const Layout&, Table table, ValueSink& sink) {
         const Tile ranks{.first_rank = 0};
         sink.put({.values = table.first(10), .table = {}, .tile = &ranks});
         return RunStatus::kComplete;
       },
       no_fit}};
  for (const Case& fault : cases) {
    const OwnLatticeEngine engine(fault.hand_over);
    const auto rule = LatticeRule::parse(fault.symmetric ? "2: sym (1,0)*" : "2: (1,0)* + (0,1)");
    EXPECT_THAT(
        errors_of(LatticeGame{.rule = rule, .shape = LatticeShape::cube(2, 10), .engine = &engine}),
        ::testing::ElementsAre(fmt::format("the engine 'own' {}", fault.error)));
  }
}

/// Hands over values of 0.33 as it is told to.
class FaultyHeapEngine final : public HeapEngine {
 public:
  using HandOver = std::function<RunStatus(std::span<const Nimber> table, ValueSink& sink)>;

  explicit FaultyHeapEngine(HandOver hand_over) : hand_over_(std::move(hand_over)) {}
  [[nodiscard]] std::string_view name() const noexcept override { return "own"; }
  [[nodiscard]] std::string_view summary() const noexcept override { return "of a test"; }
  [[nodiscard]] std::string refusal(const HeapRule&) const override { return {}; }
  [[nodiscard]] std::uint64_t memory_bytes(const HeapRule&, HeapSize count, Nimber) const override {
    return count * sizeof(Nimber);
  }
  RunStatus run(const HeapTask& task, ValueSink& sink) const override {
    std::vector<Nimber> table(task.count);
    for (HeapSize n = 0; n < task.count; ++n) table[n] = static_cast<Nimber>(n % 3);
    return hand_over_(table, sink);
  }

 private:
  HandOver hand_over_;
};

TEST(OwnEngine, IsRefusedIfItHandsOverOtherHeapsThanAskedFor) {
  using Table = std::span<const Nimber>;
  const auto put = [](Table table, HeapSize begin, HeapSize end, ValueSink& sink) {
    sink.put({begin, table.subspan(begin, end - begin), table.first(end)});
    return RunStatus::kComplete;
  };
  const std::pair<FaultyHeapEngine::HandOver, std::string_view> faults[] = {
      {[&](Table table, ValueSink& sink) { return put(table, 0, 5, sink); },
       "says that its run is complete after 5 of 11 values"},
      {[&](Table table, ValueSink& sink) {
         put(table, 0, 5, sink);
         return RunStatus::kStoppedBySink;
       },
       "stopped by itself after 5 of 11 values"},
      {[&](Table table, ValueSink& sink) {
         put(table, 0, 5, sink);
         return put(table, 6, 11, sink);
       },
       "handed over values from number 6 on where number 5 is due"},
      {[&](Table table, ValueSink& sink) {
         put(table, 0, 5, sink);
         return put(table, 0, 11, sink);
       },
       "handed over values from number 0 on where number 5 is due"},
      {[&](Table table, ValueSink& sink) {
         std::vector<Nimber> more(table.begin(), table.end());
         more.push_back(0);
         return put(more, 0, 12, sink);
       },
       "handed over heaps up to 11, and the last that was asked for is heap 10"},
      {[&](Table table, ValueSink& sink) {
         sink.put({0, table, table.first(10)});
         return RunStatus::kComplete;
       },
       "handed over heaps 0 to 10 with a table of 10 values in place of 11"}};
  for (const auto& [hand_over, error] : faults) {
    const FaultyHeapEngine engine(hand_over);
    EXPECT_THAT(errors_of(HeapGame{.rule = HeapRule::parse("0.33"), .last = 10, .engine = &engine}),
                ::testing::ElementsAre(fmt::format("the engine 'own' {}", error)));
  }
}

/// Without a sparse space nothing says how many of the newest values a run needs, so they count as
/// values alone. An engine may go on after a stop, too.
TEST(OwnEngine, HandsOverValuesAlone) {
  const TemporaryDirectory directory;
  const FaultyHeapEngine engine([](std::span<const Nimber> table, ValueSink& sink) {
    for (HeapSize n = 0; n < table.size(); ++n) {
      sink.put(
          {.begin = n, .values = table.subspan(n, 1), .table = {}, .newest = table.first(n + 1)});
    }
    return RunStatus::kComplete;
  });
  Request request{.game = HeapGame{.rule = HeapRule::parse("0.33"), .last = 10, .engine = &engine}};
  request.output.path = directory / "table.h5";
  EXPECT_TRUE(compute(request).complete);
  const auto table = TableReader::open(request.output.path);
  for (HeapSize n = 0; n <= 10; ++n) EXPECT_EQ(table->value(n), n % 3);
}

TEST(OwnEngine, ComputesPositions) {
  const OwnGraphEngine graph;
  const auto cram = std::get<std::shared_ptr<const GraphGame>>(resolve_game("cram:3x4").rule);
  const Request positions{.game = PositionGame{.game = cram, .engine = &graph}};
  EXPECT_EQ(compute(positions).positions.engine, "own");
  EXPECT_EQ(compute_root(positions)->engine, "own");
}

TEST(OwnEngine, IsRefusedIfItsTableCannotBeOneOfTheGame) {
  const std::pair<std::function<void(std::optional<GraphTable>&)>, std::string_view> faults[] = {
      {[](auto& table) { table.reset(); }, "gave no table"},
      {[](auto& table) { table->key_words = 2; }, "keys have 2 words in place of 1"},
      {[](auto& table) { table->values.pop_back(); },
       "not every row has a key, a value and a number of moves"},
      {[](auto& table) { table->moves.pop_back(); },
       "not every row has a key, a value and a number of moves"},
      {[](auto& table) { table->misere = table->values; },
       "not every row has a key, a value and a number of moves"},
      {[](auto& table) { table->layers.pop_back(); }, "its layers have "},
      {[](auto& table) { std::swap(table->layers[0], table->layers[1]); },
       "its layers do not follow each other by potential"},
      {[](auto& table) { table->layers.back().end += 1; },
       "its layers do not follow each other by potential"},
      {[](auto& table) { std::ranges::reverse(table->keys); },
       "does not come behind that of the row before it"},
      {[](auto& table) { table->start.front() = table->size(); },
       "its start is not that of the game"},
      {[](auto& table) { *table = {}; }, "it lacks the start position"}};
  const auto game = std::get<std::shared_ptr<const GraphGame>>(resolve_game("cram:3x4").rule);
  for (const auto& [spoil, error] : faults) {
    OwnGraphEngine engine;
    engine.spoil = spoil;
    const Request request{.game = PositionGame{.game = game, .engine = &engine}};
    EXPECT_THAT(error_of([&] { compute(request); }).what(), ::testing::HasSubstr(error));
    EXPECT_THAT(error_of([&] { compute_root(request); }).what(), ::testing::HasSubstr(error));
  }
}

}  // namespace
}  // namespace grundy
