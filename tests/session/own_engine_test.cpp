/// @file
/// Engines from outside of the library, handed to compute() with the game.
// SPDX-License-Identifier: MIT
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include <grundy/compute.hpp>
#include <grundy/error.hpp>
#include <grundy/games.hpp>
#include <grundy/graph/engine.hpp>
#include <grundy/lattice/engine.hpp>
#include <grundy/table.hpp>

#include "support/errors.hpp"
#include "support/files.hpp"

namespace grundy {
namespace {

using testing_support::code_of;
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

class OwnLatticeEngine final : public LatticeEngine {
 public:
  [[nodiscard]] std::string_view name() const noexcept override { return "own"; }
  [[nodiscard]] std::string_view summary() const noexcept override { return "of a test"; }
  [[nodiscard]] std::string refusal(const LatticeRule& rule,
                                    const LatticeShape& shape) const override {
    return reference().refusal(rule, shape);
  }
  [[nodiscard]] std::uint64_t memory_bytes(const LatticeRule& rule, const LatticeShape& shape,
                                           std::optional<std::uint32_t> tile) const override {
    return reference().memory_bytes(rule, shape, tile);
  }
  RunStatus run(const LatticeTask& task, ValueSink& sink) const override {
    return reference().run(task, sink);
  }

 private:
  static const LatticeEngine& reference() { return *lattice_engines().front(); }
};

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
    return graph_engines().front()->run(task);
  }
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

TEST(OwnEngine, ComputesLatticesAndPositionsToo) {
  const OwnLatticeEngine lattice;
  const auto wythoff = std::get<LatticeRule>(resolve_game("wythoff").rule);
  const Report report =
      compute({.game = LatticeGame{
                   .rule = wythoff, .shape = LatticeShape::cube(2, 40), .engine = &lattice}});
  EXPECT_EQ(report.info.engine, "own");
  EXPECT_EQ(report.info.stats.histogram.at(0), 31);

  const OwnGraphEngine graph;
  const auto cram = std::get<std::shared_ptr<const GraphGame>>(resolve_game("cram:3x4").rule);
  const Request positions{.game = PositionGame{.game = cram, .engine = &graph}};
  EXPECT_EQ(compute(positions).positions.engine, "own");
  EXPECT_EQ(compute_root(positions)->engine, "own");
}

}  // namespace
}  // namespace grundy
