/// @file
/// What the sparse engine learns: rows that cover a sample, when they are stale, and which taps
/// mark.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include <grundy/machine.hpp>

#include "engines/heap/sparse/code_tables.hpp"
#include "engines/heap/sparse/cover.hpp"
#include "engines/heap/sparse/learned_plans.hpp"
#include "engines/heap/sparse/tap_ranking.hpp"
#include "engines/heap/sparse/taps.hpp"
#include "engines/heap/sparse_testing.hpp"
#include "engines/heap/two_heap_moves.hpp"
#include "kernels/kernels.hpp"

namespace grundy::sparse {
namespace {

using testing_support::Learning;

constexpr std::size_t kStretchOfHeaps = 1u << 16;

TEST(PlanJudge, FindsPlansStaleThatLeaveMoreOpenThanTheyDid) {
  constexpr std::uint64_t kCost = 1'000'000;
  PlanJudge judge(kCost);
  for (int i = 0; i < 100; ++i) {  // what they leave open varies
    judge.note(kStretchOfHeaps, i % 3 == 0 ? 30'000 : 60'000);
    ASSERT_FALSE(judge.finds_stale());
  }
  int stretches = 0;
  for (; !judge.finds_stale() && stretches < 100; ++stretches) judge.note(kStretchOfHeaps, 400'000);
  EXPECT_EQ(stretches, 4);  // each one is 310 000 too many
}

TEST(PlanJudge, ForgivesAFewBadHeaps) {
  PlanJudge judge(1'000'000);
  for (int i = 0; i < 100; ++i) {
    judge.note(kStretchOfHeaps, i % 10 == 0 ? 400'000 : 40'000);
    ASSERT_FALSE(judge.finds_stale());
  }
}

TEST(Coverage, CountsRowsUpToFour) {
  const RowKernels& kernels = available_kernels().front().rows;
  const std::vector<std::uint64_t> needed = {0b1011};
  Coverage coverage(needed);
  const std::uint64_t first = 0b0110;  // one of them needs no row
  for (std::size_t worth = Coverage::kWorthOfHeap; worth > 0; worth /= 4) {
    EXPECT_EQ(coverage.worth(kernels, &first), worth);
    coverage.add(&first);
  }
  EXPECT_EQ(coverage.worth(kernels, &first), 0u);
  EXPECT_EQ(coverage.worth(kernels, needed.data()), 2 * Coverage::kWorthOfHeap);
}

template <class T>
class HeapSampleTest : public testing::Test {};
using CodeTypes = testing::Types<std::uint8_t, std::uint16_t>;
TYPED_TEST_SUITE(HeapSampleTest, CodeTypes);

TYPED_TEST(HeapSampleTest, CoversAsLongAsRowsAreWorthIt) {
  const Learning of;
  const HeapSample<TypeParam> sample(
      of.table, of.kernels, CodeTables(of.table.split(), of.shape.code_limit), of.shape.lookback);
  const std::vector<std::uint64_t> needed = sample.greater_limits(0);
  std::vector<RowPlan::Source> pool;
  for (HeapSize offset = 64; offset < 1024; ++offset) {
    pool.push_back({static_cast<Nimber>(offset % 8), offset});
  }
  auto rows = sample.cover(pool, needed);
  ASSERT_FALSE(rows.empty());
  EXPECT_EQ(sample.uncovered({}, needed), needed);
  const auto left = sample.uncovered(rows, needed);
  EXPECT_NE(left, needed);
  // A cover goes as far as the pool does.
  EXPECT_EQ(left, sample.uncovered(pool, needed));
  EXPECT_TRUE(sample.cover(pool, left).empty());
  std::ranges::sort(rows);
  EXPECT_EQ(std::ranges::adjacent_find(rows), rows.end());
}

TEST(LearnedPlans, AreJudgedAnewWhenTheyHaveLearned) {
  const Learning of;
  const auto executor = make_executor(1);
  LearnedPlans plans;
  plans.update<std::uint8_t>(of.table, of.shape, of.kernels, *executor);
  plans.judge().note(kStretchOfHeaps, 1000);
  for (int i = 0; i < 100; ++i) plans.judge().note(kStretchOfHeaps, 1'000'000);
  ASSERT_TRUE(plans.judge().finds_stale());
  plans.update<std::uint8_t>(of.table, of.shape, of.kernels, *executor);
  EXPECT_FALSE(plans.judge().finds_stale());
}

TEST(TapRanking, TellsHowManyTapsLeaveFewCodesOpen) {
  const Learning of;
  const CodeTables codes(of.table.split(), of.shape.code_limit);
  const LaggedSplits lagged(of.table.moves().splits);
  std::vector<Tap> taps = rare_taps(of.table, lagged.splits);
  // Moves that leave one heap. The ranking takes them for taps of the first split, too, which does
  // no harm here.
  for (const HeapSize take : of.table.moves().singles) taps.push_back({take, 0});
  HeapSize reach = 0;
  for (const Tap& tap : taps) reach = std::max(reach, tap.offset);
  const TapRanking sample(of.table, codes, reach + lagged.longest_lag(), 64);
  // All taps leave no code open below that of a heap, and no taps leave all of them.
  const auto all = sample.taps_until(taps, 1);
  ASSERT_EQ(all.size(), sample.codes().size());
  EXPECT_TRUE(std::ranges::is_sorted(all));
  const auto none = sample.taps_until({}, 1);
  EXPECT_TRUE(std::ranges::all_of(none, [](std::size_t needed) { return needed == 0; }));
  EXPECT_GT(all.back(), 1u);
  taps.resize(all.back() - 1);
  const auto fewer = sample.taps_until(taps, 1);
  EXPECT_EQ(fewer.back(), taps.size());
  EXPECT_TRUE(std::ranges::equal(
      fewer, all, {}, {}, [&](std::size_t needed) { return std::min(needed, taps.size()); }));
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_LE(sample.taps_until(taps, 5)[i], fewer[i]);
}

/// By the definition: all scores anew in each round.
std::vector<Tap> ranked_by_all_scores(const TapRanking& sample, std::vector<Tap> left,
                                      std::span<const Nimber> bounds) {
  constexpr std::size_t kFirstRound = 64;
  std::vector<std::vector<std::uint32_t>> weights;
  for (const Nimber bound : bounds) {
    weights.emplace_back(std::size_t{1} << 16);
    std::fill_n(weights.back().begin(), bound, 1u << 16);
  }
  std::vector<Tap> ranked;
  while (!left.empty()) {
    std::vector<std::tuple<std::int64_t, HeapSize, Nimber>> order;  // the best first
    for (const Tap& tap : left) {
      std::int64_t score = 0;
      for (std::size_t i = 0; i < weights.size(); ++i) {
        sample.for_each_reached(i, tap, [&](Nimber code) { score += weights[i][code]; });
      }
      order.emplace_back(-score, tap.offset, tap.code);
    }
    std::ranges::sort(order);
    const std::size_t round = std::min(order.size(), std::max(kFirstRound, ranked.size() / 2));
    left.clear();
    for (std::size_t k = 0; k < order.size(); ++k) {
      const Tap tap{std::get<1>(order[k]), std::get<2>(order[k])};
      if (k >= round) {
        left.push_back(tap);
        continue;
      }
      ranked.push_back(tap);
      for (std::size_t i = 0; i < weights.size(); ++i) {
        sample.for_each_reached(i, tap, [&](Nimber code) { weights[i][code] /= 2; });
      }
    }
  }
  return ranked;
}

TEST(TapRanking, RanksAsIfAllScoresWereNew) {
  for (const std::string_view rule : {"0.167", "0.37", "0.366"}) {
    const Learning of(256, rule);
    const CodeTables codes(of.table.split(), of.shape.code_limit);
    const LaggedSplits lagged(of.table.moves().splits);
    const std::vector<Tap> taps = pair_taps(of.table, lagged.splits, 2000, 1);
    const TapRanking sample(of.table, codes, taps.back().offset + lagged.longest_lag(), 32);
    const auto expected = ranked_by_all_scores(sample, taps, sample.limits());
    ASSERT_EQ(expected.size(), taps.size());
    for (const std::size_t threads : {1, 2}) {
      const auto executor = make_executor(threads);
      const auto ranked = sample.rank(taps, sample.limits(), std::nullopt, *executor);
      EXPECT_TRUE(std::ranges::equal(ranked, expected, {}, by_place, by_place)) << rule;
      // With a worth, it is a part of these.
      const auto worth = sample.rank(taps, sample.limits(), 4, *executor);
      ASSERT_LT(worth.size(), expected.size()) << rule;
      EXPECT_TRUE(std::ranges::equal(worth, std::span(expected).first(worth.size()), {}, by_place,
                                     by_place))
          << rule;
    }
  }
}

}  // namespace
}  // namespace grundy::sparse
