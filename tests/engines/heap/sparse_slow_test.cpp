/// @file
/// Long tests of the sparse-space engine: every unsolved class of octal games with up to three
/// digits, 300 random codes, and the published figures of Grundy's game and Officers.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "engines/heap/auto_engine.hpp"
#include "engines/heap/dense/engine.hpp"
#include "engines/heap/sparse/engine.hpp"
#include "engines/heap/sparse_testing.hpp"

namespace grundy {
namespace {

using testing_support::expect_equal_to_reference;
using testing_support::random_splitting_code;
using testing_support::values_by;

// The 74 unsolved classes of octal codes of up to three digits, and solved ones with long periods.
class EveryClass : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(
    Octal, EveryClass,
    testing::Values("0.6", "0.04", "0.06", "0.14", "0.36", "0.64", "0.74", "0.76", "0.004", "0.005",
                    "0.006", "0.014", "0.015", "0.016", "0.024", "0.026", "0.034", "0.064", "0.114",
                    "0.125", "0.126", "0.135", "0.136", "0.142", "0.143", "0.146", "0.161", "0.162",
                    "0.163", "0.164", "0.166", "0.167", "0.172", "0.174", "0.204", "0.205", "0.206",
                    "0.207", "0.224", "0.244", "0.245", "0.264", "0.314", "0.324", "0.334", "0.336",
                    "0.342", "0.344", "0.346", "0.362", "0.364", "0.366", "0.371", "0.374", "0.404",
                    "0.414", "0.416", "0.444", "0.564", "0.604", "0.606", "0.744", "0.764", "0.774",
                    "0.776", "4.004", "4.007", "4.026", "4.044", "4.045", "4.324", "4.327", "4.367",
                    "4.404", "0.156", "0.356", "0.644", "0.165", "0.16", "0.56", "0.127", "0.376",
                    "0.454", "4.364", "0.106", "0.054", "0.104", "0.354", "0.055", "0.45", "4.344",
                    "4!.0"),
    [](const auto& game) {
      std::string name = game.param;
      for (char& c : name) c = c == '.' || c == '!' ? '_' : c;
      return name;
    });

TEST_P(EveryClass, EqualsTheDefinitionTo20000) {
  expect_equal_to_reference(SparseEngine(), GetParam(), 20001);
}

TEST(SparseEngineAtLength, RandomOctalCodes) {
  std::mt19937 random(300);
  for (int round = 0; round < 300; ++round) {
    expect_equal_to_reference(SparseEngine(), random_splitting_code(random), 6000);
  }
}

HeapSize count_rare(const std::vector<Nimber>& values, const sparse::Split& split, HeapSize& last) {
  HeapSize count = 0;
  for (HeapSize n = 1; n < values.size(); ++n) {
    if (split.is_common(values[n], n)) continue;
    ++count;
    last = n;
  }
  return count;
}

// Flammenkamp's figures for Grundy's game, recomputed by several programs: 1273 rare heaps, the
// last 82860, maximum 231 at 763622.
TEST(SparseEngineAtLength, GrundysGameTo2097152) {
  const auto values = values_by(SparseEngine(), HeapRule::parse("4!.0"), (1u << 21) + 1);
  HeapSize last = 0;
  EXPECT_EQ(count_rare(values, {0xfe, false, true}, last), 1273);
  EXPECT_EQ(last, 82860);
  EXPECT_EQ(values[82860], 108);
  const auto top = std::ranges::max_element(values);
  EXPECT_EQ(*top, 231);
  EXPECT_EQ(top - values.begin(), 763622);
}

// Grossman, "Searching for periodicity in Officers" (2019): 1584 rare heaps with heap 0, the last
// 20627.
TEST(SparseEngineAtLength, OfficersTo1048576) {
  const auto values = values_by(SparseEngine(), HeapRule::parse("0.6"), (1u << 20) + 1);
  HeapSize last = 0;
  EXPECT_EQ(count_rare(values, {0x1ee, false, true}, last), 1583);
  EXPECT_EQ(last, 20627);
  EXPECT_EQ(values[20627], 277);
}

// The published histograms of github.com/rogalski-wmii-uni-lodz-pl/octal have the first 64 of 0.167
// there. In constant memory: the mask has to take in the new bit although old values are gone.
TEST(SparseEngineAtLength, Point167ReachesSixtyFourAt332129728) {
  class First final : public ValueSink {
   public:
    Flow put(const Stretch& block) override {
      block.values.visit([&](auto values) {
        const auto at = std::ranges::find_if(values, [](auto v) { return v >= 64; });
        if (at == values.end()) return;
        if (heap != 0) return;
        heap = block.begin + static_cast<HeapSize>(at - values.begin());
        value = *at;
      });
      facts = *block.sparse;
      last = block.begin + block.values.size();
      return heap != 0 && last > heap + 1000000 ? Flow::kStop : Flow::kContinue;
    }
    HeapSize heap = 0;
    HeapSize last = 0;
    Nimber value = 0;
    SparseFacts facts;
  } sink;
  const HeapRule rule = HeapRule::parse("0.167");
  const auto executor = make_executor(2);
  HeapTask task{rule, 340000000, select_kernels("auto"), *executor, {}};
  task.keep_table = false;
  EXPECT_EQ(SparseEngine().run(task, sink), RunStatus::kStoppedBySink);
  EXPECT_EQ(sink.heap, 332129728);
  EXPECT_EQ(sink.value, 64);
  EXPECT_EQ(sink.facts.mask, 0x7d);
  EXPECT_EQ(sink.facts.rare, 59);
  EXPECT_EQ(sink.facts.last_rare, 1303);
}

// 21800 rare heaps and codes up to 600: planes of taps and of pairs, new rare heaps every few
// hundred heaps.
TEST(SparseEngineAtLength, TreblecrossGoesOnFromTheDenseEngine) {
  const HeapRule rule = HeapRule::parse("0.007");
  constexpr HeapSize kChange = HeapSize{1} << 18;
  constexpr HeapSize kEnd = kChange + 20000;
  const auto expected = values_by(DenseEngine(), rule, kEnd);
  for (const auto& [threads, backend] : {std::pair{1, "tbb"}, {3, "threads"}, {5, "tbb"}}) {
    const auto executor = make_executor(static_cast<std::size_t>(threads), backend);
    testing_support::CollectSink sink;
    const HeapTask task{rule, kEnd, select_kernels("auto"), *executor, {}};
    EXPECT_EQ(AutoEngine({kChange}).run(task, sink), RunStatus::kComplete);
    EXPECT_TRUE(sink.values() == expected) << threads << " threads";
  }
}

}  // namespace
}  // namespace grundy
