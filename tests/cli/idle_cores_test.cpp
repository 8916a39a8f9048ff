/// @file
/// Cores that ranks leave idle are noticed on every machine, whatever ranks are there.
// SPDX-License-Identifier: MIT
#include "cli/idle_cores.hpp"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace grundy::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string said(const std::vector<RankCores>& ranks) {
  return idle_cores(ranks).value_or("nothing");
}

TEST(IdleCores, AllCoresOfAMachineAreTheUnionOfItsRanks) {
  EXPECT_EQ(said({{"a", 4, {0, 1}}, {"a", 4, {2, 3}}}), "nothing");
  EXPECT_EQ(said({{"a", 2, {0, 1}}, {"a", 2, {0, 1}}}), "nothing");
  EXPECT_THAT(said({{"a", 4, {0, 1}}, {"a", 4, {0, 1}}}),
              StartsWith("2 ranks on a may use 2 cores, and it has 4"));
  EXPECT_THAT(said({{"a", 2, {1}}}), StartsWith("1 rank on a may use 1 core, and it has 2"));
}

TEST(IdleCores, EveryMachineCounts) {
  EXPECT_THAT(said({{"a", 2, {0, 1}}, {"b", 2, {0}}}), StartsWith("1 rank on b"));
  EXPECT_THAT(said({{"a", 2, {0}}, {"b", 2, {0}}, {"c", 2, {1}}}),
              HasSubstr("on 2 other machines it is alike"));
}

TEST(IdleCores, ARankTellsWhatItMayUse) {
  const auto own = cores_of_this_rank();
  ASSERT_TRUE(own);
  EXPECT_GE(own->allowed.size(), 1u);
  const RankCores read = RankCores::parse(own->to_text());
  EXPECT_EQ(read.host, own->host);
  EXPECT_EQ(read.there, own->there);
  EXPECT_EQ(read.allowed, own->allowed);
}

}  // namespace
}  // namespace grundy::cli
