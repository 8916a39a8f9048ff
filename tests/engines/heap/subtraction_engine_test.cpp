/// @file
/// The subtraction engine where it changes between algorithms: many heaps, large elements, tables
/// that widen, blocks that slide. ladder_test.cpp has small random rules.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engines/heap/reference_engine.hpp"
#include "engines/heap/subtraction/engine.hpp"
#include "engines/heap/subtraction/planes.hpp"
#include "heap_testing.hpp"

namespace grundy {
namespace {

using testing_support::CollectSink;
using testing_support::values_by;

void expect_like_reference(const HeapRule& rule, HeapSize count) {
  const std::vector<Nimber> expected = values_by(ReferenceEngine(), rule, count);
  std::optional<HeapSize> block;
  for (const KernelSet& kernels : available_kernels()) {
    for (const std::size_t threads : {1, 2, 3}) {
      const auto executor = make_executor(threads, "threads");
      CollectSink sink;
      const HeapTask task{.rule = rule,
                          .count = count,
                          .kernels = kernels,
                          .executor = *executor,
                          .stop = {},
                          .block = block};
      ASSERT_EQ(SubtractionEngine().run(task, sink), RunStatus::kComplete);
      ASSERT_EQ(sink.values().size(), count);
      const auto differ = std::mismatch(expected.begin(), expected.end(), sink.values().begin());
      ASSERT_TRUE(differ.first == expected.end())
          << rule.canonical() << " with " << kernels.name << ", " << threads
          << " threads, blocks of " << block.value_or(0) << ": heap "
          << differ.first - expected.begin();
      block = block ? *block * 5 % 9973 : 64;
    }
  }
}

HeapRule finite(std::vector<HeapSize> elements) {
  std::sort(elements.begin(), elements.end());
  elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
  return HeapRule(SubtractionRule{SubtractionRule::Kind::kFinite, std::move(elements)});
}

HeapRule random_finite(std::size_t size, HeapSize largest, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<HeapSize> elements;
  for (std::size_t i = 0; i < size; ++i) elements.push_back(1 + random() % largest);
  return finite(std::move(elements));
}

TEST(SubtractionEngine, Squares) {
  expect_like_reference(HeapRule::parse("S{squares}"), 40000);
}

TEST(SubtractionEngine, Primes) {
  expect_like_reference(HeapRule::parse("S{primes}"), 12000);
}

TEST(SubtractionEngine, ThinInfiniteSets) {
  expect_like_reference(HeapRule::parse("S{factorials}"), 100000);
  expect_like_reference(HeapRule::parse("S{fibonacci}"), 100000);
}

TEST(SubtractionEngine, FiniteSetsWithFarElements) {
  expect_like_reference(finite({1, 3, 9973, 65536, 1000000}), 150000);
  expect_like_reference(random_finite(40, 40000, 1), 100000);
  expect_like_reference(random_finite(60, 40000, 4), 100000);
}

TEST(SubtractionEngine, LargeFiniteSetsNeedSixteenBits) {
  expect_like_reference(random_finite(300, 400, 2), 6000);
  expect_like_reference(random_finite(600, 20000, 3), 25000);
  std::vector<HeapSize> interval(400);
  for (HeapSize s = 1; s <= interval.size(); ++s) interval[s - 1] = s;  // G(n) = n mod 401
  expect_like_reference(finite(interval), 6000);
}

/// G(n) = n mod (k + 1) for S = {1, .., k}. Values of more than 124 planes are marked by stores,
/// and more than planes can be are found option by option.
TEST(SubtractionEngine, IntervalsHaveAllValuesUpToTheirLength) {
  for (const HeapSize length : {1100, 4200}) {
    std::vector<HeapSize> interval(length);
    std::iota(interval.begin(), interval.end(), HeapSize{1});
    for (const KernelSet& kernels : available_kernels()) {
      CollectSink sink;
      const HeapTask task{.rule = finite(interval),
                          .count = 2 * length + 100,
                          .kernels = kernels,
                          .executor = testing_support::single_thread(),
                          .stop = {}};
      ASSERT_EQ(SubtractionEngine().run(task, sink), RunStatus::kComplete);
      for (HeapSize n = 0; n < sink.values().size(); ++n) {
        ASSERT_EQ(sink.values()[n], n % (length + 1)) << kernels.name << ", heap " << n;
      }
    }
  }
}

/// A set that reaches back by 1 to 60 only, and far: what a heap marks for its neighbours must stay
/// in its group.
TEST(SubtractionEngine, NearAndFarElements) {
  std::vector<HeapSize> elements(60);
  std::iota(elements.begin(), elements.end(), HeapSize{1});
  expect_like_reference(finite(elements), 3000);
  for (HeapSize s = 700; s < 20000; s += 97) elements.push_back(s);
  expect_like_reference(finite(elements), 30000);
}

/// Counts marks, and makes them.
std::atomic<std::uint64_t> marks_made = 0;
template <class T>
void count_and_mark(const T* codes, TapView taps, std::uint8_t* planes,
                    std::size_t count) noexcept {
  for (std::size_t i = 0; i < taps.run_count; ++i) {
    marks_made += taps.runs[i].end - taps.runs[i].begin;
  }
  select_kernels("auto").taps.of<T>().mark_planes(codes, taps, planes, count);
}

/// A solver that found every value without planes would be right, and ten times slower.
TEST(PlaneSolver, MarksOptionsInTablesOfBothWidths) {
  const SubtractionRule rule{SubtractionRule::Kind::kSquares, {}};
  constexpr HeapSize kCount = 700'000;
  const TapKernels kernels{{TypedTapKernels<std::uint8_t>{count_and_mark},
                            TypedTapKernels<std::uint16_t>{count_and_mark}}};
  PlaneSolver solver(rule, kCount, {}, kernels, testing_support::single_thread());
  ValueBuffer table;
  for (HeapSize begin = 0; begin < kCount; begin = table.size()) {
    if (table.width() == ValueWidth::kU8 && begin > 600'000) table.promote(ValueWidth::kU16);
    table.resize(std::min(begin + solver.block(begin), kCount));
    const std::uint64_t before = marks_made;
    solver.solve(begin, table);
    const HeapSize groups = (table.size() - begin) / 64;
    const HeapSize options = rule.allowed_up_to(begin).size();
    EXPECT_GE(marks_made - before, groups * options) << "from heap " << begin;
  }
}

/// Where values are too many for planes and 16 bits become too few: all of them are known up to a
/// block that goes beyond.
TEST(PlaneSolver, ValuesBeyondPlanesAndBeyondSixteenBits) {
  std::vector<HeapSize> interval(65600);
  std::iota(interval.begin(), interval.end(), HeapSize{1});
  const SubtractionRule rule{SubtractionRule::Kind::kFinite, interval};
  using Range = std::pair<HeapSize, HeapSize>;
  for (const auto& [known, count] : {Range{4000, 4300}, Range{31000, 32900}, Range{65500, 65600}}) {
    PlaneSolver solver(rule, count, {}, select_kernels("auto").taps,
                       testing_support::single_thread());
    std::vector<std::uint16_t> values(known);
    std::iota(values.begin(), values.end(), std::uint16_t{0});
    ValueBuffer table;
    table.append(Values(std::span<const std::uint16_t>(values)));
    solver.adopt(0, known, table);
    for (HeapSize begin = known; begin < count; begin = table.size()) {
      table.resize(std::min(begin + solver.block(begin), count));
      solver.solve(begin, table);
    }
    EXPECT_EQ(table.width(), width_for(static_cast<Nimber>(count - 1)));
    for (HeapSize n = 0; n < count; ++n) ASSERT_EQ(table.values()[n], n);
  }
}

TEST(SubtractionEngine, AllButSetsGrowThroughAllWidths) {
  const HeapRule nim = HeapRule::parse("AllBut{}");
  const std::vector<Nimber> values = values_by(SubtractionEngine(), nim, 70000);
  for (Nimber n = 0; n < values.size(); ++n) ASSERT_EQ(values[n], n);
}

TEST(SubtractionEngine, AllButSets) {
  for (const char* rule : {"AllBut{1}", "AllBut{2,4}", "AllBut{1,2,3,7,50,99}", "AllBut{5,1200}"}) {
    expect_like_reference(HeapRule::parse(rule), 5000);
  }
}

/// Counts and first occurrences as computed independently and compared with D. Eppstein's table of
/// P-positions (11011110.github.io, 2016-11-16).
TEST(SubtractionEngine, SquaresToAMillion) {
  const auto values = values_by(SubtractionEngine(), HeapRule::parse("S{squares}"), 1000001);
  const auto zeros_up_to = [&](HeapSize last) {
    return std::count(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(last) + 1, 0u);
  };
  const std::pair<HeapSize, std::ptrdiff_t> table[] = {
      {109, 22},      {204, 39},      {425, 66},      {827, 99},      {1625, 158},
      {3209, 255},    {6414, 419},    {12812, 682},   {25647, 1087},  {51202, 1752},
      {102517, 2821}, {204817, 4497}, {409687, 7436}, {819267, 12068}};
  for (const auto& [last, count] : table) EXPECT_EQ(zeros_up_to(last), count) << "up to " << last;
  EXPECT_EQ(std::count(values.begin(), values.end() - 1, 0u), 13952);
  EXPECT_EQ(std::count(values.begin(), values.end() - 1, 1u), 13952);
  const HeapSize first[] = {25, 28, 29, 75, 103, 200, 234, 315};  // of 3, 4, ..
  for (Nimber v = 3; v <= 10; ++v) {
    EXPECT_EQ(std::find(values.begin(), values.end(), v) - values.begin(), first[v - 3]) << v;
  }
  EXPECT_EQ(*std::max_element(values.begin(), values.end() - 1), 168u);
}

TEST(SubtractionEngine, PrimesHistogram) {
  const auto values = values_by(SubtractionEngine(), HeapRule::parse("S{primes}"), 100001);
  const std::ptrdiff_t counts[] = {15066, 15066, 10389, 4223, 22184, 22180,
                                   4964,  3236,  1883,  320,  104,   386};
  std::ptrdiff_t total = 0;
  for (Nimber v = 0; v < 12; ++v) {
    const auto found = std::count(values.begin(), values.end(), v);
    EXPECT_EQ(found, counts[v]) << v;
    total += found;
  }
  EXPECT_EQ(total, 100001);
}

TEST(SubtractionEngine, FactorialsReachFourAt5050) {
  const auto values = values_by(SubtractionEngine(), HeapRule::parse("S{factorials}"), 6000);
  EXPECT_EQ(std::find(values.begin(), values.end(), 4u) - values.begin(), 5050);
}

TEST(SubtractionEngine, StopsWhenTheSinkHasEnough) {
  CollectSink sink(100000);
  const HeapRule rule = HeapRule::parse("S{squares}");
  const HeapTask task{.rule = rule,
                      .count = 1000000,
                      .kernels = select_kernels("auto"),
                      .executor = testing_support::single_thread(),
                      .stop = {}};
  EXPECT_EQ(SubtractionEngine().run(task, sink), RunStatus::kStoppedBySink);
  EXPECT_LT(sink.values().size(), 200000u);
}

TEST(SubtractionEngine, RefusesGamesThatSplit) {
  EXPECT_FALSE(SubtractionEngine().refusal(HeapRule::parse("0.77")).empty());
  EXPECT_TRUE(SubtractionEngine().refusal(HeapRule::parse("0.303")).empty());
}

}  // namespace
}  // namespace grundy
