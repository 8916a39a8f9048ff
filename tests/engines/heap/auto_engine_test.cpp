/// @file
/// The engine `auto`: its choices are right, and a change of engines changes no value.
// SPDX-License-Identifier: MIT
#include "engines/heap/auto_engine.hpp"

#include <algorithm>
#include <random>
#include <stop_token>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engines/heap/cost_forecast.hpp"
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
            std::optional<HeapSize> block = {}, bool keep_table = true) {
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

TEST(AutoEngine, AStopBetweenTwoEnginesEndsTheRun) {
  const HeapRule rule = HeapRule::parse("0.106");
  std::stop_source stop;
  CollectSink sink;
  HeapTask task{rule, 20'000, select_kernels("auto"), testing_support::single_thread(), {}};
  task.stop = stop.get_token();
  task.on_choice = [&](const EngineChoice& choice) {
    if (choice.from > 0) stop.request_stop();
  };
  EXPECT_EQ(AutoEngine({10'000}).run(task, sink), RunStatus::kCancelled);
  EXPECT_GE(sink.values().size(), 10'000U);
  EXPECT_LT(sink.values().size(), 20'000U);
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
      const Outcome outcome = run(AutoEngine(changes), notation, kCount,
                                  round == 2 ? std::optional<HeapSize>(777) : std::nullopt);
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
  const Outcome outcome = run(AutoEngine({5000, 9000, 20000}), "0.356", 40000, {}, false);
  EXPECT_TRUE(outcome.values == expected);
  EXPECT_EQ(outcome.choices.size(), 4u);
}

// Few rare heaps: sparse in the end. Rare heaps without end: always dense.
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

// Short tables too: few rare heaps take less time there than all pairs.
TEST(AutoEngine, ShortTablesOfGamesWithFewRareHeaps) {
  for (const char* notation : {"0.106", "0.167", "0.644", "0.16", "0.104"}) {
    for (const HeapSize count : {HeapSize{1} << 12, HeapSize{1} << 14}) {
      const HeapRule rule = HeapRule::parse(notation);
      EXPECT_EQ(select_heap_engine("auto", rule, count).name(), "auto");
      const Outcome outcome = run(AutoEngine(), notation, count);
      EXPECT_EQ(names(outcome), std::vector<std::string>{"sparse"}) << notation;
      EXPECT_TRUE(outcome.values ==
                  values_by(select_heap_engine("dense", rule, count), rule, count));
    }
  }
  const Outcome many = run(AutoEngine(), "4.026", 1 << 12);
  EXPECT_EQ(names(many), std::vector<std::string>{"dense"});
  // The trial is short.
  EXPECT_NE(many.choices[0].reason.find("of heaps below 512"), std::string::npos);
}

// Also in the later half of a run, if the heaps that are left repay it.
TEST(AutoEngine, ChangesWhereThatPays) {
  constexpr HeapSize kCount = 65000;
  const EngineChoice last = run(AutoEngine(), "4!.0", kCount).choices.back();
  EXPECT_EQ(last.engine, "sparse");
  EXPECT_GT(last.from, kCount / 2);
  EXPECT_EQ(run(AutoEngine(), "4!.0", last.from + 100).choices.back().engine, "dense");
  // By the costs of a whole octave `sparse` is the cheaper one from heap 19 200 on, but the heaps
  // that are left are too few to repay what it must learn.
  EXPECT_EQ(run(AutoEngine(), "0.034", 24'000).choices.back().engine, "dense");
  EXPECT_EQ(run(AutoEngine(), "0.034", 40'000).choices.back().engine, "sparse");
}

// Rare heaps come ever more rarely, and with few values the first taps decide: `sparse` takes over
// long before the half of the table.
TEST(AutoEngine, ChangesInTimeWhereThereAreFewValues) {
  const EngineChoice last = run(AutoEngine(), "0.14", 1 << 17).choices.back();
  EXPECT_EQ(last.engine, "sparse");
  EXPECT_LT(last.from, 1u << 16);
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

// The first 2^14 values of Grundy's game speak for dense, the first 2^16 for sparse.
TEST(AutoEngine, ChoosesFromAllKnownValues) {
  constexpr HeapSize kCount = 100000;
  constexpr HeapSize kKnown = 250 * KnownValues::kUnit;  // more than half of the run
  const HeapRule rule = HeapRule::parse("4!.0");
  const auto expected = values_by(select_heap_engine("sparse", rule, kCount), rule, kCount);
  const HeldValues known{std::span(expected).first(kKnown)};
  EXPECT_EQ(run(AutoEngine(), "4!.0", 20000).choices.back().engine, "dense");

  std::vector<EngineChoice> choices;
  CollectSink rest(CollectSink::kNever, kKnown);
  HeapTask task{rule, kCount, select_kernels("auto"), testing_support::single_thread(), {}};
  task.known = &known;
  task.on_choice = [&](const EngineChoice& choice) { choices.push_back(choice); };
  EXPECT_EQ(AutoEngine().run(task, rest), RunStatus::kComplete);
  ASSERT_EQ(choices.size(), 1u);
  EXPECT_EQ(choices[0].engine, "sparse");
  EXPECT_EQ(choices[0].from, kKnown);
  EXPECT_NE(choices[0].reason.find("of heaps below 80000"), std::string::npos) << choices[0].reason;
  EXPECT_TRUE(rest.values() == std::vector<Nimber>(expected.begin() + kKnown, expected.end()));
}

/// The values that an earlier life has left.
class KnownLife final : public KnownValues {
 public:
  KnownLife(std::span<const Nimber> values, std::string engine, EngineSlowness slowness)
      : values_(values), engine_(std::move(engine)), slowness_(std::move(slowness)) {}

  [[nodiscard]] HeapSize count() const noexcept override { return values_.count(); }
  void replay(ValueSink& sink) const override { values_.replay(sink); }
  [[nodiscard]] std::string_view engine() const noexcept override { return engine_; }
  [[nodiscard]] EngineSlowness slowness() const override { return slowness_; }

 private:
  HeldValues values_;
  std::string engine_;
  EngineSlowness slowness_;
};

// A life goes on as the life before it would have gone on.
TEST(AutoEngine, GoesOnWithTheEngineOfTheLifeBefore) {
  constexpr HeapSize kCount = 100'000;
  const HeapRule rule = HeapRule::parse("4!.0");
  const auto moves = sparse::splitting_moves(rule).value();
  const auto values = values_by(select_heap_engine("sparse", rule, kCount), rule, kCount);
  const auto first_choice = [&](HeapSize known, const char* engine, EngineSlowness slowness) {
    const KnownLife life{std::span(values).first(known), engine, std::move(slowness)};
    std::vector<EngineChoice> choices;
    CollectSink rest(CollectSink::kNever, known);
    HeapTask task{rule, known + 1000, select_kernels("auto"), testing_support::single_thread(), {}};
    task.known = &life;
    task.on_choice = [&](const EngineChoice& choice) { choices.push_back(choice); };
    EXPECT_EQ(AutoEngine().run(task, rest), RunStatus::kComplete);
    EXPECT_TRUE(std::ranges::equal(rest.values(), std::span(values).subspan(known, 1000)));
    EXPECT_EQ(choices.size(), 1u);
    return choices.front();
  };
  // Where neither engine is clearly cheaper, the one at work stays.
  HeapSize even = 30 * KnownValues::kUnit;
  const auto choice_at = [&](HeapSize heaps, HeapMethod at_work) {
    return choose_method(moves, measure_load(moves, std::span(values).first(heaps)), at_work)
        .method;
  };
  while (even < kCount && (choice_at(even, HeapMethod::kDense) != HeapMethod::kDense ||
                           choice_at(even, HeapMethod::kSparse) != HeapMethod::kSparse)) {
    even += KnownValues::kUnit;
  }
  ASSERT_LT(even, kCount - 1000);
  EXPECT_EQ(first_choice(even, "dense", {}).engine, "dense");
  EXPECT_EQ(first_choice(even, "sparse", {}).engine, "sparse");
  // An engine that was left because it was slow is not taken again.
  constexpr HeapSize kClear = 250 * KnownValues::kUnit;
  EXPECT_EQ(first_choice(kClear, "dense", {}).engine, "sparse");
  const EngineSlowness slow{{"sparse", 100}};
  const EngineChoice stays = first_choice(kClear, "dense", slow);
  EXPECT_EQ(stays.engine, "dense");
  EXPECT_EQ(stays.slowness, slow);
  EXPECT_EQ(first_choice(kClear, "of tomorrow", {{"of tomorrow", 9}}).engine, "sparse");
}

// By a clock on which `sparse` becomes very slow after some heap: `auto` leaves it there, once and
// for good.
TEST(AutoEngine, LeavesAnEngineThatFallsBehind) {
  constexpr HeapSize kCliff = 20'000;
  constexpr HeapSize kCount = 60'000;
  const HeapRule rule = HeapRule::parse("0.16");
  const auto expected = values_by(select_heap_engine("dense", rule, kCount), rule, kCount);
  for (const bool falls : {false, true}) {
    double seconds = 0;
    std::vector<EngineChoice> choices;
    std::vector<Nimber> found;
    SinkOf sink([&](const Stretch& block) {
      block.values.visit([&](auto v) { found.insert(found.end(), v.begin(), v.end()); });
      const bool sparse = choices.back().engine == "sparse";
      const double heap = sparse ? (falls && block.begin > kCliff ? 1 : 1e-4) : 1e-2;
      seconds += heap * static_cast<double>(block.values.size());
      return Flow::kContinue;
    });
    HeapTask task{rule, kCount, select_kernels("auto"), testing_support::single_thread(), {}};
    task.block = 1000;
    task.on_choice = [&](const EngineChoice& choice) { choices.push_back(choice); };
    const AutoEngine engine(std::function<double()>([&seconds] { return seconds; }));
    EXPECT_EQ(engine.run(task, sink), RunStatus::kComplete);
    EXPECT_TRUE(found == expected);
    const auto late = std::ranges::count_if(
        choices, [](const EngineChoice& choice) { return choice.from > kCliff; });
    EXPECT_EQ(late, falls ? 1 : 0);
    EXPECT_EQ(choices.back().engine, falls ? "dense" : "sparse");
    EXPECT_EQ(choices.back().slowness.contains("sparse"), falls);
  }
}

TEST(LoadMeter, DoesNotDependOnThePieces) {
  const HeapRule rule = HeapRule::parse("0.6");
  const auto values = values_by(select_heap_engine("dense", rule, 10001), rule, 10001);
  const auto moves = sparse::splitting_moves(rule).value();
  const SparseLoad whole = measure_load(moves, std::span(values));
  LoadMeter meter(values.size());
  for (HeapSize begin = 0; begin < values.size(); begin += 777) {
    const HeapSize some = std::min<HeapSize>(777, values.size() - begin);
    meter.add(begin, std::span(values).subspan(begin, some));
  }
  const SparseLoad pieces = meter.load(moves);
  EXPECT_EQ(pieces.heap, whole.heap);
  EXPECT_EQ(pieces.rare, whole.rare);
  EXPECT_EQ(pieces.recent, whole.recent);
  EXPECT_EQ(pieces.value_limit, whole.value_limit);
  // By the definition.
  const sparse::Split split = sparse::choose_split(moves, std::span(values)).split;
  const auto rare = sparse::rare_heaps(split, std::span(values));
  EXPECT_EQ(whole.rare, rare.size());
  EXPECT_EQ(whole.recent, rare.end() - std::ranges::lower_bound(rare, 5000));
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
  const auto moves = sparse::splitting_moves(HeapRule::parse("0.6")).value();
  EXPECT_EQ(choose_method(moves, calm).method, HeapMethod::kSparse);
  EXPECT_EQ(choose_method(moves, calm, HeapMethod::kDense).method, HeapMethod::kSparse);
  // What is at work stays where the other is hardly cheaper.
  SparseLoad even = calm;
  even.rare = 10000;
  even.heap = 1;
  while (dense_cost(1, even) < 0.9 * sparse_cost(1, even)) ++even.heap;
  EXPECT_EQ(choose_method(moves, even).method, HeapMethod::kDense);
  EXPECT_EQ(choose_method(moves, even, HeapMethod::kSparse).method, HeapMethod::kSparse);
}

// The loads are those of .206: rare heaps still come, but each costs less than all pairs.
TEST(EngineCosts, RareHeapsThatStillComeMayBeFewEnough) {
  const auto moves = sparse::splitting_moves(HeapRule::parse("0.206")).value();
  const auto chosen = [&](const SparseLoad& load) {
    return choose_method(moves, load, HeapMethod::kDense).method;
  };
  EXPECT_EQ(chosen({.heap = 1 << 16, .rare = 8498, .recent = 1353, .value_limit = 1024}),
            HeapMethod::kDense);
  EXPECT_EQ(chosen({.heap = 1 << 18, .rare = 9103, .recent = 194, .value_limit = 1024}),
            HeapMethod::kSparse);
}

TEST(EngineCosts, TooManyCodesForTheFastWay) {
  SparseLoad load{.heap = 1 << 18, .rare = 9103, .recent = 0, .value_limit = 1 << 13};
  const double fast = sparse_cost(1, load);
  load.value_limit = 1 << 14;
  EXPECT_GT(sparse_cost(1, load), 5 * fast);
}

// An engine that is three times slower than it was is left for one that is dearer by the model.
TEST(EngineCosts, AnEngineSlowerThanForetoldIsLeft) {
  const SparseLoad load{.heap = 1 << 15, .rare = 1000, .recent = 0, .value_limit = 256};
  const auto moves = sparse::splitting_moves(HeapRule::parse("0.6")).value();
  MethodPace pace;
  const auto chosen = [&] {
    return choose_method(moves, load, HeapMethod::kSparse, pace.slowness()).method;
  };
  pace.note(HeapMethod::kSparse, 1e9, 1);
  pace.note(HeapMethod::kSparse, 1e9, 2.5);
  EXPECT_EQ(chosen(), HeapMethod::kSparse);
  pace.note(HeapMethod::kSparse, 1e9, 20);
  EXPECT_EQ(pace.slowness(), (Slowness{1, 20}));
  EXPECT_EQ(chosen(), HeapMethod::kDense);
  pace.note(HeapMethod::kDense, 1e9, 100);  // it learns, perhaps
  EXPECT_EQ(chosen(), HeapMethod::kDense);
  EXPECT_EQ(MethodPace(pace.slowness()).slowness(), (Slowness{1, 20}));
  EXPECT_EQ(heard(told(pace.slowness())), pace.slowness());
  pace.note(HeapMethod::kSparse, 1e9, 1.5);
  EXPECT_EQ(chosen(), HeapMethod::kSparse);
}

// An engine that has never been as fast as foretold is compared with the other, once it has had
// the time to learn.
TEST(EngineCosts, AnEngineSlowerFromTheStartIsLeft) {
  MethodPace pace;
  pace.note(HeapMethod::kDense, 1e9, 1);
  for (int look = 0; look < 3; ++look) {
    pace.note(HeapMethod::kSparse, 1e9, 10);
    EXPECT_EQ(pace.slowness(), (Slowness{1, 1}));
  }
  pace.note(HeapMethod::kSparse, 1e9, 10);
  EXPECT_EQ(pace.slowness(), (Slowness{1, 10}));
  // So are both in the end: there is no third change.
  for (int look = 0; look < 4; ++look) pace.note(HeapMethod::kDense, 1e9, 40);
  EXPECT_EQ(pace.slowness(), (Slowness{40, 10}));
}

TEST(CostForecast, RareHeapsSettleOrGoOn) {
  const auto moves = sparse::splitting_moves(HeapRule::parse("0.007")).value();
  const auto cost = [&](const SparseLoad& load, RareGrowth growth) {
    return CostForecast(moves, load, HeapMethod::kDense, true, 1 << 22, growth).cost(0, 1 << 22);
  };
  const SparseLoad calm{.heap = 1 << 14, .rare = 1000, .recent = 0, .value_limit = 256};
  EXPECT_EQ(cost(calm, RareGrowth::kSettles), cost(calm, RareGrowth::kGoesOn));
  const SparseLoad restless{.heap = 1 << 14, .rare = 4759, .recent = 2000, .value_limit = 256};
  EXPECT_LT(2 * cost(restless, RareGrowth::kSettles), cost(restless, RareGrowth::kGoesOn));
}

// The loads are those of .007; it is `sparse` that computes the octave from 2^20 on.
TEST(CostForecast, ForeseesTheEngineOfLaterOctaves) {
  const auto moves = sparse::splitting_moves(HeapRule::parse("0.007")).value();
  const SparseLoad load{.heap = 1 << 17, .rare = 18858, .recent = 4894, .value_limit = 1024};
  const CostForecast forecast(moves, load, HeapMethod::kDense, true, 1 << 21, RareGrowth::kSettles);
  ASSERT_EQ(forecast.octaves().size(), 4U);
  EXPECT_EQ(forecast.octaves().front().method, HeapMethod::kDense);
  EXPECT_EQ(forecast.octaves().back().method, HeapMethod::kSparse);
  EXPECT_EQ(forecast.octaves().back().begin, HeapSize{1} << 20);
  const HeapSize middle = (1 << 18) + 12345;
  EXPECT_NEAR(forecast.cost(0, middle) + forecast.cost(middle, 1 << 21), forecast.cost(0, 1 << 21),
              1);
  // One that does not choose stays.
  EXPECT_EQ(CostForecast(moves, load, HeapMethod::kDense, false, 1 << 21, RareGrowth::kSettles)
                .octaves()
                .back()
                .method,
            HeapMethod::kDense);
}

// The share of the work grows from block to block, although forecasts change.
TEST(AutoEngine, TellsItsProgressInTheWorkOfTheModel) {
  struct Listener final : ProgressSink {
    void report(const Progress& progress) override {
      EXPECT_GE(progress.work_done, last.work_done);
      EXPECT_LE(progress.work_done, progress.work_total);
      last = progress;
      half = progress.done <= 25000 ? progress.share() : half;
    }
    Progress last;
    double half = 0;
  } listener;
  const HeapRule rule = HeapRule::parse("0.06");
  HeapTask task{rule, 50000, select_kernels("auto"), testing_support::single_thread(), {}};
  task.progress = &listener;
  CollectSink sink;
  EXPECT_EQ(AutoEngine().run(task, sink), RunStatus::kComplete);
  EXPECT_EQ(listener.last.done, 50000U);
  EXPECT_DOUBLE_EQ(listener.last.share(), 1);
  EXPECT_LT(listener.half, 0.4);  // the later half costs more
}

}  // namespace
}  // namespace grundy
