/// @file
/// What ranks send each other, foretold and weighed.
// SPDX-License-Identifier: MIT
#include "session/stripe_traffic.hpp"

#include <gtest/gtest.h>

#include <grundy/request.hpp>
#include <grundy/team.hpp>

namespace grundy {
namespace {

TEST(StripeTraffic, IsForetoldWithinAFactorOfTwo) {
  struct Case {
    const char* rule;
    LatticeShape shape;
    std::uint64_t ranks;
  };
  const Case cases[] = {
      {"2: sym (1,0)* + (1,1)*", LatticeShape::cube(2, 5000, true), 2},
      {"2: sym (1,0)* + (1,1)*", LatticeShape::cube(2, 4096, true), 3},
      {"2: (1,0)* + (0,1)* + (1,2)*", LatticeShape{.heaps = 2, .extent = {5000, 4200}}, 2},
      {"2: (1,2) + (3,3) + (2,0)", LatticeShape{.heaps = 2, .extent = {9000, 9000}}, 4},
  };
  for (const auto& [rule, shape, ranks] : cases) {
    const auto team = make_thread_team(ranks);
    const Request request{.game = LatticeGame{LatticeRule::parse(rule), shape, true},
                          .team = team.front().get()};
    const LatticeSetup setup(request);
    const auto foretold = foretold_traffic(setup);
    const auto sent = measured_traffic(setup, 1);
    ASSERT_TRUE(foretold && sent) << rule;
    EXPECT_GT(*sent, 10000u);
    const double ratio = static_cast<double>(*foretold) / static_cast<double>(*sent);
    EXPECT_GT(ratio, 0.5) << rule << ", " << *sent << " bytes";
    EXPECT_LT(ratio, 2) << rule << ", " << *sent << " bytes";
  }
}

}  // namespace
}  // namespace grundy
