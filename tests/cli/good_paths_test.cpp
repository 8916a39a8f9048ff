/// @file
/// The output of the command when all is well, on real tables.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "cli/run_grundy.hpp"

namespace grundy::testing {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class CliTest : public CommandTest {
 protected:
  void make_kayles(const std::string& last = "10^6") {
    output({"compute", "kayles", "--to", last, "-o", "kayles.h5"});
  }
};

TEST_F(CliTest, PrintGivesLines) {
  EXPECT_EQ(output({"compute", "kayles", "--to", "5", "--print"}),
            "0 0\n1 1\n2 2\n3 3\n4 1\n5 4\n");
  EXPECT_EQ(output({"compute", "S{1,2,5}", "--to", "3", "--print"}), "0 0\n1 1\n2 2\n3 0\n");
}

TEST_F(CliTest, PrintAsJsonKeepsAllValues) {
  const json result = output_json({"compute", "0.07", "--to", "6", "--print"});
  EXPECT_EQ(result["values"], json({0, 0, 1, 1, 2, 0, 3}));
  EXPECT_EQ(result["last_heap"], 6);
}

TEST_F(CliTest, HelpIsACommandToo) {
  EXPECT_EQ(run({"help"}).out, run({"--help"}).out);
  EXPECT_EQ(run({"help", "sum"}).out, run({"sum", "--help"}).out);
  EXPECT_THAT(run({"help", "sum"}).out, HasSubstr("Usage: grundy sum [OPTIONS] COMPONENT"));
}

TEST_F(CliTest, FormulasAreARuleLikeAnyOther) {
  const std::string divisors = "n -> n - d : d | n, d < n";
  const json table = output_json({"compute", divisors, "--to", "20000", "-o", "divisors.h5"});
  EXPECT_EQ(table["notation"], divisors);
  EXPECT_EQ(table["digest"], output_json({"compute", "Subtract a divisor", "--to", "20000",
                                          "--threads", "1", "--block", "77"})["digest"]);
  EXPECT_EQ(output({"query", "divisors.h5", "96", "8192"}), "96 5\n8192 13\n");
  EXPECT_THAT(output({"info", "divisors.h5"}), HasSubstr("leave n - d for a d from 1 to n with"));
  EXPECT_THAT(output({"verify", "divisors.h5", "--full"}),
              HasSubstr("heaps 0 to 20 000 are proved: every number tried in the formulas"));
  EXPECT_EQ(output_json({"resume", "divisors.h5", "--to", "40000"})["digest"],
            output_json({"compute", divisors, "--to", "40000"})["digest"]);
  EXPECT_THAT(output({"sum", divisors + ":96,32"}),
              AllOf(HasSubstr("d < n 96"), HasSubstr("P: the player to move loses")));
  EXPECT_THAT(output({"period", "mark"}), HasSubstr("none found"));
}

TEST_F(CliTest, SummaryEchoesRuleAndConvention) {
  const std::string text = output({"compute", "kayles", "--to", "10^6"});
  EXPECT_THAT(text, HasSubstr("Kayles, 0.77"));
  EXPECT_THAT(text, HasSubstr("tables start at heap 0"));
  EXPECT_THAT(text, HasSubstr("12 from heap 71 on, last exception at heap 70, proved"));
  EXPECT_THAT(text, HasSubstr("8, first at heap 27"));
}

TEST_F(CliTest, ComputeJson) {
  const json result = output_json({"compute", "kayles", "--to", "10^6", "-o", "kayles.h5"});
  EXPECT_EQ(result["notation"], "0.77");
  EXPECT_EQ(result["count"], 1000001);
  EXPECT_EQ(result["period"]["status"], "certified");
  EXPECT_EQ(result["period"]["preperiod"], 71);
  EXPECT_EQ(result["period"]["period"], 12);
  EXPECT_EQ(result["period"]["last_exception"], 70);
  EXPECT_EQ(result["file"], "kayles.h5");
  EXPECT_LT(result["computed"], 1000001);
}

TEST_F(CliTest, TheTableIsTheSameWithoutExtension) {
  const json extended = output_json({"compute", "kayles", "--to", "20000"});
  const json computed = output_json({"compute", "kayles", "--to", "20000", "--no-extend"});
  EXPECT_EQ(computed["computed"], 20001);
  EXPECT_LT(extended["computed"], 20001);
  EXPECT_EQ(extended["digest"], computed["digest"]);
  EXPECT_EQ(extended["histogram"], computed["histogram"]);
  EXPECT_EQ(extended["records"], computed["records"]);
}

TEST_F(CliTest, QueryAnswersBeyondTheTable) {
  make_kayles("1000");
  EXPECT_EQ(output({"query", "kayles.h5", "0", "11", "70"}), "0 0\n11 6\n70 6\n");
  EXPECT_EQ(output({"query", "kayles.h5", "998..1002"}), "998 2\n999 8\n1000 1\n1001 4\n1002 7\n");
  // 2^64-1 = 3 mod 12, and 10^18 = 4 mod 12: as heaps 75 and 76.
  EXPECT_EQ(output({"query", "kayles.h5", "2^64-1", "10^18", "75", "76"}),
            "18446744073709551615 8\n1000000000000000000 1\n75 8\n76 1\n");
  // The values of Nim are as large as its heaps.
  output({"compute", "nim", "--to", "1000", "-o", "nim.h5"});
  EXPECT_EQ(output({"query", "nim.h5", "2^64-1", "2^32-1..2^32", "5"}),
            "18446744073709551615 18446744073709551615\n4294967295 4294967295\n"
            "4294967296 4294967296\n5 5\n");
}

TEST_F(CliTest, QueryAnswersWhatItCan) {
  output({"compute", ".007", "--to", "100", "-o", "open.h5"});
  const Outcome some = run({"query", "open.h5", "1", "9999", "99..102", "3"});
  EXPECT_EQ(some.code, 2);
  EXPECT_EQ(some.out, output({"query", "open.h5", "1", "99..100", "3"}));
  EXPECT_THAT(some.err,
              AllOf(HasSubstr("heap 9999 cannot be known"), HasSubstr("heap 101 cannot be known")));
  EXPECT_EQ(std::ranges::count(some.err, '\n'), 2);
  const Outcome huge = run({"query", "open.h5", "5", "2^64", "3"});
  EXPECT_EQ(huge.code, 2);
  EXPECT_EQ(huge.out, output({"query", "open.h5", "5", "3"}));
  EXPECT_THAT(huge.err, HasSubstr("'2^64' is larger than 2^64-1"));
  const Outcome as_json = run({"query", "open.h5", "5", "9999", "--json"});
  EXPECT_EQ(as_json.code, 2);
  EXPECT_EQ(json::parse(as_json.out), output_json({"query", "open.h5", "5"}));
  EXPECT_EQ(json::parse(as_json.err)["code"], 2);
}

TEST_F(CliTest, NamesAreReadWhateverTheirCase) {
  EXPECT_EQ(output({"compute", "kayles", "--to", "3", "--print", "--engine", "Dense", "--kernel",
                    "SCALAR"}),
            output({"compute", "kayles", "--to", "3", "--print"}));
  ASSERT_EQ(run({"compute", "kayles", "--to", "9", "-o", "names.h5"}).code, 0);
  EXPECT_EQ(output({"export", "names.h5", "--format", "CSV"}),
            output({"export", "names.h5", "--format", "csv"}));
  const std::pair<std::vector<std::string>, const char*> slips[] = {
      {{"compute", "kayles", "--to", "9", "--engine", "dens"}, "did you mean dense?"},
      {{"compute", "wythoff", "--shape", "9x9", "--engine", "wavefrnt"}, "did you mean wavefront?"},
      {{"compute", "cram:2x2", "--engine", "layerd"}, "did you mean layered?"},
      {{"compute", "cram:2x2", "--reduce", "symetry"}, "did you mean symmetry?"},
      {{"compute", "kayles", "--to", "9", "--kernel", "scalr"}, "did you mean scalar?"},
      {{"export", "names.h5", "--format", "bfil"}, "did you mean bfile?"}};
  for (const auto& [words, question] : slips) {
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr(question));
  }
}

