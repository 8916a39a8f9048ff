/// @file
/// The commands about sums: `nim`, `sum`, `equal`, `count`.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "cli/run_grundy.hpp"

namespace grundy::testing {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

using SumsCliTest = CommandTest;

TEST_F(SumsCliTest, NimCalculates) {
  EXPECT_EQ(output({"nim", "5 ^ 8 ^ 10"}), "7\n");
  EXPECT_EQ(output({"nim", "5", "^", "8"}), "13\n");
  EXPECT_EQ(output({"nim", "18446744073709551615 * 18446744073709551615"}),
            "11290409524105353207\n");
  EXPECT_EQ(output_json({"nim", "2*3"}), json({{"expression", "2*3"}, {"value", 1}}));
}

TEST_F(SumsCliTest, NimReadsLists) {
  const std::string text = "# values of sums\n\n  5 ^ 8 ^ 10\r\n2*3 # a product\nmex(0, 1)";
  write("list.txt", text);
  EXPECT_EQ(output({"nim", "@list.txt"}), "7\n1\n2\n");
  EXPECT_EQ(output_json({"nim", "@list.txt"}), json({{{"expression", "5 ^ 8 ^ 10"}, {"value", 7}},
                                                     {{"expression", "2*3"}, {"value", 1}},
                                                     {{"expression", "mex(0, 1)"}, {"value", 2}}}));
  const Outcome piped = shell("\"$GRUNDY\" nim @- < list.txt");
  EXPECT_EQ(piped.code, 0);
  EXPECT_EQ(piped.out, "7\n1\n2\n");
  write("marked.txt",
        "\xef\xbb\xbf"
        "5 ^ 8\n");  // with the byte order mark of some editors
  EXPECT_EQ(output({"nim", "@marked.txt"}), "13\n");
  write("empty.txt", "# nothing\n");
  EXPECT_EQ(output({"nim", "@empty.txt"}), "");
  EXPECT_EQ(output_json({"nim", "@empty.txt"}), json::array());
}

TEST_F(SumsCliTest, NimNamesTheLineThatIsWrong) {
  write("bad.txt", "5 ^ 8\n\n5 ^\n2\n");
  const Outcome bad = run({"nim", "@bad.txt"});
  EXPECT_EQ(bad.code, 2);
  EXPECT_EQ(bad.out, "");  // no values of which one is missing
  EXPECT_THAT(bad.err, HasSubstr("bad.txt:3: "));
  const Outcome piped = shell("\"$GRUNDY\" nim @- --json < bad.txt");
  EXPECT_EQ(piped.code, 2);
  EXPECT_EQ(json::parse(piped.err)["code"], 2);
  EXPECT_THAT(piped.err, HasSubstr("standard input:3: "));
  const Outcome none = run({"nim", "@none.txt"});
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.err, HasSubstr("cannot open 'none.txt': No such file or directory"));
  const Outcome directory = run({"nim", "@."});
  EXPECT_EQ(directory.code, 2);
  EXPECT_THAT(directory.err, HasSubstr("'.' is a directory, not a list"));
  EXPECT_EQ(run({"nim", "@bad.txt", "--table", "3"}).code, 2);
}

TEST_F(SumsCliTest, NimPrintsTables) {
  EXPECT_EQ(output({"nim", "--table", "3"}),
            "+ | 0 1 2 3\n"
            "--+--------\n"
            "0 | 0 1 2 3\n"
            "1 | 1 0 3 2\n"
            "2 | 2 3 0 1\n"
            "3 | 3 2 1 0\n");
  EXPECT_THAT(output({"nim", "--table", "3", "--product"}), EndsWith("3 | 0 3 1 2\n"));
  const json sums = output_json({"nim", "--table", "10"});
  EXPECT_EQ(sums["rows"].size(), 11u);
  EXPECT_EQ(sums["rows"][10], json({10, 11, 8, 9, 14, 15, 12, 13, 2, 3, 0}));
}

