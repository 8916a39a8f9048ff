/// @file
/// The engine `sparse` goes on from all that later heaps depend on: first heaps, newest heaps, and
/// facts about the other heaps.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <vector>

#include <gtest/gtest.h>

#include <grundy/error.hpp>
#include <grundy/known.hpp>

#include "engines/heap/auto_engine.hpp"
#include "engines/heap/dense/engine.hpp"
#include "engines/heap/known_values.hpp"
#include "engines/heap/sparse/engine.hpp"
#include "engines/heap/sparse/table.hpp"
#include "engines/heap/sparse/value_window.hpp"
#include "engines/heap/sparse_testing.hpp"
#include "support/errors.hpp"

namespace grundy {
namespace {

using testing_support::CollectSink;
using testing_support::values_by;

/// The values of the heaps below `first` and of the heaps from `behind` on.
class ValuesAround final : public KnownValues {
 public:
  ValuesAround(const std::vector<Nimber>& values, const Gone& gone, HeapSize count)
      : values_(values), gone_(gone), count_(count) {}
  [[nodiscard]] HeapSize count() const noexcept override { return count_; }
  [[nodiscard]] const Gone* gone() const noexcept override { return &gone_; }
  void replay(ValueSink& sink) const override {
    const Values all{std::span<const Nimber>(values_)};
    sink.put({0, all.subspan(0, gone_.begin), {}});
    const HeapSize middle = (gone_.end + count_) / 2;
    sink.put({gone_.end, all.subspan(gone_.end, middle - gone_.end), {}});
    sink.put({middle, all.subspan(middle, count_ - middle), {}});
  }

 private:
  const std::vector<Nimber>& values_;
  Gone gone_;
  HeapSize count_;
};

/// The facts that the engine knew at the first end of a block from heap `at` on.
class Knowledge final : public ValueSink {
 public:
  explicit Knowledge(HeapSize at) : at_(at) {}
  Flow put(const Stretch& block) override {
    if (block.end() < at_) return Flow::kContinue;
    facts = *block.sparse;
    rare.assign(block.rare.begin(), block.rare.end());
    return Flow::kStop;
  }
  SparseFacts facts;
  std::vector<HeapSize> rare;