TEST_F(CliTest, QueryJson) {
  make_kayles("1000");
  EXPECT_EQ(output_json({"query", "kayles.h5", "3", "5..6"}), json({{{"heap", 3}, {"value", 3}},
                                                                    {{"heap", 5}, {"value", 4}},
                                                                    {{"heap", 6}, {"value", 3}}}));
}

TEST_F(CliTest, PeriodOfGameAndOfFileAgree) {
  make_kayles();
  const json of_game = output_json({"period", "kayles"});
  const json of_file = output_json({"period", "kayles.h5"});
  for (const char* key : {"status", "preperiod", "period", "saltus", "last_exception", "theorem"}) {
    EXPECT_EQ(of_game[key], of_file[key]) << key;
  }
  EXPECT_EQ(of_game["status"], "certified");
  EXPECT_THAT(output({"period", "kayles"}), HasSubstr("certified"));
  // Unequal splits: the sparse space alone proves it.
  const json unequal = output_json({"period", "4!.46"});
  EXPECT_EQ(unequal["status"], "certified");
  EXPECT_EQ(unequal["period"], 442);
}

TEST_F(CliTest, ASaltusIsCertifiedExtendedAndProvedAgain) {
  // Kenyon's game: Winning Ways, ch. 4.
  const json kenyon = output_json({"period", "0.3F"});
  EXPECT_EQ(kenyon["status"], "certified");
  EXPECT_EQ(kenyon["preperiod"], 0);
  EXPECT_EQ(kenyon["period"], 6);
  EXPECT_EQ(kenyon["saltus"], 3);
  EXPECT_THAT(std::string(kenyon["theorem"]), HasSubstr("each smaller number has a witness"));
  const json table = output_json({"compute", "0.3F", "--to", "10^6", "-o", "kenyon.h5"});
  EXPECT_LT(table["computed"], 100);
  const json proof = output_json({"verify", "kenyon.h5", "--range", "0:10^6"});
  EXPECT_EQ(proof["complete"], true);
  EXPECT_EQ(proof["periodic_from"], table["computed"]);
  const json four_heaps = output_json({"period", "0.0V"});
  EXPECT_EQ(four_heaps["status"], "certified");
  EXPECT_EQ(four_heaps["period"], 2);
  EXPECT_EQ(four_heaps["saltus"], 1);
  const json values = output_json({"query", "kenyon.h5", "2", "6000000000002"});
  EXPECT_EQ(values[1]["value"], std::uint64_t{values[0]["value"]} + 3000000000000);
}

