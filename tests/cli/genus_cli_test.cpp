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

TEST_F(GenusCli, AFileOfGeneraIsToldExportedAndProved) {
  const Outcome made = run({"compute", "kayles", "--to", "20", "--misere", "-o", "m.h5"});
  EXPECT_THAT(run({"query", "m.h5", "0..18446744073709551615"}).err,
              HasSubstr("heap 21 is not in the file"));
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_THAT(made.out,
              HasSubstr("  tame         7 of 21 heaps; heap 5 is the first that is not\n"));
  EXPECT_THAT(output({"info", "m.h5"}), HasSubstr("misère nim-values, and "));
  const json info = output_json({"info", "m.h5"});
  EXPECT_EQ(info["first_not_tame"], 5);
  EXPECT_EQ(info["count"], 21);
  EXPECT_EQ(info["misere"], true);
  EXPECT_EQ(output({"query", "m.h5", "5", "8..9"}),
            "5 4^{146} restless N\n8 1^{13} tame N\n9 4^{046} wild P\n");
  EXPECT_EQ(output_json({"query", "m.h5", "5"}),
            json::parse(R"([{"heap": 5, "genus": "4^{146}", "value": 4, "misere": [1, 4, 6],
                             "kind": "restless", "misere_outcome": "N"}])"));
  const Outcome beyond = run({"query", "m.h5", "20..22"});
  EXPECT_EQ(beyond.code, 2);
  EXPECT_THAT(beyond.out, ::testing::StartsWith("20 "));
  EXPECT_THAT(beyond.err, HasSubstr("heap 21 is not in the file, which ends with heap 20"));
  EXPECT_THAT(output({"export", "m.h5", "--format", "csv"}),
              HasSubstr("\n5,4,1,\"4^{146}\",restless,N\n"));
  EXPECT_THAT(output({"export", "m.h5", "--format", "bfile"}), HasSubstr("\n5 1\n"));
  const json proved = output_json({"verify", "m.h5", "--full"});
  EXPECT_EQ(proved["ok"], true);
  EXPECT_EQ(proved["proved"], 21);
  EXPECT_EQ(proved["compared"], 21);
  EXPECT_THAT(output({"verify", "m.h5"}),
              HasSubstr("21 of 21 heaps are proved from the definition"));
  // The count is the same without a file.
  EXPECT_EQ(output_json({"compute", "kayles", "--to", "20", "--misere"})["digest"], info["digest"]);
  EXPECT_EQ(run({"compute", "kayles", "--to", "20", "--misere", "-o", "m.h5"}).code, 2);
  for (const char* option : {"--print", "--stats-only", "--dry-run", "--no-extend"}) {
    EXPECT_EQ(run({"compute", "kayles", "--to", "20", "--misere", option}).code, 2) << option;
  }
  EXPECT_EQ(run({"compute", "kayles", "--to", "20", "--misere", "--engine", "dense"}).code, 2);
  EXPECT_EQ(run({"stats", "m.h5"}).code, 2);
  EXPECT_EQ(run({"verify", "m.h5", "--range", "1:2"}).code, 2);
  EXPECT_EQ(run({"export", "m.h5", "--format", "npy"}).code, 2);
  const Outcome full =
      run({"compute", "kayles", "--to", "500", "--misere", "--memory", "1MB", "-o", "n.h5"});
  EXPECT_EQ(full.code, 1);
  EXPECT_THAT(full.err, HasSubstr("the heaps before it are done, but not written"));
}

TEST_F(GenusCli, RefusesOtherGames) {
  const Outcome several = run({"genus", "wythoff", "--to", "9"});
  EXPECT_EQ(several.code, 2);
  EXPECT_THAT(several.err, HasSubstr("'wythoff' is a game of several heaps"));
  EXPECT_THAT(several.err, HasSubstr("`compute --misere` finds its misère values"));
  EXPECT_EQ(run({"genus", "kayles"}).code, 2);
  EXPECT_EQ(run({"genus", "kayles", "--to", "9", "--memory", "0"}).code, 2);
}

}  // namespace
}  // namespace grundy::testing
