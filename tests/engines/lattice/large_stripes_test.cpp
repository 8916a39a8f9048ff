/// @file
/// Tables of two heaps that ranks share, in the sizes that are promised. Slow.
// SPDX-License-Identifier: MIT
#include <array>
#include <tuple>

#include <gtest/gtest.h>

#include "engines/lattice/stripes_testing.hpp"

namespace grundy {
namespace {

using testing_support::Shared;
using testing_support::table_by;

class LargeStripes
    : public testing::TestWithParam<std::tuple<const char*, std::array<std::uint32_t, 2>>> {};

TEST_P(LargeStripes, AreTheTableOfOneProcess) {
  const auto [text, extent] = GetParam();
  const LatticeRule rule = LatticeRule::parse(text);
  LatticeShape shape{.heaps = 2, .extent = {extent[0], extent[1]}};
  shape.sorted = rule.symmetric() && extent[0] == extent[1];
  const auto expected = table_by("wavefront", rule, shape).values();
  const auto tile = select_lattice_engine("wavefront", rule, shape).stripes(rule, shape, {}).tile;
  Shared shared{.rule = rule, .shape = shape, .tile = tile};
  for (const std::uint64_t ranks : {1, 2, 3, 4}) {
    if (ranks > shared.engine().stripes(rule, shape, tile).count()) continue;
    shared.run(ranks);
    shared.expect(expected);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Sizes, LargeStripes,
    testing::Values(std::tuple{"2: sym (1,0)* + (1,1)*", std::array{4096u, 4096u}},
                    std::tuple{"2: (1,0)* + (0,1)* + (1,1)*{1,100}", std::array{4096u, 4096u}},
                    std::tuple{"2: sym (2,0)* + (2,2)* + sym (1,2)*", std::array{4096u, 4096u}},
                    std::tuple{"2: sym (1,2) + (3,3)", std::array{4096u, 4096u}},
                    std::tuple{"2: (1,0)* + (0,1)* + (1,1)*", std::array{1000u, 3000u}},
                    std::tuple{"2: (1,0)* + (0,1)* + (1,1)*", std::array{3000u, 1000u}}));

TEST(LargeStripesTraffic, OnlyMixedWordsThatLiveCrossTheMiddleBorder) {
  EXPECT_NEAR(testing_support::bytes_over_the_middle_border(4096), 0.1, 0.1 * 0.1);
}

}  // namespace
}  // namespace grundy