TEST_F(CliTest, PeriodOfAnUnsolvedGameIsNone) {
  const json report = output_json({"period", ".007", "--to", "2000"});
  EXPECT_EQ(report["status"], "none");
  EXPECT_TRUE(report["period"].is_null());
  EXPECT_TRUE(report["last_exception"].is_null());
}

TEST_F(CliTest, InfoReadsBackWhatComputeSaid) {
  const json computed = output_json({"compute", "kayles", "--to", "10^6", "-o", "kayles.h5"});
  const json info = output_json({"info", "kayles.h5"});
  for (const char* key : {"game", "notation", "moves", "count", "computed", "period", "maximum",
                          "p_positions", "histogram", "records", "digest", "engine", "kernel"}) {
    EXPECT_EQ(info[key], computed[key]) << key;
  }
  EXPECT_EQ(info["value_bytes"], 1);
  EXPECT_THAT(info["provenance"]["command"].get<std::string>(),
              StartsWith("grundy compute kayles"));
  EXPECT_THAT(output({"info", "kayles.h5"}), HasSubstr("Kayles, 0.77"));
}

TEST_F(CliTest, ExportWritesAStrictBFile) {
  make_kayles("1000");
  EXPECT_EQ(output({"export", "kayles.h5", "--format", "bfile", "--terms", "4"}),
            "0 0\n1 1\n2 2\n3 3\n");
  EXPECT_EQ(output({"export", "kayles.h5", "--format", "bfile", "--terms", "2", "--offset", "7"}),
            "7 0\n8 1\n");
  EXPECT_EQ(output({"export", "kayles.h5", "--format", "csv", "--terms", "2", "-o", "k.csv"}), "");
  EXPECT_EQ(read("k.csv"), "n,grundy\n0,0\n1,1\n");
}

TEST_F(CliTest, ForceReplaces) {
  write("k.csv", "old");
  make_kayles("1000");
  output({"export", "kayles.h5", "--format", "csv", "--terms", "1", "-o", "k.csv", "--force"});
  EXPECT_EQ(read("k.csv"), "n,grundy\n0,0\n");
  output({"compute", "nim", "--to", "10", "-o", "kayles.h5", "--force"});
  EXPECT_EQ(output({"query", "kayles.h5", "10"}), "10 10\n");
}

TEST_F(CliTest, ReproducibleFilesAreEqual) {
  for (const char* name : {"a.h5", "b.h5"}) {
    output({"compute", "kayles", "--to", "300000", "--reproducible", "-o", name, "--threads",
            name == std::string("a.h5") ? "1" : "3"});
  }
  EXPECT_TRUE(read("a.h5") == read("b.h5"));
}

