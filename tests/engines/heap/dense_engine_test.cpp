/// @file
/// The dense engine: block sizes, widths, kernels and threads must not show in the values, and
/// epochs must join seamlessly. ladder_test.cpp has random rules of every kind.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engines/heap/dense/beginning.hpp"
#include "engines/heap/dense/engine.hpp"
#include "engines/heap/reference_engine.hpp"
#include "heap_testing.hpp"
#include "kernels/filter_kernels.hpp"

namespace grundy {
namespace {

using testing_support::CollectSink;
using testing_support::single_thread;
using testing_support::values_by;

const DenseEngine kDense;
const ReferenceEngine kReference;

std::vector<Nimber> dense_values(const HeapEngine& engine, const HeapRule& rule, HeapSize count,
                                 std::optional<HeapSize> block, const KernelSet& kernels,
                                 Executor& executor) {
  CollectSink sink;
  const HeapTask task{rule, count, kernels, executor, {}, nullptr, block};
  EXPECT_EQ(engine.run(task, sink), RunStatus::kComplete);
  return sink.values();
}

class DenseRules : public testing::TestWithParam<const char*> {
 protected:
  const HeapRule rule = HeapRule::parse(GetParam());
};

TEST_P(DenseRules, BlockSizesDoNotShow) {
  const std::vector<Nimber> expected = values_by(kReference, rule, 3000);
  for (const HeapSize block :
       {HeapSize{1}, HeapSize{2}, HeapSize{63}, HeapSize{64}, HeapSize{65}, HeapSize{129},
        HeapSize{255}, HeapSize{256}, HeapSize{257}, HeapSize{513}, HeapSize{4096}, ~HeapSize{0}}) {
    EXPECT_EQ(dense_values(kDense, rule, 3000, block, select_kernels("auto"), single_thread()),
              expected)
        << "block " << block;
  }
}

TEST_P(DenseRules, KernelsAndThreadsDoNotShow) {
  const std::vector<Nimber> expected = values_by(kReference, rule, 5000);
  for (const KernelSet& kernels : available_kernels()) {
    for (const std::size_t threads : {1, 2, 3}) {
      const auto executor = make_executor(threads, "threads");
      EXPECT_EQ(dense_values(kDense, rule, 5000, {}, kernels, *executor), expected)
          << kernels.name << ", " << threads << " threads";
    }
  }
}

TEST_P(DenseRules, EveryWidthGivesTheSameValues) {
  const std::vector<Nimber> expected = values_by(kReference, rule, 2000);
  // 16 bits from value 4 on, 32 bits from value 8 on.
  const DenseEngine narrow(DenseEngine::Limits{.u8 = 3, .u16 = 7});
  for (const std::optional<HeapSize> block : {std::optional<HeapSize>(64), {}}) {
    EXPECT_EQ(dense_values(narrow, rule, 2000, block, select_kernels("auto"), single_thread()),
              expected);
  }
}

std::string test_name(const testing::TestParamInfo<const char*>& info) {
  std::string name;
  for (const char* c = info.param; *c != '\0'; ++c) {
    if (*c == '!') name += "Unequal";
    if (*c == '?') name += "NotEqual";
    if (*c == '=') name += "Equal";
    name += std::isalnum(static_cast<unsigned char>(*c)) != 0 ? *c : '_';
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(Games, DenseRules,
                         testing::Values("0.77", "0.07", "0.6", "0.06", "0.007", "4.007", "4.77",
                                         "4!.0", "0.4!5", "4?.3", "0.04=7", "4=.37", "0.3333",
                                         "0.156", "0.000000000000000000004", "4.000057", "0.5",
                                         "4.0000000000000004", "S{1,2,5}"),
                         test_name);

TEST(DenseEngine, WidensWhereARealGameNeedsIt) {
  // Removing 1 to 300 tokens: values 0 to 300, in turn.
  const HeapRule rule = HeapRule::parse("0." + std::string(300, '3'));
  ValueWidth first = ValueWidth::kU32;
  ValueWidth last = ValueWidth::kU8;
  struct Sink : ValueSink {
    ValueWidth& first;
    ValueWidth& last;
    Sink(ValueWidth& f, ValueWidth& l) : first(f), last(l) {}
    Flow put(const Stretch& block) override {
      if (block.begin == 0) first = block.values.width();
      last = block.values.width();
      for (std::size_t i = 0; i < block.values.size(); ++i) {
        EXPECT_EQ(block.values[i], (block.begin + i) % 301);
      }
      return Flow::kContinue;
    }
  } sink(first, last);
  kDense.run({rule, 1000, select_kernels("auto"), single_thread(), {}}, sink);
  EXPECT_EQ(first, ValueWidth::kU8);
  EXPECT_EQ(last, ValueWidth::kU16);
}

// Values fill several open sets. One move, the first ones or the last one split, too.
TEST(DenseEngine, ManyValuesAreTakenSliceBySlice) {
  const std::string many(4498, '3');
  for (const std::string& digits :
       {"73" + many, "77" + many, "7333737" + many, "7" + std::string(15, '3') + "7" + many,
        std::string(2600, '3') + "7"}) {
    const HeapRule rule = HeapRule::parse("0." + digits);
    const std::vector<Nimber> expected = values_by(kReference, rule, 7000);
    EXPECT_GT(std::ranges::max(expected), kOpenValues);
    for (const KernelSet& kernels : available_kernels()) {
      const auto executor = make_executor(2, "threads");
      EXPECT_EQ(dense_values(kDense, rule, 7000, {}, kernels, *executor), expected) << kernels.name;
    }
  }
}

TEST(DenseEngine, EpochsJoinWithoutASeam) {
  const HeapRule rule = HeapRule::parse("0.06");
  EXPECT_EQ(values_by(kDense, rule, 20000), values_by(kReference, rule, 20000));
}

TEST(DenseEngine, CountsOfEverySmallSizeWork) {
  const HeapRule rule = HeapRule::parse("0.77");
  const std::vector<Nimber> expected = values_by(kReference, rule, 140);
  for (HeapSize count = 0; count <= expected.size(); ++count) {
    EXPECT_EQ(values_by(kDense, rule, count),
              std::vector<Nimber>(expected.begin(), expected.begin() + count));
  }
}

TEST(DenseEngine, StopsWhenTheSinkHasEnough) {
  const HeapRule rule = HeapRule::parse("0.77");
  CollectSink sink(1000);
  EXPECT_EQ(kDense.run({rule, 100000, select_kernels("auto"), single_thread(), {}}, sink),
            RunStatus::kStoppedBySink);
  EXPECT_LT(sink.values().size(), 2000u);
}

TEST(DenseEngine, StopsOnRequest) {
  const HeapRule rule = HeapRule::parse("0.77");
  std::stop_source source;
  source.request_stop();
  CollectSink sink;
  EXPECT_EQ(
      kDense.run({rule, 1000, select_kernels("auto"), single_thread(), source.get_token()}, sink),
      RunStatus::kCancelled);
  EXPECT_TRUE(sink.values().empty());
}

/// A beginning of its own, behind the values of an engine.
struct Beginning {
  explicit Beginning(const char* notation, HeapSize known = DenseBeginning::kFirst)
      : rule(HeapRule::parse(notation)), moves(TwoHeapMoves::of(rule).value()) {
    const std::vector<Nimber> first = values_by(kReference, rule, known);
    table.append(Values(std::span<const Nimber>(first)));
    table.promote(ValueWidth::kU16);
    sink.put({0, table.values(), table.values()});
  }
  EpochEnd run(Nimber most) { return DenseBeginning(task, moves).run(table, most, sink); }

  HeapRule rule;
  TwoHeapMoves moves;
  HeapTask task{rule, 40'000, select_kernels("auto"), single_thread(), {}};
  ValueBuffer table;
  CollectSink sink;
};

TEST(DenseBeginning, FindsHeapsAsLongAsItSuits) {
  for (const char* notation : {"0.007", "4!.0", "0.376", "4.004"}) {
    Beginning beginning(notation, notation[0] == '0' ? DenseBeginning::kFirst : 1001);
    EXPECT_EQ(beginning.run(largest_value(ValueWidth::kU16)), EpochEnd::kReachedEnd);
    const HeapSize count = beginning.table.size();
    EXPECT_GT(count, 4096u) << notation;
    EXPECT_LT(count, 40'000u) << notation;
    const std::vector<Nimber> expected = values_by(kReference, beginning.rule, count);
    for (HeapSize n = 0; n < count; ++n) ASSERT_EQ(beginning.table.values()[n], expected[n]) << n;
    const DenseBeginning again(beginning.task, beginning.moves);
    EXPECT_FALSE(again.suits(count, *std::ranges::max_element(expected)));
  }
}

TEST(DenseBeginning, EndsBeforeAValueWithoutRoom) {
  Beginning beginning("0.007");
  const std::vector<Nimber> expected = values_by(kReference, beginning.rule, 2000);
  const auto large = std::ranges::find_if(expected, [](Nimber value) { return value > 40; });
  EXPECT_EQ(beginning.run(40), EpochEnd::kNeedsRoom);
  EXPECT_EQ(beginning.table.size(), static_cast<HeapSize>(large - expected.begin()));
}

TEST(DenseBeginning, LeavesLongCodesAndManyValues) {
  const Beginning usual("0.007");
  const DenseBeginning beginning(usual.task, usual.moves);
  EXPECT_TRUE(beginning.suits(4096, 200));
  EXPECT_FALSE(beginning.suits(4096, 2000));
  EXPECT_FALSE(beginning.suits(1, 0));
  const Beginning large(("0." + std::string(69, '0') + "7").c_str());
  EXPECT_TRUE(DenseBeginning::fits(usual.moves));
  EXPECT_FALSE(DenseBeginning::fits(large.moves));
}

}  // namespace
}  // namespace grundy