TEST_F(SumsCliTest, SumListsExactlyTheWinningMoves) {
  EXPECT_EQ(output({"sum", "nim:13,12,8"}),
            "  Nim 13      13\n"
            "  Nim 12      12\n"
            "  Nim 8        8\n"
            "  nim-sum      9\n"
            "  N: the player to move wins\n"
            "\n"
            "Winning moves:\n"
            "  from the Nim heap of 13 take 9, leaving 4\n"
            "  from the Nim heap of 12 take 7, leaving 5\n"
            "  from the Nim heap of 8 take 7, leaving 1\n");
  const json result = output_json({"sum", "nim:13,12,8"});
  EXPECT_EQ(result["value"], 9);
  EXPECT_EQ(result["outcome"], "N");
  EXPECT_EQ(result["every_winning_move"], true);
  EXPECT_EQ(result["winning_moves"], json::parse(R"([
              {"component": 0, "taken": 9, "left": [4], "pass": false, "value": 4},
              {"component": 1, "taken": 7, "left": [5], "pass": false, "value": 5},
              {"component": 2, "taken": 7, "left": [1], "pass": false, "value": 1}])"));
}

TEST_F(SumsCliTest, SumSpeaksTheLanguageOfTheGame) {
  EXPECT_THAT(output({"sum", "kayles:2"}), HasSubstr("take the whole of the Kayles heap of 2\n"));
  EXPECT_THAT(output({"sum", "kayles:5"}), HasSubstr("of 5 take 1, leaving 2 + 2\n"));
  EXPECT_THAT(output({"sum", "grundys-game:3"}),
              HasSubstr("split the Grundy's game heap of 3 into 1 + 2\n"));
}

TEST_F(SumsCliTest, SumMixesGames) {
  // OEIS A002186, A002187 and A002188.
  const json result = output_json({"sum", "0.77:12,7,5", "0.137:9", "grundys-game:20"});
  std::vector<int> values;
  for (const json& heap : result["components"]) values.push_back(heap["value"]);
  EXPECT_THAT(values, ElementsAre(4, 2, 4, 3, 0));
  EXPECT_EQ(result["value"], 1);
}

TEST_F(SumsCliTest, GamesAreFoundWhateverTheirCaseAndJoints) {
  EXPECT_EQ(output({"sum", "Wythoff:3,5"}), output({"sum", "wythoff:3,5"}));
  EXPECT_EQ(output({"sum", "Dawsons_Chess:7"}), output({"sum", "dawsons-chess:7"}));
  EXPECT_EQ(output({"sum", "Moore (3, 2):4,5,6"}), output({"sum", "moore(3,2):4,5,6"}));
  EXPECT_EQ(output({"sum", "CRAM: 3\u00d74"}).substr(0, 6), "  cram");
  EXPECT_EQ(output_json({"sum", "Cram:3x4"})["value"], output_json({"sum", "cram:3x4"})["value"]);
}

TEST_F(SumsCliTest, NimbersHaveStarsAndComponentsMayBeJoined) {
  EXPECT_EQ(output({"nim", "*5 + *6"}), "3\n");
  EXPECT_EQ(output({"sum", "*5 + *6"}), output({"sum", "nim:5,6"}));
  EXPECT_EQ(output({"sum", "*5", "+", "kayles:7, 3"}), output({"sum", "nim:5", "kayles:7,3"}));
  EXPECT_THAT(run({"sum", "*5x"}).err, HasSubstr("'*5x', character 3: 'x' stands where"));
  EXPECT_THAT(run({"sum", "*5 x"}).err, HasSubstr("'x' is not a component"));
  EXPECT_THAT(run({"nim", "5 \u2297 \u2297"}).err, HasSubstr("character 5: '\u2297' stands"));
}