TEST_F(CliTest, DryRunWritesNothing) {
  const json prediction =
      output_json({"compute", "kayles", "--to", "10^9", "-o", "kayles.h5", "--dry-run"});
  EXPECT_TRUE(files().empty());
  EXPECT_GT(prediction["disk_bytes"], 0);
  EXPECT_LT(prediction["disk_bytes"], 100'000'000);
  EXPECT_LT(prediction["memory_bytes"], 100'000'000);
  EXPECT_EQ(prediction["period"]["period"], 12);

  const json in_memory = output_json({"compute", "kayles", "--to", "10^9", "--dry-run"});
  EXPECT_TRUE(in_memory["disk_bytes"].is_null());
  EXPECT_TRUE(in_memory["disk_available"].is_null());
  EXPECT_GT(in_memory["seconds"], 0);

  const json statistics =
      output_json({"compute", "0.106", "--to", "10^8", "--stats-only", "-o", "s.h5", "--dry-run"});
  EXPECT_GT(statistics["disk_bytes"], 1'000'000);
  EXPECT_LT(statistics["disk_bytes"], 30'000'000);

  EXPECT_THAT(output({"compute", "0.007", "--to", "10^6", "--dry-run", "--memory", "1MB"}),
              HasSubstr(" of 977 KiB, which is too little\n"));
}

TEST_F(CliTest, DryRunRefusesAnOutputThatHasNoPlace) {
  output({"compute", "kayles", "--to", "1000", "-o", "k.h5"});
  for (const std::vector<std::string>& game : {std::vector<std::string>{"kayles", "--to", "2000"},
                                               {"kayles", "--to", "2000", "--stats-only"},
                                               {"wythoff", "--shape", "20x20"},
                                               {"cram:3x3"}}) {
    std::vector<std::string> words{"compute", "--dry-run", "-o", "nowhere/t.h5"};
    words.insert(words.end(), game.begin(), game.end());
    EXPECT_EQ(run(words).code, 2) << game.front();
    words[3] = "k.h5";
    EXPECT_THAT(run(words).err, HasSubstr("'k.h5' exists")) << game.front();
    words.push_back("--force");
    EXPECT_EQ(run(words).code, 0) << game.front();
  }
}

TEST_F(CliTest, GamesListsTheCatalogue) {
  const json games = output_json({"games"});
  EXPECT_GE(games.size(), 14u);
  for (const json& game : games) {
    for (const char* key : {"name", "title", "kind", "form", "moves", "reference"}) {
      EXPECT_NE(game.value(key, ""), "") << key << " of " << game;
    }
    EXPECT_TRUE(game.contains(game["kind"] == "graph" ? "positions" : "notation")) << game;
  }
  EXPECT_THAT(output({"games"}), HasSubstr("kayles"));
  EXPECT_EQ(output_json({"games", "Node Kayles"}).size(), 1U);
  EXPECT_THAT(output({"games", "wythoff"}), StartsWith("Games of several heaps"));
}

TEST_F(CliTest, CpuInfoNamesTheKernels) {
  const json info = output_json({"cpu-info"});
  EXPECT_EQ(info["kernels"][0]["name"], "scalar");
  EXPECT_GE(info["threads"], 1);
  EXPECT_THAT(output({"cpu-info"}), HasSubstr("scalar"));
}

TEST_F(CliTest, SelftestPasses) {
  EXPECT_THAT(output({"selftest"}), HasSubstr("checks are right"));
}

TEST_F(CliTest, HelpAndVersionAreResults) {
  EXPECT_THAT(run({"--version"}).out, StartsWith("grundy "));
  EXPECT_EQ(run({"--version", "-q"}).out, run({"--version"}).out);
  EXPECT_THAT(output({"--help"}), HasSubstr("Exit codes"));
  for (const char* command :
       {"compute", "info", "query", "period", "export", "games", "cpu-info", "selftest"}) {
    EXPECT_THAT(output({command, "--help"}), HasSubstr("Example")) << command;
  }
}

TEST_F(CliTest, AReaderThatLeavesIsNoError) {
  make_kayles("10^6");
  const Outcome outcome =
      shell("{ $GRUNDY export kayles.h5 --format csv; echo $? > code; } | head -n 2");
  EXPECT_EQ(outcome.out, "n,grundy\n0,0\n");
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(read("code"), "0\n");
}

TEST_F(CliTest, AFullDeviceIsAFailure) {
  make_kayles("1000");
  const Outcome outcome = shell("$GRUNDY export kayles.h5 --format csv > /dev/full");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("standard output"));
}

}  // namespace
}  // namespace grundy::testing