 private:
  HeapSize at_;
};

struct Case {
  const char* notation;
  HeapSize at;      ///< where the run goes on
  HeapSize first;   ///< number of leading values that are known
  HeapSize newest;  ///< number of newest values that are known
};

class SparseState : public testing::TestWithParam<Case> {};

// 0.56 reaches 64, a new bit of the mask, at heap 22778; 0.106 has the parity of the heap in its
// split; 0.744 has codes of two bytes.
INSTANTIATE_TEST_SUITE_P(
    Games, SparseState,
    testing::Values(Case{"0.167", 60160, 16384, 8192}, Case{"0.106", 40960, 16384, 8192},
                    Case{"0.56", 20480, 8192, 8192}, Case{"0.454", 40320, 16384, 4096},
                    Case{"4.404", 41280, 16384, 16384}, Case{"0.744", 50240, 16384, 32768}),
    [](const auto& game) { return "case" + std::to_string(game.index); });

TEST_P(SparseState, GoesOnAsIfNothingWereGone) {
  const Case& game = GetParam();
  const HeapRule rule = HeapRule::parse(game.notation);
  const HeapSize count = game.at + 20001;
  const std::vector<Nimber> expected = values_by(DenseEngine(), rule, count);
  const HeapTask task{rule, count, select_kernels("auto"), testing_support::single_thread(), {}};
  Knowledge before(game.at);
  EXPECT_EQ(SparseEngine().run(task, before), RunStatus::kStoppedBySink);
  const auto known_to = static_cast<std::ptrdiff_t>(game.at);
  const auto rare_end = std::ranges::lower_bound(before.rare, game.at);
  before.facts.rare = static_cast<std::uint64_t>(rare_end - before.rare.begin());
  const KnownValues::Gone gone{
      .begin = game.first,
      .end = game.at - game.newest,
      .facts = before.facts,
      .rare = std::span(before.rare).first(before.facts.rare),
      .largest = *std::max_element(expected.begin(), expected.begin() + known_to)};
  const ValuesAround known(expected, gone, game.at);
  const std::vector<Nimber> rest(expected.begin() + known_to, expected.end());
  const SparseEngine sparse;
  const SparseEngine small_window(HeapSize{4096});
  const AutoEngine chooses;
  for (const HeapEngine* const engine :
       std::initializer_list<const HeapEngine*>{&sparse, &small_window, &chooses}) {
    for (const std::size_t threads : {1, 3}) {
      const auto executor = make_executor(threads, "threads");
      CollectSink sink(CollectSink::kNever, game.at);
      HeapTask part{rule, count, select_kernels("auto"), *executor, {}};
      part.known = &known;
      part.keep_table = false;
      EXPECT_EQ(engine->run(part, sink), RunStatus::kComplete);
      EXPECT_TRUE(sink.values() == rest) << game.notation << " by " << engine->name();
    }
  }
}

// So few values are given that some heap needs others. The table then gets them, and keeps all
// values from then on.
TEST(SparseStates, RecallsValuesThatWereLetGo) {
  const HeapRule rule = HeapRule::parse("0.454");
  constexpr HeapSize kAt = 60160;
  constexpr HeapSize kEnd = 70001;
  const std::vector<Nimber> values = values_by(DenseEngine(), rule, kEnd);
  HeapTask task{rule, kEnd, select_kernels("auto"), testing_support::single_thread(), {}};
  Knowledge before(kAt);
  EXPECT_EQ(SparseEngine().run(task, before), RunStatus::kStoppedBySink);
  ASSERT_EQ(before.rare.back(), 124);
  before.facts.depth = 124;
  const KnownValues::Gone gone{.begin = 125,
                               .end = kAt - 1100,
                               .facts = before.facts,
                               .rare = before.rare,
                               .largest = *std::ranges::max_element(values)};
  const ValuesAround known(values, gone, kAt);
  task.known = &known;
  const TwoHeapMoves moves = sparse::splitting_moves(rule).value();
  unsigned recalls = 0;
  const auto recall = [&](HeapSize from, HeapSize to, ValueSink& sink) {
    ++recalls;
    EXPECT_EQ(from, gone.begin);
    EXPECT_GE(to, gone.end);
    const std::span<const Nimber> lost = std::span(values).subspan(from, to - from);
    sink.put({.begin = from, .values = Values(lost), .table = {}});
  };
  sparse::SparseTable table(moves, task.kernels, 256, recall);
  table.load(task);
  EXPECT_FALSE(table.complete());
  while (table.size() < kEnd) table.append();
  EXPECT_EQ(recalls, 1U);
  ASSERT_TRUE(table.complete());
  for (HeapSize n = 0; n < kEnd; ++n) ASSERT_EQ(table.values()[n], values[n]) << "heap " << n;
  // If nobody has the values, the table can only report this.
  sparse::SparseTable alone(moves, task.kernels, 256);
  alone.load(task);
  const auto go_on = [&] {
    while (alone.size() < kEnd) alone.append();
  };
  EXPECT_EQ(testing_support::code_of(go_on), ErrorCode::kFailure);
}

// It is not given the values that it computes again.
TEST(SparseStates, ALaterLifeCanGoOnFromEveryBlock) {
  for (const char* notation : {"0.106", "0.156", "0.16"}) {
    const HeapRule rule = HeapRule::parse(notation);
    HeapTask task{rule, 400'000, select_kernels("auto"), testing_support::single_thread(), {}};
    task.keep_table = false;
    std::size_t states = 0;
    SinkOf sink([&](const Stretch& block) {
      if (block.newest.empty()) return;
      ++states;
      const HeapSize given = block.newest.size() - KnownValues::kWindow - KnownValues::kUnit;
      EXPECT_GE(given, 2 * (block.sparse->last_rare + rule.largest_take().value()))
          << notation << " at heap " << block.end();
    });
    EXPECT_EQ(SparseEngine(HeapSize{4096}).run(task, sink), RunStatus::kComplete);
    EXPECT_GT(states, 10U) << notation;
  }
}

// The sealed state of a life does not depend on the number of lives before it.
TEST(SparseStates, TheWindowDoesNotGrowFromLifeToLife) {
  constexpr HeapSize kStep = 100'000;
  constexpr HeapSize kLives = 6;
  constexpr HeapSize kFirst = 65536;
  const HeapRule rule = HeapRule::parse("0.106");
  const std::vector<Nimber> values = values_by(SparseEngine(), rule, (kLives + 1) * kStep);
  const HeapTask task{rule, kStep, select_kernels("auto"), testing_support::single_thread(), {}};
  Knowledge known(kStep);
  static_cast<void>(SparseEngine().run(task, known));
  HeapSize newest = kFirst;
  for (HeapSize at = kStep; at <= kLives * kStep; at += kStep) {
    const KnownValues::Gone gone{.begin = std::min(kFirst, at - newest),
                                 .end = at - newest,
                                 .facts = known.facts,
                                 .rare = known.rare,
                                 .largest = *std::ranges::max_element(values)};
    const ValuesAround earlier(values, gone, at);
    HeapTask life{rule, at + kStep, task.kernels, task.executor, {}};
    life.known = &earlier;
    life.keep_table = false;
    const HeapSize reach = 2 * (known.facts.depth + rule.largest_take().value());
    SinkOf sink([&](const Stretch& block) { newest = block.newest.size(); });
    EXPECT_EQ(SparseEngine(HeapSize{4096}).run(life, sink), RunStatus::kComplete);
    EXPECT_GE(newest, std::min(reach, at + kStep - kFirst));
    EXPECT_LE(newest, 2 * std::bit_ceil(reach + 5000) + 4096) << "up to heap " << at + kStep;
  }
}

// An interrupted life had all values in memory. The next one has them too, and lets values go when
// an undisturbed one would have, or soon after.
TEST(SparseStates, AnEarlyEndHardlyChangesTheWindow) {
  constexpr HeapSize kEnd = 300'000;
  const HeapRule rule = HeapRule::parse("0.106");
  const std::vector<Nimber> values = values_by(SparseEngine(), rule, kEnd);
  const SparseEngine engine(HeapSize{4096});
  HeapTask task{rule, kEnd, select_kernels("auto"), testing_support::single_thread(), {}};
  task.keep_table = false;
  struct Life {
    HeapSize let_go = 0;  ///< the first end of a block without the whole table
    HeapSize newest = 0;  ///< at the last
    SparseFacts facts{};
  };
  const auto run = [&](const KnownValues* known) {
    task.known = known;
    Life life;
    SinkOf sink([&](const Stretch& block) {
      if (life.let_go == 0 && block.table.empty()) life.let_go = block.end();
      life.newest = block.newest.size();
      life.facts = *block.sparse;
    });
    EXPECT_EQ(engine.run(task, sink), RunStatus::kComplete);
    return life;
  };
  const Life undisturbed = run(nullptr);
  ASSERT_GT(undisturbed.let_go, 5 * 4096U);
  const HeapSize whole = undisturbed.let_go / KnownValues::kUnit * KnownValues::kUnit;
  for (const HeapSize at :
       {KnownValues::kUnit * 32, whole / 2 / KnownValues::kUnit * KnownValues::kUnit,
        whole - 2 * KnownValues::kUnit}) {
    Knowledge before(at);
    task.known = nullptr;
    EXPECT_EQ(engine.run(task, before), RunStatus::kStoppedBySink);
    const auto rare = std::ranges::lower_bound(before.rare, at) - before.rare.begin();
    before.facts.rare = static_cast<std::uint64_t>(rare);
    const KnownValues::Gone none{.begin = at / 2,
                                 .end = at / 2,
                                 .facts = before.facts,
                                 .rare = std::span(before.rare).first(before.facts.rare),
                                 .largest = *std::ranges::max_element(values)};
    const ValuesAround known(values, none, at);
    const Life later = run(&known);
    EXPECT_LE(later.facts.depth, 4 * undisturbed.facts.depth) << "from heap " << at;
    EXPECT_LE(later.let_go, 2 * undisturbed.let_go) << "from heap " << at;
    EXPECT_LE(later.newest, 2 * undisturbed.newest) << "from heap " << at;
    EXPECT_GT(later.let_go, at);
  }
}

// The slow way looks up rare heaps among the first values and their partners among the newest.
TEST(SparseStates, TheSlowWayDecidesHeapsBehindAGap) {
  struct Gap {
    const char* notation;
    HeapSize begin, end, at;
  };
  for (const Gap& gap :
       {Gap{"0.776", 19'200, 32'000, 64'000}, Gap{"4!.0", 96'000, 192'000, 400'000}}) {
    constexpr HeapSize kMore = 300;
    const HeapRule rule = HeapRule::parse(gap.notation);
    const std::vector<Nimber> values = values_by(SparseEngine(), rule, gap.at + kMore);
    HeapTask task{rule, gap.at, select_kernels("auto"), testing_support::single_thread(), {}};
    Knowledge before(gap.at);
    SparseEngine().run(task, before);
    const KnownValues::Gone gone{.begin = gap.begin,
                                 .end = gap.end,
                                 .facts = before.facts,
                                 .rare = before.rare,
                                 .largest = *std::ranges::max_element(values)};
    const ValuesAround known(values, gone, gap.at);
    task.known = &known;
    sparse::SparseTable table(sparse::splitting_moves(rule).value(), task.kernels, HeapSize{1024});
    table.load(task);
    ASSERT_FALSE(table.complete()) << gap.notation;
    for (HeapSize n = gap.at; n < gap.at + kMore; ++n) {
      table.append();
      ASSERT_EQ(table.window()[n], values[n]) << gap.notation << ", heap " << n;
    }
    EXPECT_FALSE(table.complete()) << gap.notation;
  }
}

// The more rare heaps there are, the more first values are kept. A later life knows them before it
// decides what to keep.
TEST(SparseStates, ALaterLifeKeepsAsManyFirstValues) {
  constexpr HeapSize kEnd = 800'000;
  const HeapRule rule = HeapRule::parse("0.776");  // 502 rare heaps
  const std::vector<Nimber> values = values_by(SparseEngine(), rule, kEnd);
  const SparseEngine engine(HeapSize{16384});
  HeapTask task{rule, kEnd, select_kernels("auto"), testing_support::single_thread(), {}};
  task.keep_table = false;
  HeapSize let_go = 0;
  HeapSize first = 0;
  SinkOf sink([&](const Stretch& block) {
    if (let_go == 0 && block.table.empty()) let_go = block.end();
    first = block.first.size();
  });
  ASSERT_EQ(engine.run(task, sink), RunStatus::kComplete);
  ASSERT_GT(first, 4 * 16384U * 6);
  const HeapSize at = (let_go / KnownValues::kUnit - 2) * KnownValues::kUnit;
  const HeapSize kept = std::exchange(first, 0);
  Knowledge before(at);
  ASSERT_EQ(engine.run(task, before), RunStatus::kStoppedBySink);
  const KnownValues::Gone none{.begin = at,
                               .end = at,
                               .facts = before.facts,
                               .rare = before.rare,
                               .largest = *std::ranges::max_element(values)};
  const ValuesAround known(values, none, at);
  task.known = &known;
  ASSERT_EQ(engine.run(task, sink), RunStatus::kComplete);
  EXPECT_GE(first, kept);
}

// Nobody tells how far the heaps of such values have looked back. They may have looked back over
// all of them, which bounds the window all the same.
TEST(SparseStates, ValuesAloneAreLetGoInTime) {
  constexpr HeapSize kAt = 64'000;
  const HeapRule rule = HeapRule::parse("0.106");
  const std::vector<Nimber> values = values_by(SparseEngine(), rule, kAt);
  const HeldValues known{Values(std::span<const Nimber>(values))};
  HeapTask task{rule, 16 * kAt, select_kernels("auto"), testing_support::single_thread(), {}};
  task.keep_table = false;
  task.known = &known;
  HeapSize most = 0;
  SinkOf sink([&](const Stretch& block) {
    most = std::max(most, std::max(block.table.size(), block.first.size() + block.newest.size()));
  });
  EXPECT_EQ(SparseEngine(HeapSize{4096}).run(task, sink), RunStatus::kComplete);
  EXPECT_LT(most, 9 * kAt);
}

// Room behind the values costs as much time to move as values do.
TEST(ValueWindow, MovesValuesAlone) {
  constexpr HeapSize kFirst = 10;
  constexpr HeapSize kFrom = 70;
  constexpr HeapSize kEnd = 80;
  sparse::ValueWindow window;
  window.reserve(200);
  auto* const data = window.buffer().data<std::uint8_t>();
  for (HeapSize n = 0; n < 200; ++n) data[n] = static_cast<std::uint8_t>(n);
  window.forget(kFirst, kFrom, kEnd);
  for (HeapSize n = kFrom; n < kEnd; ++n) EXPECT_EQ(window[n], n);
  // What lies behind them in the buffer was not touched.
  EXPECT_EQ(data[kFirst + kEnd - kFrom], kFirst + kEnd - kFrom);
}

}  // namespace
}  // namespace grundy
