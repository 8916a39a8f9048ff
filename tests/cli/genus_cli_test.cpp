/// @file
/// Misère play on the command line.
// SPDX-License-Identifier: MIT
#include <string>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "cli/run_grundy.hpp"

namespace grundy::testing {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

class GenusCli : public CommandTest {};

TEST_F(GenusCli, PrintsARowForEachHeap) {
  const Outcome result = run({"genus", "Kayles", "--to", "9"});
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.out, HasSubstr("\n       5  4^{146}          restless  N\n"));
  EXPECT_THAT(result.out, HasSubstr("\n       9  4^{046}          wild      P\n"));
  EXPECT_THAT(result.out, HasSubstr("7 of 10 heaps; heap 5 is the first that is not\n"));
}

TEST_F(GenusCli, SaysTheSameAsJson) {
  const json all = json::parse(run({"genus", "0.123", "--to", "9", "--json"}).out);
  EXPECT_EQ(all["notation"], "0.123");
  EXPECT_EQ(all["complete"], true);
  EXPECT_EQ(all["first_not_tame"], 8);
  EXPECT_EQ(all["heaps"].size(), 10u);
  EXPECT_EQ(all["heaps"][8], json::parse(R"({"heap": 8, "genus": "2^{1420}", "value": 2,
      "misere": [1, 4, 2, 0], "kind": "restless", "misere_outcome": "N"})"));
}

TEST_F(GenusCli, EndsWhereMemoryEnds) {
  const Outcome result = run({"genus", "kayles", "--to", "500", "--memory", "1MB"});
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.out, HasSubstr("\n      20  1^{031}          wild      P\n"));
  EXPECT_THAT(result.err, HasSubstr("need more memory than there is (--memory)"));
}

TEST_F(GenusCli, RefusesOtherGames) {
  const Outcome several = run({"genus", "wythoff", "--to", "9"});
  EXPECT_EQ(several.code, 2);
  EXPECT_THAT(several.err, HasSubstr("'wythoff' is a game of several heaps"));
  EXPECT_EQ(run({"genus", "kayles"}).code, 2);
  EXPECT_EQ(run({"genus", "kayles", "--to", "9", "--memory", "0"}).code, 2);
}

}  // namespace
}  // namespace grundy::testing
