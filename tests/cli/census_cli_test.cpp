/// @file
/// `grundy census` as a process, and what other commands do with its file.
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
      {{"census", "2: V{max<=3,size=2}", "--shape", "9x9x9"}, "the shape has 3 heaps"},
      {{"census", "2: V{max<=3,size=2}", "--shape", "9x9", "--to", "99"}, "--to is not for"},
      {{"census", "2: V{max<=3,size<=2}", "--shape", "9x9"},
       "'<' stands where '=' and a number of members is expected"},
      {{"verify", "c.h5", "--range", "0:5"}, "--range is not for a census"},
      {{"query", "c.h5", "5"}, "is a census of subtraction sets, and"}};
  for (const auto& [words, sentence] : mistakes) {
    const Outcome outcome = run(words);
    EXPECT_THAT(outcome.err, StartsWith("grundy: "));
    EXPECT_THAT(outcome.err, HasSubstr(sentence));
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_EQ(outcome.code, words[0] == "query" ? 4 : 2);
  }
}

}  // namespace
}  // namespace grundy::testing
