/// @file
/// The engine `auto`: which engine it chooses, and that changing engines changes no value.
// SPDX-License-Identifier: MIT
#include "engines/heap/auto_engine.hpp"

#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engines/heap/engine_costs.hpp"
#include "engines/heap/known_values.hpp"
#include "heap_testing.hpp"

namespace grundy {
namespace {

using testing_support::CollectSink;
using testing_support::values_by;

struct Outcome {
  std::vector<EngineChoice> choices;
  std::vector<Nimber> values;
  RunStatus status = RunStatus::kComplete;
};

Outcome run(const AutoEngine& engine, const std::string& notation, HeapSize count,
            HeapSize block = 0, bool keep_table = true) {
  const HeapRule rule = HeapRule::parse(notation);
  Outcome outcome;
  CollectSink sink;
  HeapTask task{rule, count, select_kernels("auto"), testing_support::single_thread(), {}};
  task.block = block;
  task.keep_table = keep_table;
  task.on_choice = [&](const EngineChoice& choice) { outcome.choices.push_back(choice); };
  outcome.status = engine.run(task, sink);
  outcome.values = sink.values();
  return outcome;
}

std::vector<std::string> names(const Outcome& outcome) {
  std::vector<std::string> result;
  for (const EngineChoice& choice : outcome.choices) result.push_back(choice.engine);
  return result;
}

TEST(AutoEngine, ForcedChangesGiveTheSameTable) {
  std::mt19937 random(3);
  for (const char* notation : {"4!.0", "0.6", "0.167", "0.106", "0.376", "0.06"}) {
    const HeapRule rule = HeapRule::parse(notation);
    constexpr HeapSize kCount = 30001;
    const auto expected = values_by(select_heap_engine("dense", rule, kCount), rule, kCount);
    for (int round = 0; round < 3; ++round) {
      std::vector<HeapSize> changes;
      for (HeapSize n = 0; (n += 1 + random() % 9000) < kCount;) changes.push_back(n);
      const Outcome outcome = run(AutoEngine(changes), notation, kCount, round == 2 ? 777 : 0);
      EXPECT_EQ(outcome.status, RunStatus::kComplete);
      EXPECT_TRUE(outcome.values == expected) << notation << ", round " << round;
      ASSERT_GT(outcome.choices.size(), 2u) << notation;
      for (std::size_t i = 1; i < outcome.choices.size(); ++i) {
        EXPECT_NE(outcome.choices[i].engine, outcome.choices[i - 1].engine);
        EXPECT_EQ(outcome.choices[i].from % KnownValues::kUnit, 0u);
        EXPECT_GE(outcome.choices[i].from, outcome.choices[i - 1].from);
      }
    }
  }
}

TEST(AutoEngine, ForcedChangesInConstantMemory) {
  const HeapRule rule = HeapRule::parse("0.356");
  const auto expected = values_by(select_heap_engine("dense", rule, 40000), rule, 40000);
  const Outcome outcome = run(AutoEngine({5000, 9000, 20000}), "0.356", 40000, 0, false);
  EXPECT_TRUE(outcome.values == expected);
  EXPECT_EQ(outcome.choices.size(), 4u);
}

// Few rare heaps: sparse at last. Rare heaps without end: dense for good.
TEST(AutoEngine, ChoosesByTheRareHeaps) {
  const Outcome grundy = run(AutoEngine(), "4!.0", 150000);
  EXPECT_EQ(names(grundy).back(), "sparse");
  EXPECT_EQ(grundy.choices.front().from, 0u);
  EXPECT_NE(grundy.choices.front().reason.find("rare"), std::string::npos);
  for (const char* notation : {"0.167", "0.106", "4.045"}) {
    EXPECT_EQ(names(run(AutoEngine(), notation, 70000)), std::vector<std::string>{"sparse"})
        << notation;
  }
  for (const char* notation : {"0.06", "4.026", "0.346"}) {
    EXPECT_EQ(names(run(AutoEngine(), notation, 70000)), std::vector<std::string>{"dense"})
        << notation;
  }
}

TEST(AutoEngine, GoesOnWithKnownValues) {
  const HeapRule rule = HeapRule::parse("0.16");
  const auto expected = values_by(select_heap_engine("dense", rule, 50000), rule, 50000);
  const HeldValues known{std::span(expected).first(64 * KnownValues::kUnit)};
  CollectSink rest(CollectSink::kNever, 64 * KnownValues::kUnit);
  HeapTask task{rule, 50000, select_kernels("auto"), testing_support::single_thread(), {}};
  task.known = &known;
  EXPECT_EQ(AutoEngine({30000}).run(task, rest), RunStatus::kComplete);
  EXPECT_TRUE(rest.values() ==
              std::vector<Nimber>(expected.begin() + 64 * KnownValues::kUnit, expected.end()));
}

TEST(AutoEngine, StopsWhenTheSinkOrTheUserSaysSo) {
  const HeapRule rule = HeapRule::parse("0.16");
  CollectSink sink(10000);
  HeapTask task{rule, 100000, select_kernels("auto"), testing_support::single_thread(), {}};
  EXPECT_EQ(AutoEngine({8000}).run(task, sink), RunStatus::kStoppedBySink);
  std::stop_source stop;
  stop.request_stop();
  CollectSink cancelled;
  task.stop = stop.get_token();
  EXPECT_EQ(AutoEngine({1}).run(task, cancelled), RunStatus::kCancelled);
  EXPECT_LT(cancelled.values().size(), 100000u);
}

TEST(EngineCosts, RareHeapsMakeSparseDearAndLengthMakesDenseDear) {
  const SparseLoad calm{.heap = 1 << 17, .rare = 1000, .recent = 0, .value_limit = 256};
  SparseLoad restless = calm;
  restless.recent = 60000;
  EXPECT_LT(sparse_cost(1, calm), sparse_cost(1, restless));
  SparseLoad longer = calm;
  longer.heap *= 2;
  EXPECT_LT(dense_cost(1, calm), dense_cost(1, longer));
  EXPECT_LT(dense_cost(1, calm), dense_cost(2, calm));
  const auto moves = sparse::decode_moves(HeapRule::parse("0.6")).value();
  EXPECT_EQ(choose_method(moves, calm).method, HeapMethod::kSparse);
  EXPECT_EQ(choose_method(moves, calm, HeapMethod::kDense).method, HeapMethod::kSparse);
  // What is at work stays where the other is hardly cheaper.
  SparseLoad even = calm;
  even.heap = 1;
  while (dense_cost(1, even) < 0.9 * sparse_cost(1, even)) ++even.heap;
  EXPECT_EQ(choose_method(moves, even).method, HeapMethod::kDense);
  EXPECT_EQ(choose_method(moves, even, HeapMethod::kSparse).method, HeapMethod::kSparse);
}

}  // namespace
}  // namespace grundy
