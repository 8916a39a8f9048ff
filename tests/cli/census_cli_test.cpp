/// @file
/// `grundy census` as a process, and other commands with its file.
// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "cli/run_grundy.hpp"

namespace grundy::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using Json = nlohmann::json;

class CensusCommand : public CommandTest {};

TEST_F(CensusCommand, WritesAFileThatInfoAndVerifyRead) {
  const Outcome made = run({"census", "S{max<=50,size=3}", "-o", "c.h5", "--summary", "c.csv"});
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_THAT(made.out, HasSubstr("  sets         19 600\n"));
  EXPECT_THAT(made.out, HasSubstr("  certified    19 600 have a proved period\n"));
  EXPECT_THAT(read("c.csv"), StartsWith("largest_move,sets,"));
  const Json info = Json::parse(run({"info", "c.h5", "--json"}).out);
  const Json again = Json::parse(run({"census", "S{max<=50,size=3}", "--json"}).out);
  EXPECT_EQ(info["digest"], again["digest"]);
  const Outcome proved = run({"verify", "c.h5", "--full", "--threads", "1"});
  EXPECT_EQ(proved.code, 0) << proved.err;
  EXPECT_THAT(proved.out, HasSubstr("19 600 of 19 600 rows are proved"));
  EXPECT_EQ(Json::parse(run({"verify", "c.h5", "--samples", "10", "--json"}).out)["proved"], 10);
  // What is there stays.
  EXPECT_EQ(run({"census", "S{max<=9,size=3}", "-o", "c.h5"}).code, 2);
  EXPECT_EQ(run({"census", "S{max<=9,size=3}", "-o", "c.h5", "--force"}).code, 0);
}

TEST_F(CensusCommand, PartsOfAProofAreTheWholeProof) {
  const std::vector<std::vector<std::string>> families{{"S{max<=80,size=3}"},
                                                       {"2: V{max<=5,size=2}", "--shape", "12x12"}};
  for (const std::vector<std::string>& family : families) {
    std::vector<std::string> census{"census", "-o", "c.h5", "--force"};
    census.insert(census.begin() + 1, family.begin(), family.end());
    ASSERT_EQ(run(census).code, 0);
    ASSERT_EQ(run({"verify", "c.h5", "--full", "--certificate", "whole.json", "--force"}).code, 0);
    std::vector<std::string> merge{"verify",      "c.h5",    "--certificate",
                                   "merged.json", "--force", "--merge"};
    std::uint64_t proved = 0;
    for (const char* part : {"1/3", "2/3", "3/3"}) {
      const Json json = output_json({"verify", "c.h5", "--part", part, "--force"});
      EXPECT_EQ(json["proved_range"]["first"], proved);
      proved += json["proved"].get<std::uint64_t>();
      EXPECT_EQ(json["proved_range"]["last"], proved - 1);
      merge.push_back(json["certificate"]);
    }
    EXPECT_THAT(output(merge), HasSubstr("every one, by 3 certificates"));
    EXPECT_EQ(read("merged.json"), read("whole.json"));
  }
  EXPECT_THAT(output({"verify", "c.h5", "--range", "3:"}), HasSubstr("rows 3 to "));
  const Outcome outside = run({"verify", "c.h5", "--range", "3:10^9"});
  EXPECT_EQ(outside.code, 2);
  EXPECT_THAT(outside.err, HasSubstr("rows 3 to 1000000000 are no range of rows 0 to "));
}

TEST_F(CensusCommand, ItsRowsAreToldAndExported) {
  ASSERT_EQ(run({"census", "S{max<=9,size=3}", "-o", "c.h5"}).code, 0);
  EXPECT_EQ(output({"query", "c.h5", "S{2,5,7}", "s{ 9,8,7 }"}),
            "S{2,5,7}: period 22 from heap 0 on, 6 zeros in a period, maximum 3\n"
            "S{7,8,9}: period 16 from heap 0 on, 7 zeros in a period, maximum 2\n");
  const Json row = output_json({"query", "c.h5", "S{2,5,7}"})[0];
  EXPECT_EQ(row, Json({{"game", "S{2,5,7}"},
                       {"row", 27},
                       {"moves", {2, 5, 7}},
                       {"preperiod", 0},
                       {"period", 22},
                       {"zeros", 6},
                       {"max_value", 3}}));
  EXPECT_THAT(output({"export", "c.h5", "--format", "csv"}), HasSubstr("\n2,5,7,0,22,6,3\n"));
  EXPECT_EQ(output({"export", "c.h5", "--format", "csv", "--terms", "0"}),
            "move_1,move_2,move_3,preperiod,period,zeros,max_value\n");
  EXPECT_THAT(output({"export", "c.h5", "--format", "bfile"}), HasSubstr("\n27 22\n"));
  EXPECT_EQ(output_json({"export", "c.h5", "--format", "csv", "-o", "c.csv"})["terms"], 84);
  ASSERT_EQ(
      run({"census", "2: sym (1,0)* + V{max<=3,size=2}", "--shape", "9x9", "-o", "r.h5"}).code, 0);
  EXPECT_EQ(output({"query", "r.h5", "(2,3) + (1,2)", "(1,1) + (1,2)", "(0,1)+(1,3)"}),
            "(1,2) + (2,3): 9 P-positions (those of Nim), maximum 15, the values of the base\n"
            "(1,1) + (1,2): 8 P-positions, maximum 12, other values than the base from (1,1) on, "
            "other P-positions from (1,1) on\n"
            "(0,1) + (1,3): 9 P-positions (those of Nim), maximum 11, other values than the base "
            "from (2,3) on, its P-positions\n");
  EXPECT_EQ(output_json({"query", "r.h5", "(2,3) + (1,2)"})[0]["vectors"], Json({1, 2, 2, 3}));
  EXPECT_THAT(
      run({"query", "r.h5", "(1,2)"}).err,
      HasSubstr("is no rule of the family 2: sym (1,0)* + V{max<=3,size=2}; one is named by "
                "its vectors: (0,1) + (1,0)"));
}

