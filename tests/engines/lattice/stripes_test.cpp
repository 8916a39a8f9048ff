/// @file
/// Tables of two heaps that ranks share, stripe by stripe. The values are those of one process for
/// any ranks, threads and tiles, and wherever the run is resumed. A rank that stops, stops all
/// ranks.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <grundy/error.hpp>

#include "engines/lattice/random_rules.hpp"
#include "engines/lattice/stripe_order.hpp"
#include "engines/lattice/stripe_schedule.hpp"
#include "engines/lattice/stripes_testing.hpp"

namespace grundy {
namespace {

using testing_support::are_equal;
using testing_support::below;
using testing_support::bytes_over_the_middle_border;
using testing_support::cube_of;
using testing_support::Shared;
using testing_support::table_by;
using testing_support::tile_edges;

TEST(Stripes, RanksThreadsAndTilesChangeNothing) {
  for (const char* text :
       {"2: sym (1,0)* + (1,1)*", "2: (1,0)* + (2,3)* + (1,1) + (0,1)*{1,4}",
        "2: sym (1,2) + (3,3)", "2: sym (2,0)* + (2,2)* + sym (1,2)*",
        "2: sym (1,0)* + sym (1,3)* + (1,1)*{1,7} + sym (2,5)", "2: (0,1)*", "2: sym (1,0)* + pass",
        "2: sym (1,2)* + (2,1) + (1,0)*{1,5} + pass", "2: sym (1,2) + (3,3) + pass",
        "2: (40,1)* + (0,3)*", "2: (16,16)* + (0,1)*", "2: (40,3)* + (0,1)*", "2: sym (12,8)*",
        "2: sym (1,0)* + band(1,2;3)", "2: sym (1,0)* + band(1,2;20) + pass"}) {
    const LatticeRule rule = LatticeRule::parse(text);
    std::vector<LatticeShape> shapes{
        cube_of(rule, 150), {.heaps = 2, .extent = {170, 61}}, {.heaps = 2, .extent = {90, 400}}};
    for (const LatticeShape& shape : shapes) {
      const auto expected = table_by("reference", rule, shape).values();
      for (const std::uint32_t tile : tile_edges({16, 8, 33})) {
        Shared shared{.rule = rule, .shape = shape, .tile = tile, .threads = {1, 3, 2}};
        const auto most = shared.engine().stripes(rule, shape, tile).count();
        for (const std::uint64_t ranks : {1, 2, 3, 4}) {
          if (ranks > most) continue;
          SCOPED_TRACE(std::string(text) + " tile " + std::to_string(tile) + " ranks " +
                       std::to_string(ranks));
          shared.run(ranks);
          shared.expect(expected);
          if (testing::Test::HasFailure()) return;
        }
      }
    }
  }
}

TEST(Stripes, BordersDoNotDependOnRanksAndHoldEveryStep) {
  const LatticeRule rule = LatticeRule::parse("2: (120,1)* + (0,1)*");
  const LatticeShape shape{.heaps = 2, .extent = {1400, 900}};
  const auto& engine = select_lattice_engine("wavefront", rule, shape);
  const auto borders = engine.stripes(rule, shape, 16).borders;
  ASSERT_GT(borders.size(), 3u);
  EXPECT_EQ(borders.front(), 0u);
  EXPECT_EQ(borders.back(), 1400u);
  for (std::size_t i = 1; i + 1 < borders.size(); ++i) {
    EXPECT_EQ(borders[i] % 120, 0u) << "no tile is smaller than a step";
  }
  Shared shared{.rule = rule, .shape = shape, .tile = 16};
  const auto expected = table_by("wavefront", rule, shape).values();
  for (const std::uint64_t ranks : {2, 5}) {
    shared.run(ranks);
    shared.expect(expected);
  }
}

TEST(Stripes, NumbersGoBothWays) {
  const LatticeShape shapes[] = {LatticeShape::cube(2, 77, true),
                                 LatticeShape::cube(2, 64, true),
                                 {.heaps = 2, .extent = {90, 41}},
                                 {.heaps = 2, .extent = {41, 90}}};
  for (const LatticeShape& shape : shapes) {
    const std::uint32_t slabs = shape.extent[0];
    for (const std::uint32_t edge : {8, 16}) {
      for (std::uint32_t begin = 0, end = 0; begin < slabs; begin = end) {
        end = std::min(begin + 3 * edge, slabs);
        for (const unsigned planes : {1u, 2u}) {
          const StripeOrder order(Layout::of(shape, planes), edge, begin, end);
          for (std::uint64_t n = 0; n < order.count(); ++n) {
            const LatticePoint p = order.position_at(n);
            const bool is_mirrored = shape.sorted && p[0] > p[1];
            const std::uint64_t number = order.number_of(p, order.plane_of(n));
            ASSERT_TRUE(is_mirrored ? number < n : number == n) << p[0] << ' ' << p[1];
          }
        }
      }
    }
  }
}

/// Any ranks go on from what any other ranks have sealed of each stripe.
RC_GTEST_PROP(StripesOfRandomRules, AreThoseOfTheReference, ()) {
  const LatticeRule rule = *testing_support::random_rule(2, true);
  LatticeShape shape = LatticeShape::cube(2, 60);
  shape.sorted = rule.symmetric() && below(3) != 0;
  for (unsigned i = 0; i < 2 && !shape.sorted; ++i) shape.extent[i] -= below(30);
  Shared shared{.rule = rule, .shape = shape, .tile = 8 + below(4), .threads = {1 + below(3)}};
  const std::uint64_t stripes = shared.engine().stripes(rule, shape, shared.tile).count();
  const auto expected = table_by("reference", rule, shape).values();
  shared.run(1 + below(static_cast<std::uint32_t>(stripes)));
  RC_ASSERT(are_equal(shared.table.values(), expected));
  std::vector<std::pair<std::vector<Nimber>, std::uint64_t>> known;
  for (const auto& values : shared.values) known.emplace_back(values, values.size() * below(9) / 8);
  shared.threads = {1 + below(3)};
  shared.run(1 + below(static_cast<std::uint32_t>(stripes)), known);
  RC_ASSERT(are_equal(shared.table.values(), expected));
  for (const RunStatus status : shared.statuses) RC_ASSERT(status == RunStatus::kComplete);
}

TEST(Stripes, ARankThatStopsStopsAll) {
  const LatticeRule rule = LatticeRule::parse("2: sym (1,0)* + (1,1)*");
  for (const std::uint64_t ranks : {1, 2, 4}) {
    Shared shared{.rule = rule, .shape = cube_of(rule, 200), .tile = 8, .stop_after = 300};
    shared.run(ranks);
    std::size_t complete = 0;
    for (const RunStatus status : shared.statuses) complete += status == RunStatus::kComplete;
    EXPECT_EQ(complete, 0u) << ranks;
  }
}

/// Of the words that live there, 0.18 N^2 bytes, two in five are full or empty.
TEST(Stripes, ARankThatFailsEndsAll) {
  const LatticeRule rule = LatticeRule::parse("2: sym (1,0)* + (1,1)*");
  for (const std::uint64_t ranks : {1, 2, 4}) {
    for (const std::size_t threads : {1, 3}) {
      Shared shared{.rule = rule,
                    .shape = cube_of(rule, 200),
                    .tile = 8,
                    .threads = {threads},
                    .stop_after = 300,
                    .fails = true};
      EXPECT_THROW(shared.run(ranks), Error) << ranks << " ranks, " << threads << " threads";
    }
  }
}

TEST(Stripes, OnlyMixedWordsThatLiveCrossTheMiddleBorder) {
  EXPECT_NEAR(bytes_over_the_middle_border(2048), 0.108, 0.1 * 0.108);
}

TEST(Stripes, ABeltNeedsAShareOfTheMemory) {
  const LatticeRule rule = LatticeRule::parse("2: sym (1,0)* + (1,1)*");
  const LatticeShape shape = cube_of(rule, 1u << 16);
  const auto& engine = select_lattice_engine("wavefront", rule, shape);
  const Nimber largest = shape.extent[0] * 3 / 2;
  const auto whole = engine.memory_bytes(rule, shape, {}, largest);
  EXPECT_LT(engine.rank_memory_bytes(rule, shape, {}, 4, 2, largest), whole * 4 / 10);
}

TEST(MemoryOfRanks, LinesOfOneOfFourTakeTwoFifths) {
  const auto alone = static_cast<double>(testing_support::most_line_bytes_of_a_rank(16384, 1));
  const auto shared = static_cast<double>(testing_support::most_line_bytes_of_a_rank(16384, 4));
  EXPECT_LE(shared, 0.4 * alone) << shared << " of " << alone << " bytes";
}

/// Otherwise a rank whose neighbour is slow would take up the lines of all places.
TEST(Stripes, SlabsOfABeltStayTogetherWhereTheNextBeltIsSlow) {
  const LatticeShape shape = LatticeShape::cube(2, 4096);
  constexpr std::uint32_t kEdge = 64;
  constexpr std::size_t kThreads = 3;
  StripeSchedule first(shape, kEdge, stripe_borders_of(shape, kEdge), 0, 2, kThreads);
  while (const auto slab = first.next()) {
    ++first.slabs()[*slab].begun;
    ++first.slabs()[*slab].done;
  }
  EXPECT_EQ(first.slabs().back().done, StripeSchedule::kAhead);
  EXPECT_EQ(first.slabs().front().done, StripeSchedule::kAhead + kThreads + 1);
}

TEST(Stripes, OtherEnginesShareNothing) {
  const LatticeRule rule = LatticeRule::parse("2: chomp");
  const LatticeShape shape = LatticeShape::cube(2, 30);
  const auto& engine = select_lattice_engine("auto", rule, shape);
  EXPECT_TRUE(engine.stripes(rule, shape, {}).count() == 0);
  const auto executor = make_executor(1);
  const LatticeTask task{
      .rule = rule, .shape = shape, .kernels = select_kernels("auto"), .executor = *executor};
  const auto team = make_thread_team(1);
  EXPECT_THROW(engine.run_stripes(task, *team.front(), {}), Error);
}

}  // namespace
}  // namespace grundy
