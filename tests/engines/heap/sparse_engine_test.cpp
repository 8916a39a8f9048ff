/// @file
/// The sparse-space engine against the definition: catalogue games, random octal codes, bad splits,
/// every kernel and several numbers of threads.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <grundy/error.hpp>

#include "engines/heap/dense/engine.hpp"
#include "engines/heap/reference_engine.hpp"
#include "engines/heap/sparse/engine.hpp"
#include "engines/heap/sparse_testing.hpp"

namespace grundy {
namespace {

using sparse::Split;
using testing_support::CollectSink;
using testing_support::expect_equal_to_reference;
using testing_support::random_splitting_code;
using testing_support::values_by;

/// Beyond this heap fast phases are under way.
constexpr HeapSize kCount = 7000;

class SparseGame : public testing::TestWithParam<const char*> {};

// Few and many codes, one to three splits, splits without taking, position parity (0.106, 0.127,
// 0.205), late rare heaps (0.376, 0.362), whole-heap moves, and a split into unequal heaps.
INSTANTIATE_TEST_SUITE_P(Games, SparseGame,
                         testing::Values("4!.0", "0.6", "0.16", "0.454", "0.106", "0.127", "0.205",
                                         "0.104", "0.376", "0.362", "0.167", "0.77", "0.07", "4.07",
                                         "4.404", "0.007", "0.143", "0.26", "4!.06", "0.37371",
                                         "0.74000000000000004", "0.740000000000000004"),
                         [](const auto& game) {
                           std::string name;
                           for (const char c : std::string(game.param)) {
                             name += c == '.' ? '_' : c == '!' ? 'u' : c;
                           }
                           return name;
                         });

TEST_P(SparseGame, EqualsTheDefinition) {
  const SparseEngine with_any_split{Split{}};
  EXPECT_TRUE(with_any_split.refusal(HeapRule::parse(GetParam())).empty());
  expect_equal_to_reference(SparseEngine(), GetParam(), kCount);
}

TEST(SparseEngine, RandomOctalCodes) {
  std::mt19937 random(20240601);
  for (int round = 0; round < 60; ++round) {
    expect_equal_to_reference(SparseEngine(), random_splitting_code(random), 5000);
  }
}

// The split decides the speed, never the values.
TEST(SparseEngine, BadSplitsGiveTheSameTable) {
  for (const Split& split : {Split{}, Split{1, false, true}, Split{6, false, true},
                             Split{0x55, false, true}, Split{0x100, false, true}}) {
    for (const char* notation : {"4!.0", "0.6", "0.77", "0.376"}) {
      expect_equal_to_reference(SparseEngine(split), notation, 5500);
    }
  }
  // Splits that remove an even, and an odd, number of tokens.
  expect_equal_to_reference(SparseEngine(Split{3, true, true}), "0.04", 5500);
  expect_equal_to_reference(SparseEngine(Split{3, true, false}), "0.106", 5500);
}

TEST(SparseEngine, ThreadsKernelsAndBlocksDoNotMatter) {
  const HeapRule rule = HeapRule::parse("4!.0");
  constexpr HeapSize kLong = 40000;  // past 36041, where a fast phase finds a new rare heap
  const auto expected = values_by(SparseEngine(), rule, kLong);
  for (const std::size_t threads : {2, 3, 5}) {
    const auto executor = make_executor(threads, "threads");
    CollectSink sink;
    const HeapTask task{rule, kLong, select_kernels("auto"), *executor, {}};
    EXPECT_EQ(SparseEngine().run(task, sink), RunStatus::kComplete);
    EXPECT_EQ(sink.values(), expected) << threads << " threads";
  }
  for (const KernelSet& kernels : available_kernels()) {
    for (const char* notation : {"0.167", "0.56"}) {
      const HeapRule other = HeapRule::parse(notation);
      CollectSink sink;
      const HeapTask task{other, kCount, kernels, testing_support::single_thread(), {}};
      EXPECT_EQ(SparseEngine().run(task, sink), RunStatus::kComplete);
      EXPECT_EQ(sink.values(), values_by(ReferenceEngine(), other, kCount)) << kernels.name;
    }
  }
  for (const HeapSize block : {1, 63, 100, 4096}) {
    CollectSink sink;
    const HeapTask task{rule,    9001, select_kernels("auto"), testing_support::single_thread(), {},
                        nullptr, block};
    EXPECT_EQ(SparseEngine().run(task, sink), RunStatus::kComplete);
    EXPECT_EQ(sink.values(), std::vector<Nimber>(expected.begin(), expected.begin() + 9001));
  }
}

// Blocks that were computed before their predecessors were proved find rare heaps after long
// stretches without any. All values after such a heap are discarded. The dense engine knows no rare
// heaps.
TEST(SparseEngine, LateRareHeapsRollBackWhatWasSpeculated) {
  struct Game {
    const char* notation;
    HeapSize count;
    HeapSize late;  ///< a rare heap
    HeapSize calm;  ///< number of common heaps before it
  };
  for (const Game& game : {Game{"4!.0", 90001, 82860, 30000}, Game{"0.376", 40001, 0, 2048},
                           Game{"0.362", 40001, 0, 2048}}) {
    const HeapRule rule = HeapRule::parse(game.notation);
    const auto expected = values_by(DenseEngine(), rule, game.count);
    std::vector<HeapSize> rare;
    for (const auto& [threads, backend] :
         {std::pair{1, "tbb"}, {2, "tbb"}, {3, "tbb"}, {5, "tbb"}, {3, "threads"}}) {
      const auto executor = make_executor(static_cast<std::size_t>(threads), backend);
      class Both final : public ValueSink {
       public:
        Flow put(const Stretch& block) override {
          rare.assign(block.rare.begin(), block.rare.end());
          return values.put(block);
        }
        std::vector<HeapSize> rare;
        CollectSink values;
      } sink;
      const HeapTask task{rule, game.count, select_kernels("auto"), *executor, {}};
      EXPECT_EQ(SparseEngine().run(task, sink), RunStatus::kComplete);
      EXPECT_TRUE(sink.values.values() == expected) << game.notation << ", " << threads;
      rare = sink.rare;
    }
    if (game.late != 0) {
      EXPECT_EQ(rare.back(), game.late);
    }
    // A phase was under way when a rare heap came.
    bool calm_before = false;
    for (std::size_t i = 1; i < rare.size(); ++i) {
      calm_before |= rare[i - 1] > 4096 && rare[i] - rare[i - 1] > game.calm;
    }
    EXPECT_TRUE(calm_before) << game.notation;
  }
}

// Where rare heaps come one after another, phases begin within blocks and go on with the windows of
// the one before: rows of codes of a byte (0.143) and of two (0.064), pairs in planes (0.206). The
// dense engine knows no phases.
TEST(SparseEngine, PhasesGoOnFromRareHeapToRareHeap) {
  for (const char* const notation : {"0.143", "0.064", "0.206"}) {
    const HeapRule rule = HeapRule::parse(notation);
    constexpr HeapSize kLong = 100001;
    const auto expected = values_by(DenseEngine(), rule, kLong);
    for (const auto& [threads, block] :
         {std::pair<std::size_t, std::optional<HeapSize>>{1, std::nullopt}, {1, 64}, {3, 700}}) {
      const auto executor = make_executor(threads, "threads");
      CollectSink sink;
      const HeapTask task{.rule = rule,
                          .count = kLong,
                          .kernels = select_kernels("auto"),
                          .executor = *executor,
                          .block = block};
      EXPECT_EQ(SparseEngine().run(task, sink), RunStatus::kComplete);
      EXPECT_TRUE(sink.values() == expected) << notation << ", " << threads << " threads";
    }
  }
}

// A window of 4096 heaps slides often; Grundy's game then keeps all, for its rare heaps come late.
TEST(SparseEngine, ConstantMemoryGivesTheSameTable) {
  for (const char* notation : {"0.167", "0.16", "0.454", "0.106", "0.356", "4.404", "4!.0"}) {
    const HeapRule rule = HeapRule::parse(notation);
    const HeapSize count = 90001;
    const auto expected = values_by(SparseEngine(), rule, count);
    CollectSink sink;
    HeapTask task{rule, count, select_kernels("auto"), testing_support::single_thread(), {}};
    task.keep_table = false;
    EXPECT_EQ(SparseEngine(HeapSize{4096}).run(task, sink), RunStatus::kComplete);
    EXPECT_TRUE(sink.values() == expected) << notation;
  }
}

// A state can be sealed behind every block only if a section of the digest is there, however blocks
// lie in the sections.
TEST(SparseEngine, KeepsAWindowBelowEveryBlock) {
  constexpr HeapSize kWindow = 4096;
  class Windows final : public ValueSink {
   public:
    Flow put(const Stretch& block) override {
      if (!block.newest.empty()) {
        ++blocks;
        least = std::min<HeapSize>(least, block.newest.size());
        EXPECT_EQ(block.newest[block.newest.size() - 1], block.values[block.values.size() - 1]);
      }
      return Flow::kContinue;
    }
    HeapSize blocks = 0, least = kWindow * 100;
  };
  for (const HeapSize block : {1, 320, 999, 1000, 1023, 1024}) {
    Windows sink;
    HeapTask task{HeapRule::parse("0.106"),
                  200'001,
                  select_kernels("auto"),
                  testing_support::single_thread(),
                  {}};
    task.keep_table = false;
    task.block = block;
    EXPECT_EQ(SparseEngine(kWindow).run(task, sink), RunStatus::kComplete);
    EXPECT_GT(sink.blocks, 10u);
    EXPECT_GE(sink.least, kWindow) << block;
  }
}

// Codes of more than a byte have more planes, and witnesses from planes if they are many.
TEST(SparseEngine, ManyCodesAreExactWithEveryKernelAndNumberOfThreads) {
  for (const char* notation : {"0.776", "0.744", "0.564"}) {
    const HeapRule rule = HeapRule::parse(notation);
    constexpr HeapSize kLong = 20000;
    const auto expected = values_by(DenseEngine(), rule, kLong);
    EXPECT_GE(*std::ranges::max_element(expected), 256u) << notation;
    for (const KernelSet& kernels : available_kernels()) {
      CollectSink sink;
      const HeapTask task{rule, kLong, kernels, testing_support::single_thread(), {}};
      EXPECT_EQ(SparseEngine().run(task, sink), RunStatus::kComplete);
      EXPECT_TRUE(sink.values() == expected) << notation << ", " << kernels.name;
    }
    for (const auto& [threads, backend] : {std::pair{2, "tbb"}, {5, "tbb"}, {3, "threads"}}) {
      const auto executor = make_executor(static_cast<std::size_t>(threads), backend);
      CollectSink sink;
      const HeapTask task{rule, kLong, select_kernels("auto"), *executor, {}};
      EXPECT_EQ(SparseEngine().run(task, sink), RunStatus::kComplete);
      EXPECT_TRUE(sink.values() == expected) << notation << ", " << threads << " threads";
    }
  }
}

// More than 128 codes, and after heap 31025 only 71722 is rare: codes of a byte are used up to the
// next heap that a move leaves two rare heaps of (61847, 102647).
TEST(SparseEngine, CodesOfAByteBetweenSumsOfRareHeaps) {
  const HeapRule rule = HeapRule::parse("0.034");
  constexpr HeapSize kLong = 110000;
  const auto expected = values_by(DenseEngine(), rule, kLong);
  for (const std::size_t threads : {1, 3}) {
    const auto executor = make_executor(threads, "threads");
    for (const bool keep_table : {true, false}) {
      CollectSink sink;
      HeapTask task{rule, kLong, select_kernels("auto"), *executor, {}};
      task.keep_table = keep_table;
      EXPECT_EQ(SparseEngine().run(task, sink), RunStatus::kComplete);
      EXPECT_TRUE(sink.values() == expected) << threads << " threads, " << keep_table;
    }
  }
}

/// Keeps the facts that the engine reports about the sparse space.
class FactsSink final : public ValueSink {
 public:
  Flow put(const Stretch& block) override {
    EXPECT_NE(block.sparse, nullptr);
    facts = *block.sparse;
    return Flow::kContinue;
  }
  SparseFacts facts;
};

// Moves that remove so much leave windows in which no pair of heaps lies.
TEST(SparseEngine, ManyCodesWithoutPairsOfHeaps) {
  const HeapRule rule = HeapRule::parse("0." + std::string(998, '3') + "7");
  constexpr HeapSize kLong = 9000;
  EXPECT_EQ(values_by(SparseEngine(), rule, kLong), values_by(DenseEngine(), rule, kLong));
}

TEST(SparseEngine, TellsTheSparseSpace) {
  const HeapRule rule = HeapRule::parse("0.356");
  FactsSink sink;
  const HeapTask task{rule, 20000, select_kernels("auto"), testing_support::single_thread(), {}};
  EXPECT_EQ(SparseEngine().run(task, sink), RunStatus::kComplete);
  EXPECT_EQ(sink.facts.mask, 0x1b);
  EXPECT_FALSE(sink.facts.parity);
  EXPECT_EQ(sink.facts.rare, 6);
  EXPECT_EQ(sink.facts.last_rare, 43);
  EXPECT_EQ(sink.facts.count, 20000);
  // Every smaller value has a witness no deeper than that.
  const auto values = values_by(ReferenceEngine(), rule, 3000);
  for (HeapSize n = 2000; n < 3000; ++n) {
    std::vector<bool> reached(values[n]);
    for (HeapSize take = 1; take <= 3; ++take) {
      const unsigned digit = take == 1 ? 3 : take == 2 ? 5 : 6;
      if ((digit & 2) != 0 && values[n - take] < values[n]) reached[values[n - take]] = true;
      if ((digit & 4) == 0) continue;
      for (HeapSize a = 1; a <= std::min(sink.facts.depth, (n - take) / 2); ++a) {
        const Nimber option = values[a] ^ values[n - take - a];
        if (option < values[n]) reached[option] = true;
      }
    }
    for (const bool one : reached) EXPECT_TRUE(one) << "heap " << n;
  }
}

// The reported facts do not depend on the number of threads, although it determines which taps
// mark.
TEST(SparseEngine, TellsTheSameWithAnyNumberOfThreads) {
  for (const char* notation : {"4!.0", "0.6", "0.376", "0.744", "0.106", "0.064"}) {
    const HeapRule rule = HeapRule::parse(notation);
    std::vector<SparseFacts> facts;
    for (const std::size_t threads : {2, 5}) {
      const auto executor = make_executor(threads, "threads");
      FactsSink sink;
      const HeapTask task{rule, 70000, select_kernels("auto"), *executor, {}};
      EXPECT_EQ(SparseEngine().run(task, sink), RunStatus::kComplete);
      facts.push_back(sink.facts);
    }
    EXPECT_EQ(facts[0].mask, facts[1].mask) << notation;
    EXPECT_EQ(facts[0].parity, facts[1].parity) << notation;
    EXPECT_EQ(facts[0].rare, facts[1].rare) << notation;
    EXPECT_EQ(facts[0].last_rare, facts[1].last_rare) << notation;
    EXPECT_EQ(facts[0].depth, facts[1].depth) << notation;
    EXPECT_EQ(facts[0].count, facts[1].count) << notation;
  }
}

// The trap of a growing mask: 0.56 reaches 64 at heap 22778, which is rare under the mask of the
// smaller values. Here that happens after values have been let go, when rare heaps are not allowed
// any more; what the engine then says is what counting all values says.
TEST(SparseEngine, NewBitsOfValuesInConstantMemory) {
  const HeapRule rule = HeapRule::parse("0.56");
  constexpr HeapSize kWindow = 4096;
  constexpr HeapSize kEnd = 131073;
  class Both final : public ValueSink {
   public:
    Flow put(const Stretch& block) override {
      facts = *block.sparse;
      return values.put(block);
    }
    SparseFacts facts;
    CollectSink values;
  } whole, window;
  HeapTask task{rule, kEnd, select_kernels("auto"), testing_support::single_thread(), {}};
  EXPECT_EQ(SparseEngine().run(task, whole), RunStatus::kComplete);
  task.keep_table = false;
  EXPECT_EQ(SparseEngine(kWindow).run(task, window), RunStatus::kComplete);
  const std::vector<Nimber>& values = whole.values.values();
  EXPECT_TRUE(window.values.values() == values);
  const auto first = std::ranges::find_if(values, [](Nimber v) { return v >= 64; });
  EXPECT_GT(first - values.begin(), 3 * kWindow);
  EXPECT_EQ(whole.facts.mask, 0x5b);
  EXPECT_EQ(window.facts.mask, 0x5b);
  EXPECT_EQ(window.facts.rare, whole.facts.rare);
  EXPECT_EQ(window.facts.last_rare, 1795);
}

TEST(SparseEngine, StopsWhenTheSinkOrTheUserSaysSo) {
  const HeapRule rule = HeapRule::parse("0.16");
  CollectSink sink(10000);
  const HeapTask task{rule,    100000, select_kernels("auto"), testing_support::single_thread(), {},
                      nullptr, 1000};
  EXPECT_EQ(SparseEngine().run(task, sink), RunStatus::kStoppedBySink);
  EXPECT_EQ(sink.values().size(), 10000);
  std::stop_source stop;
  stop.request_stop();
  CollectSink cancelled;
  const HeapTask second{rule, 100000, select_kernels("auto"), testing_support::single_thread(),
                        stop.get_token()};
  EXPECT_EQ(SparseEngine().run(second, cancelled), RunStatus::kCancelled);
}

TEST(SparseEngine, RefusesWhatItCannotDoAndDoubtsWhatItShouldNot) {
  const SparseEngine engine;
  for (const char* notation : {"S{1,2,5}", "0.33", "0.[7]", "4=.0", "hex:0.07F"}) {
    EXPECT_FALSE(engine.refusal(HeapRule::parse(notation)).empty()) << notation;
  }
  const HeapRule slow = HeapRule::parse("0.06");
  EXPECT_EQ(engine.refusal(slow), "");
  EXPECT_EQ(engine.doubt(slow),
            "rare heaps do not become few: of heaps 8192 to 16383, 2528 are rare under the best "
            "split of its values");
  EXPECT_EQ(&select_heap_engine("sparse", slow, 1000), &kSparseEngine);
  EXPECT_NE(&select_heap_engine("auto", slow, 1000), &kSparseEngine);
  // In `.172` 684 of heaps 4096 to 8191 are rare, and 464 of twice as many behind them.
  for (const char* notation : {"4!.0", "0.6", "0.16", "0.106", "0.77", "0.376", "0.172"}) {
    const HeapRule rule = HeapRule::parse(notation);
    EXPECT_EQ(engine.refusal(rule) + engine.doubt(rule), "") << notation;
  }
}

// However many heaps are rare, the values are right.
TEST(SparseEngine, ManyRareHeapsCostTimeOnly) {
  for (const char* notation : {"0.005", "0.06", "0.172", "0.224"}) {
    const HeapRule rule = HeapRule::parse(notation);
    constexpr HeapSize kHeaps = 12000;
    EXPECT_EQ(testing_support::values_by(SparseEngine(), rule, kHeaps),
              testing_support::values_by(kDenseEngine, rule, kHeaps))
        << notation;
  }
}

}  // namespace
}  // namespace grundy