TEST_F(CensusCommand, SaysWhichSetsAreOpen) {
  const Outcome made = run({"census", "S{max<=40,size=4}", "--to", "500"});
  EXPECT_EQ(made.code, 0) << made.err;
  EXPECT_THAT(made.out, HasSubstr("have none up to heap 500\n"));
}

// Nim keeps its P-positions, the pairs of equal heaps, with any move that takes different numbers.
TEST_F(CensusCommand, ComparesRulesOfSeveralHeaps) {
  const std::string family = "2: sym (1,0)* + V{max<=3,size=2}";
  const Outcome made =
      run({"census", family, "--shape", "32x32", "-o", "r.h5", "--summary", "r.csv"});
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_THAT(made.out, StartsWith(family + "\n  shape        32 x 32: 1 024 positions\n"));
  EXPECT_THAT(made.out, HasSubstr("  rules        105\n"));
  EXPECT_THAT(made.out, HasSubstr("  known        66 have the P-positions of Nim, 0 those of "));
  EXPECT_THAT(read("r.csv"), StartsWith("last_vector,rules,"));
  const Json info = Json::parse(run({"info", "r.h5", "--json"}).out);
  const Json again = Json::parse(run({"census", family, "--shape", "32x32", "--json"}).out);
  EXPECT_EQ(info["digest"], again["digest"]);
  EXPECT_EQ(info["nim_p_positions"], 66);
  const Outcome proved = run({"verify", "r.h5", "--full", "--threads", "1"});
  EXPECT_EQ(proved.code, 0) << proved.err;
  EXPECT_THAT(proved.out, HasSubstr("105 of 105 rows are proved from the definition"));
  EXPECT_EQ(run({"census", family, "--shape", "9x9", "-o", "r.h5"}).code, 2);
}

TEST_F(CensusCommand, RefusesInOneSentence) {
  ASSERT_EQ(run({"census", "S{max<=9,size=3}", "-o", "c.h5"}).code, 0);
  const std::pair<std::vector<std::string>, const char*> mistakes[] = {
      {{"census", "kayles"}, "'kayles' is no family of sets: S{max<=512,size=3} is one"},
      {{"census", "S{max<=9,size<=3}"}, "character 14: '<' stands where '=' and a number"},
      {{"census", "S{max<=9,size=12}"}, "a set of a family has 1 to 8 moves"},
      {{"census", "S{max<=9,size=3}", "--to", "2^40"}, "at most 2147483648 heaps of a set"},
      {{"census", "S{max<=9,size=3}", "--shape", "9x9"}, "--shape is not for a census of sub"},
      {{"census", "2: V{max<=3,size=2}"}, "--shape AxB is needed"},
      {{"census", "2: V{max<=3,size=2}", "--shape", "9x9x9"}, "the shape has sizes for 3"},
      {{"census", "2: V{max<=3,size=2}", "--shape", "9x9", "--to", "99"}, "--to is not for"},
      {{"census", "2: V{max<=3,size<=2}", "--shape", "9x9"},
       "'<' stands where '=' and a number of members is expected"},
      {{"verify", "c.h5", "--range", "80:84"}, "rows 80 to 84 are no range of rows 0 to 83"},
      {{"verify", "c.h5", "--part", "1/85"}, "84 entries do not make 85 parts"},
      {{"query", "c.h5", "5"}, "'5' is a heap; name a game of the family before it"},
      {{"query", "c.h5", "S{1,2,10}"}, "'S{1,2,10}' is no set of the family S{max<=9,size=3}"},
      {{"query", "c.h5", "kayles"}, "'kayles' is no set of the family"},
      {{"query", "c.h5", "S{1,2,3}", "5"}, "a census keeps no values"},
      {{"stats", "c.h5"}, "is a census of subtraction sets, and"},
      {{"export", "c.h5", "--format", "npy"}, "censuses are exported as csv"},
      {{"export", "c.h5", "--format", "csv", "--offset", "1"}, "censuses are exported as csv"}};
  for (const auto& [words, sentence] : mistakes) {
    const Outcome outcome = run(words);
    EXPECT_THAT(outcome.err, StartsWith("grundy: "));
    EXPECT_THAT(outcome.err, HasSubstr(sentence));
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_EQ(outcome.code, 2);
  }
}

}  // namespace
}  // namespace grundy::testing