TEST_F(SumsCliTest, SumExplains) {
  const std::string text = output({"sum", "nim:13,12,8", "--explain"});
  for (const char* line : {"13  1101\n", "12  1100\n", " 8  1000\n", " 9  1001\n",
                           "Nim 13: 13 xor 9 = 4; 4 is less than 13"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
  EXPECT_THAT(output({"sum", "kayles:7,7", "--explain"}), HasSubstr("The nim-sum is 0."));
  const std::string mixed = output({"sum", "kayles:12,7,5", "0.137:9", "--explain"});
  EXPECT_THAT(mixed, HasSubstr("Kayles 12: 4 xor 1 = 5; 5 is more than 4; an option has it"));
  EXPECT_THAT(mixed, HasSubstr("Kayles 5: 4 xor 1 = 5; 5 is more than 4; no option has it\n"));
}

TEST_F(SumsCliTest, SumListsThePassOfAHeap) {
  const std::string alone = output({"sum", "0.77 pass 3:3"});
  EXPECT_THAT(alone, HasSubstr("nim-sum            4\n  N: the player to move wins\n"));
  EXPECT_THAT(alone, EndsWith("  from the 0.77 pass 3 heap of 3 take 1, leaving 1 + 1\n"));
  EXPECT_THAT(output({"sum", "kayles:3 + 0.77 pass 3:3"}),
              EndsWith("Winning moves:\n  pass in the 0.77 pass 3 heap of 3\n"));
  EXPECT_EQ(output_json({"sum", "kayles:3 + 0.77 pass 3:3"})["winning_moves"], json::parse(R"([
              {"component": 1, "taken": null, "left": [3], "pass": true, "value": 3}])"));
  for (const json& move : output_json({"sum", "wythoff:3,6"})["winning_moves"]) {
    EXPECT_TRUE(move["taken"].is_null());  // what is taken may be from several heaps
  }
  // A split takes nothing.
  for (const json& move : output_json({"sum", "grundys-game:3"})["winning_moves"]) {
    EXPECT_EQ(move["taken"], 0);
  }
}

TEST_F(SumsCliTest, SumOfHugeHeaps) {
  const json one = output_json({"sum", "kayles:10^18"});
  EXPECT_EQ(one["value"], 1);
  EXPECT_EQ(one["every_winning_move"], false);
  ASSERT_EQ(one["winning_moves"].size(), 1u);
  EXPECT_THAT(output({"sum", "kayles:10^18"}), HasSubstr("too many options to list"));
  const json all = output_json({"sum", "S{1,2,5}:2^64-1", "nim:4000000000"});
  EXPECT_EQ(all["every_winning_move"], true);
  EXPECT_EQ(all["winning_moves"].size(), 1u);
  // Values of Nim are as large as its heaps.
  const json nim = output_json({"sum", "nim:10^18,5"});
  EXPECT_EQ(nim["value"], 1'000'000'000'000'000'000u ^ 5u);
  EXPECT_EQ(nim["winning_moves"][0]["left"], json({5}));
  EXPECT_EQ(output_json({"sum", "nim:2^64-1"})["value"], ~std::uint64_t{0});
}

TEST_F(SumsCliTest, SumReadsTables) {
  output({"compute", "kayles", "--to", "1000", "-o", "kayles.h5"});
  EXPECT_EQ(output_json({"sum", "kayles.h5:12,7,10^18", "kayles:10^18"})["value"], 4 ^ 2);
  output({"compute", "0.07", "--to", "100", "-o", "open.h5"});
  EXPECT_EQ(output_json({"sum", "open.h5:100"}), output_json({"sum", "0.07:100"}));
}

TEST_F(SumsCliTest, EqualComparesSums) {
  const json result = output_json({"equal", "kayles:12,7", "nim:6"});
  EXPECT_EQ(result["equal"], true);
  EXPECT_EQ(result["sum_of_both"], json({{"value", 0}, {"outcome", "P"}}));
  EXPECT_THAT(output({"equal", "kayles:12 kayles:7", "nim:4,2"}), StartsWith("equal\n"));
  EXPECT_THAT(output({"equal", "kayles:12", "nim:5"}), StartsWith("different\n"));
}

TEST_F(SumsCliTest, CountAgreesWithTheLiterature) {
  // Project Euler 310; Bouton's numbers, OEIS A363166.
  EXPECT_EQ(output_json({"count", "subtract-a-square", "--heaps", "3", "--to",
                         "100000"})["counts"][0]["unordered"],
            "2586528661783");
  EXPECT_EQ(output_json({"count", "nim", "--heaps", "3", "--to", "14", "--from",
                         "1"})["counts"][0]["unordered"],
            "28");
  EXPECT_EQ(output({"count", "nim", "--heaps", "2", "--to", "1"}),
            "  Nim          2 heaps of 0 to 1 tokens; empty heaps are included\n"
            "  value  ordered  unordered\n"
            "      0        2          2\n"
            "      1        2          1\n"
            "    all        4          3\n");
}

TEST_F(SumsCliTest, CountUsesTablesAndPeriods) {
  output({"compute", "kayles", "--to", "1000", "-o", "kayles.h5"});
  EXPECT_EQ(output_json({"count", "kayles.h5", "--heaps", "4"})["counts"],
            output_json({"count", "kayles", "--heaps", "4", "--to", "1000"})["counts"]);
  // Beyond the table, and beyond any list, the period counts.
  const auto huge = [&](const char* game) {
    return output_json(
        {"count", game, "--heaps", "2", "--to", "2^64-2", "--from", "990"})["counts"];
  };
  EXPECT_EQ(huge("kayles.h5"), huge("kayles"));
  EXPECT_EQ(output_json({"count", "kayles.h5", "--heaps", "3", "--to", "20000"})["counts"],
            output_json({"count", "kayles", "--heaps", "3", "--to", "20000"})["counts"]);
}

TEST_F(SumsCliTest, CountMixesGames) {
  const json result = output_json({"count", "nim", "S{1}", "--heaps", "1", "--to", "3"});
  EXPECT_EQ(result["all_ordered"], "16");
  for (const json& row : result["counts"]) EXPECT_EQ(row["ordered"], "4");
}

TEST_F(SumsCliTest, HelpHasExamples) {
  for (const char* command : {"nim", "sum", "equal", "count"}) {
    EXPECT_THAT(output({command, "--help"}), HasSubstr("Example")) << command;
  }
}

TEST_F(SumsCliTest, BadInputIsOneSentence) {
  output({"compute", "0.007", "--to", "100", "-o", "open.h5"});
  const struct {
    std::vector<std::string> arguments;
    const char* says;
  } cases[] = {
      {{"nim"}, "--table"},
      {{"nim", "5 ^"}, "the text ends where a number"},
      {{"nim", "5", "--table", "3"}, "--table"},
      {{"nim", "--table", "501"}, "500"},
      {{"nim", "--table", "x"}, "--table"},
      {{"nim", "--product", "5"}, "--product"},
      {{"nim", "1/0"}, "inverse"},
      {{"sum"}, "COMPONENT"},
      {{"sum", "kayles"}, "'kayles' is not a component"},
      {{"sum", "kayles:"}, "kayles:12,7"},
      {{"sum", ":3"}, "kayles:12,7"},
      {{"sum", "kayles:3,,4"}, "kayles:3,,4"},
      {{"sum", "kayles:3,"}, "kayles:3,"},
      {{"sum", "kayles:-3"}, "kayles:-3"},
      {{"sum", "kayles:2^64"}, "2^64"},
      {{"sum", "keyles:3"}, "kayles"},
      {{"sum", "nim:5:6"}, "commas stand between heaps; write nim:5,6"},
      {{"sum", "wythoff:3:5"}, "write wythoff:3,5"},
      {{"sum", "0.77:3:4,5"}, "write 0.77:3,4,5"},
      {{"sum", "hex:0.8:3:4"}, "write hex:0.8:3,4"},
      {{"equal", "nim:5:6", "*3"}, "write nim:5,6"},
      {{"sum", "octal:0.77"}, "there is no game called 'octal'; did you mean '0.77'?"},
      {{"sum", "hex:0.8"}, "has no heaps; they follow a colon, as in hex:0.8:5"},
      // Sanitized, its search is long enough to report progress.
      {{"sum", "0.007:10^18", "-q"}, "no period is certified"},
      {{"sum", "missing.h5:3"}, "missing.h5"},
      {{"sum", "open.h5:101"}, "101"},
      {{"equal", "kayles:3"}, "B"},
      {{"equal", "kayles:3", ""}, "a sum needs a component"},
      {{"equal", "kayles:3", "nim"}, "'nim'"},
      {{"sum", "kayles:5 + wythof:3,5"}, "did you mean wythoff?"},
      {{"equal", "keyles:3 nim:2", "*3"}, "'keyles'"},
      {{"sum", "Dawson's Ches:5"}, "'Dawson's Ches'"},
      {{"sum", "cram:3x4 + *x"}, "'*x', character 2"},
      {{"count", "kayles", "--heaps", "3"}, "--to"},
      {{"count", "kayles", "--to", "3"}, "--heaps"},
      {{"count", "kayles", "--heaps", "0", "--to", "3"}, "--heaps"},
      {{"count", "kayles", "--heaps", "65", "--to", "3"}, "64"},
      {{"count", "kayles", "--heaps", "2", "--to", "3", "--from", "4"}, "no heaps from 4 to 3"},
      {{"count", "kayles", "--heaps", "2", "--to", "2^64-1"}, "2^64-2"},
      {{"count", "open.h5", "--heaps", "2", "--to", "101"}, "101"},
      {{"count", "nim", "--heaps", "2", "--to", "10^18"}, "cannot be counted"},
  };
  for (const auto& bad : cases) {
    const Outcome outcome = run(bad.arguments);
    SCOPED_TRACE(::testing::PrintToString(bad.arguments));
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, StartsWith("grundy: "));
    EXPECT_THAT(outcome.err, HasSubstr(bad.says));
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1);
  }
}

}  // namespace
}  // namespace grundy::testing
