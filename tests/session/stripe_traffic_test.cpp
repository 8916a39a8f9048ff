/// @file
/// What ranks send each other, foretold and weighed.
// SPDX-License-Identifier: MIT
#include "session/stripe_traffic.hpp"

#include <optional>

#include <gtest/gtest.h>

#include <grundy/request.hpp>
#include <grundy/team.hpp>

namespace grundy {
namespace {

constexpr const char* kWythoff = "2: sym (1,0)* + (1,1)*";
constexpr const char* kBox = "2: (1,0)* + (0,1)* + (1,2)*";

void expect_foretold(const char* rule, const LatticeShape& shape, std::uint64_t ranks,
                     std::optional<std::uint64_t> sent = {}) {
  SCOPED_TRACE(::testing::Message() << rule << " of " << shape.extent[0] << ", ranks " << ranks);
  const auto team = make_thread_team(ranks);
  const Request request{.game = LatticeGame{LatticeRule::parse(rule), shape, true},
                        .team = team.front().get()};
  const LatticeSetup setup(request);
  const auto foretold = foretold_traffic(setup);
  if (!sent) sent = measured_traffic(setup);
  ASSERT_TRUE(foretold && sent);
  EXPECT_GT(*sent, 10000u);
  const double ratio = static_cast<double>(*foretold) / static_cast<double>(*sent);
  EXPECT_GT(ratio, 0.5) << *sent << " bytes";
  EXPECT_LT(ratio, 2) << *sent << " bytes";
}

TEST(StripeTraffic, IsForetoldWithinAFactorOfTwo) {
  expect_foretold(kWythoff, LatticeShape::cube(2, 5000, true), 2);
  expect_foretold(kWythoff, LatticeShape::cube(2, 4096, true), 3);
  expect_foretold(kBox, LatticeShape{.heaps = 2, .extent = {5000, 4200}}, 2);
  expect_foretold("2: (1,2) + (3,3) + (2,0)", LatticeShape{.heaps = 2, .extent = {9000, 9000}}, 4);
}

TEST(StripeTraffic, IsForetoldForLargeTablesAndManyRanks) {
  // Counted in runs of MPI, at its function MPI_Isend.
  constexpr std::uint64_t kMiB = 1u << 20;
  expect_foretold(kWythoff, LatticeShape::cube(2, 1u << 15, true), 8, 857 * kMiB);
  expect_foretold(kWythoff, LatticeShape::cube(2, 1u << 16, true), 33, 3457 * kMiB);
  expect_foretold(kBox, LatticeShape::cube(2, 1u << 15, false), 16, 340 * kMiB);
}

TEST(StripeTraffic, OfABoxOfUnequalSidesIsForetold) {
  expect_foretold(kBox, LatticeShape{.heaps = 2, .extent = {1100, 20000}}, 4);
}

}  // namespace
}  // namespace grundy
