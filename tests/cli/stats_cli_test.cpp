// SPDX-License-Identifier: MIT
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "cli/run_grundy.hpp"

namespace grundy::testing {
namespace {

using ::testing::ContainsRegex;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using ::testing::Values;
using ::testing::WithParamInterface;
using Json = nlohmann::json;

class StatsCommand : public CommandTest {
 protected:
  Json json(const std::vector<std::string>& words) {
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return Json::parse(outcome.out);
  }
};

// Facts of Officers (0.6) to 131072: row .6 of tests/golden/octal_statistics.csv; its zeros and its
// rare heaps are those of mvr.github.io/posts/officers.html (8 March 2025).
TEST_F(StatsCommand, OfficersToTwoToTheSeventeen) {
  ASSERT_EQ(run({"compute", ".6", "--to", "131072", "-o", "o.h5", "-q"}).code, 0);
  const Json stats = json({"stats", "o.h5", "--json"});
  EXPECT_EQ(stats["maximum"], (Json{{"value", 285}, {"heap", 89634}}));
  EXPECT_EQ(stats["zeros"], Json({0, 1, 4, 12, 20, 30, 46, 72, 98, 124, 150, 176, 314, 408}));
  EXPECT_EQ(stats["zeros_complete"], true);
  EXPECT_EQ(stats["sparse"]["mask"], 0x1ee);
  EXPECT_EQ(stats["sparse"]["rare_heaps"], 1583);
  EXPECT_EQ(stats["sparse"]["last_rare_heap"], 20627);
  const Json& octaves = stats["powers_of_two"];
  ASSERT_EQ(octaves.size(), 17u);
  EXPECT_EQ(octaves[16]["below"], 131072);
  EXPECT_NE(run({"stats", "o.h5"}).out.find("1 583 rare heaps (1 584 with heap 0)"),
            std::string::npos);
  EXPECT_EQ(octaves[16]["rare"], 1583);
  EXPECT_EQ(octaves[15]["rare"], 1583);
  EXPECT_EQ(octaves[0]["below"], 2);
  EXPECT_EQ(octaves[4]["zeros"], 6);  // below 32: 0 1 4 12 20 30
  std::uint64_t rare = 0;
  for (const Json& row : octaves) {
    EXPECT_GE(row["rare"], rare);
    rare = row["rare"];
  }
}

struct Lengths {
  const char* shorter;
  const char* longer;
};

class MemoryOfRuns : public CommandTest, public WithParamInterface<Lengths> {};

// The trial before a run keeps no more than the run itself does.
TEST_P(MemoryOfRuns, DoesNotGrowWithTheHeaps) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer takes memory of its own";
#endif
  int runs = 0;
  const auto memory = [&](const std::string& last) {
    const std::string file = "s" + std::to_string(++runs) + ".h5";
    const Outcome outcome =
        run({"compute", "0.106", "--to", last, "--stats-only", "-o", file, "-q", "--threads", "1"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return static_cast<double>(outcome.memory);
  };
  const auto [shorter, longer] = GetParam();
  // Equal runs differ by up to 6 % in the pages that the libraries of the system touch.
  double growth = memory(longer) / memory(shorter);
  for (int tries = 1; tries < 3 && growth >= 1.05; ++tries) {
    growth = std::min(growth, memory(longer) / memory(shorter));
  }
  EXPECT_LT(growth, 1.05);
}

INSTANTIATE_TEST_SUITE_P(Short, MemoryOfRuns, Values(Lengths{"1e7", "1e8"}));
INSTANTIATE_TEST_SUITE_P(Long, MemoryOfRuns, Values(Lengths{"1e8", "1e10"}));

TEST_F(StatsCommand, TextHasTheTable) {
  ASSERT_EQ(run({"compute", "kayles", "--to", "1000", "-o", "k.h5", "-q"}).code, 0);
  const Outcome outcome = run({"stats", "k.h5"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("maximum      8, first at heap 27"));
  EXPECT_THAT(outcome.out, HasSubstr("P-positions  1: 0\n"));
  EXPECT_THAT(outcome.out, HasSubstr("  2^9 "));
}

TEST_F(StatsCommand, ReadsRunsThatKeptStatisticsOnly) {
  for (const char* game : {".34", ".356"}) {
    const std::string file = std::string("s") + game + ".h5";
    const Outcome compute =
        run({"compute", game, "--to", "140000", "--stats-only", "-o", file, "-q"});
    ASSERT_EQ(compute.code, 0) << compute.err;
    ASSERT_EQ(run({"compute", game, "--to", "140000", "-o", "t.h5", "--force", "-q"}).code, 0);
    const Json run_stats = json({"stats", file, "--json"});
    const Json table_stats = json({"stats", "t.h5", "--json"});
    for (const char* key :
         {"powers_of_two", "histogram", "records", "digest", "notation", "zeros"}) {
      EXPECT_EQ(run_stats[key], table_stats[key]) << game << ", " << key;
    }
  }
}

TEST_F(StatsCommand, AFileOfStatisticsIsReadLikeATable) {
  ASSERT_EQ(run({"compute", ".106", "--to", "100000", "--stats-only", "-o", "s.h5", "-q"}).code, 0);
  EXPECT_THAT(run({"info", "s.h5"}).out, HasSubstr("values       of the last 1024 heaps only"));
  EXPECT_EQ(json({"info", "s.h5", "--json"})["last_heap"], 100000);
  EXPECT_EQ(run({"query", "s.h5", "100000"}).out, run({"query", "s.h5", "100000..100000"}).out);
  std::filesystem::rename(directory() / "s.h5.run", directory() / "away");
  const Outcome query = run({"query", "s.h5", "5"});
  EXPECT_EQ(query.code, 2);
  EXPECT_THAT(query.err, HasSubstr("values of heaps 98977 to 100000 only"));
  EXPECT_THAT(query.err, HasSubstr("s.h5.run' is not there"));
  std::filesystem::rename(directory() / "away", directory() / "s.h5.run");
  const Outcome further = run({"resume", "s.h5", "--to", "150000", "--json", "-q"});
  ASSERT_EQ(further.code, 0) << further.err;
  EXPECT_EQ(Json::parse(further.out)["digest"],
            json({"compute", ".106", "--to", "150000", "--stats-only", "--json", "-q"})["digest"]);
  EXPECT_EQ(json({"info", "s.h5", "--json"})["last_heap"], 150000);
}

TEST_F(StatsCommand, ValuesThatARunHasLetGoAreComputedAgain) {
  for (const char* game : {".106", ".16"}) {  // the latter has a period of 149459 heaps
    ASSERT_EQ(
        run({"compute", game, "--to", "1000000", "--stats-only", "-o", "s.h5", "-q", "--force"})
            .code,
        0);
    ASSERT_EQ(run({"compute", game, "--to", "1000000", "-o", "t.h5", "-q", "--force"}).code, 0);
    std::vector<std::string> heaps = {"0..3", "600000", "999990..1000000"};
    if (std::string(game) == ".16") heaps.emplace_back("1000000000000000");
    std::vector<std::string> again = {"query", "s.h5"};
    std::vector<std::string> stored = {"query", "t.h5"};
    again.insert(again.end(), heaps.begin(), heaps.end());
    stored.insert(stored.end(), heaps.begin(), heaps.end());
    const Outcome outcome = run(again);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, run(stored).out) << game;
    std::filesystem::remove_all(directory() / "s.h5.run");
    std::filesystem::remove(directory() / "s.h5");
  }
}

// A run that went on from a file has no seal below the file's end but the first values.
TEST_F(StatsCommand, ValuesThatAStateHoldsAreNotComputedAgain) {
  ASSERT_EQ(run({"compute", ".106", "--to", "9000000", "--stats-only", "-o", "s.h5", "-q"}).code,
            0);
  std::filesystem::remove_all(directory() / "s.h5.run");
  ASSERT_EQ(run({"resume", "s.h5", "--to", "9200000", "-q"}).code, 0);
  ASSERT_EQ(run({"compute", ".106", "--to", "9000000", "-o", "t.h5", "-q"}).code, 0);
  const Outcome held = run({"query", "s.h5", "8999000..9000000"});
  EXPECT_EQ(held.err, "");
  EXPECT_EQ(held.out, run({"query", "t.h5", "8999000..9000000"}).out);
  const Outcome again = run({"query", "s.h5", "8000000"});
  EXPECT_THAT(again.err, ContainsRegex("heaps are computed again, from heap [0-9 ]+ on\n"));
  EXPECT_EQ(again.out, run({"query", "t.h5", "8000000"}).out);
}

TEST_F(StatsCommand, RunsThatKeepNoValuesLeaveRareHeapsAndATail) {
  const Json run_stats =
      json({"compute", ".356", "--to", "140000", "--stats-only", "--no-extend", "--json", "-q"});
  EXPECT_EQ(run_stats["rare_heaps"].size(), 6u);
  EXPECT_EQ(run_stats["rare_heaps"].back(), 43);
  EXPECT_EQ(run_stats["engines"].back()["engine"], "sparse");
  EXPECT_THAT(run_stats["engines"].back()["reason"].get<std::string>(), HasSubstr("rare"));
  const Json& tail = run_stats["tail"];
  EXPECT_EQ(tail["first_heap"], 140001 - 1024);
  EXPECT_EQ(tail["values"].size(), 1024u);
  const Json query = json({"compute", ".356", "--to", "139999", "--print", "--json", "-q"});
  for (std::size_t i = 0; i < 1023; ++i) {
    ASSERT_EQ(tail["values"][i], query["values"][140001 - 1024 + i]) << i;
  }
}

TEST_F(StatsCommand, RefusesOtherFiles) {
  write("text.h5", "no table");
  EXPECT_EQ(run({"stats", "text.h5"}).code, 4);
  EXPECT_EQ(run({"stats", "none.h5"}).code, 2);
}

// Rows 0.16 of octal_statistics.csv and octal_sparse_spaces.csv in tests/golden.
TEST_F(StatsCommand, ARowHasWhatTablesOfGamesHave) {
  const std::string row = "\n0.16\t-\t-\t-\t22\t15093\t11110\t01111\t52\t53\t13935\t837\t131073\n";
  ASSERT_EQ(run({"compute", "0.16", "--to", "131072", "-o", "t.h5", "-q"}).code, 0);
  const Outcome of_table = run({"stats", "t.h5", "--tsv"});
  EXPECT_THAT(of_table.out, StartsWith("game\tperiod\tsaltus\tlast exception\t"));
  EXPECT_THAT(of_table.out, EndsWith(row));
  EXPECT_THAT(run({"period", "0.16", "--to", "131072", "--tsv"}).out, EndsWith(row));
  EXPECT_EQ(output_json({"period", "0.16", "--to", "131072"})["last_zero"], 837);
  EXPECT_THAT(run({"period", "0.77", "--tsv"}).out,
              HasSubstr("\n0.77\t12\t0\t70\t8\t27\t1111\t1111\t9\t10\t70\t0\t"));
  EXPECT_THAT(run({"stats", "t.h5"}).out, HasSubstr("\n  last zero    heap 837, of heaps 0 to "));
  EXPECT_EQ(run({"stats", "t.h5", "--tsv", "--json"}).code, 2);
  EXPECT_EQ(run({"period", "t.h5", "--tsv"}).code, 2);
}

// Of a proved period nothing tells where the search has stopped.
TEST_F(StatsCommand, ARowSaysWhatHasNoEnd) {
  EXPECT_THAT(run({"period", "S{2,5,7}", "--tsv"}).out, HasSubstr("\nS{2,5,7}\t22\t0\t"));
  const auto cells = [&](const std::vector<std::string>& arguments) {
    const std::string text = run(arguments).out;
    std::istringstream row(text.substr(text.find('\n') + 1));
    std::vector<std::string> all;
    for (std::string cell; std::getline(row, cell, '\t');) all.push_back(cell);
    return all;
  };
  const auto recurring = cells({"period", "S{2,5,7}", "--tsv"});
  ASSERT_EQ(recurring.size(), 13u);
  EXPECT_EQ(recurring[11], "-") << "zeros recur";
  EXPECT_NE(recurring[4], "-");
  const auto growing = cells({"period", "0.3F", "--tsv"});
  EXPECT_NE(growing[2], "0");
  EXPECT_EQ(growing[4] + growing[5], "--") << "values grow";
  EXPECT_EQ(growing[11], "3") << "the last one, behind which values grow";
  ASSERT_EQ(run({"compute", "S{2,5,7}", "--to", "5000", "-o", "s.h5", "-q"}).code, 0);
  EXPECT_EQ(cells({"stats", "s.h5", "--tsv"})[11], "-");
  const auto mixed = cells({"period", "4.3646 pass 4", "--to", "5000", "--tsv"});
  EXPECT_EQ(mixed[1], "-");
  EXPECT_EQ(mixed[4], "-") << "values are proved to grow";
  // No engine tells the sparse space of so few heaps; the row has it all the same.
  ASSERT_EQ(run({"compute", "4.3646 pass 4", "--to", "5000", "-o", "m.h5", "-q"}).code, 0);
  const auto table = cells({"stats", "m.h5", "--tsv"});
  ASSERT_EQ(table.size(), 13u);
  EXPECT_NE(table[6], "-");
  EXPECT_EQ(std::vector(mixed.begin() + 6, mixed.end()),
            std::vector(table.begin() + 6, table.end()));
  const Json proved = output_json({"period", "4.3646 pass 4"});
  EXPECT_EQ(proved["mixed"]["status"], "certified");
  EXPECT_EQ(proved["verified_to"], 8192) << "no period can come after a pattern that is proved";
}

TEST_F(StatsCommand, TheLastZeroIsToldWithItsProof) {
  EXPECT_THAT(run({"period", "S{2,5,7}"}).out,
              HasSubstr("\n  last zero    none: zeros recur with the period\n"));
  EXPECT_THAT(run({"period", "kayles"}).out,
              HasSubstr("\n  last zero    heap 0, proved to be the last\n"));
  EXPECT_THAT(run({"period", "0.16", "--to", "131072"}).out,
              HasSubstr("\n  last zero    heap 837, of heaps 0 to 131 072\n"));
  Json found = output_json({"period", "S{2,5,7}"});
  EXPECT_EQ(found["last_zero"], nullptr);
  EXPECT_EQ(found["zeros_recur"], true);
  found = output_json({"period", "kayles"});
  EXPECT_EQ(found["last_zero"], 0);
  EXPECT_EQ(found["zeros_recur"], false);
  EXPECT_EQ(output_json({"period", "0.16", "--to", "131072"})["zeros_recur"], nullptr);
  // More zeros than a list has, without a proved period.
  ASSERT_EQ(run({"compute", "S{squares}", "--to", "40000", "-o", "q.h5", "-q"}).code, 0);
  found = output_json({"stats", "q.h5"});
  EXPECT_EQ(found["zeros_complete"], false);
  EXPECT_EQ(found["last_zero"],
            output_json({"period", "S{squares}", "--to", "40000"})["last_zero"]);
  EXPECT_GT(found["last_zero"], 39000);
  ASSERT_EQ(
      run({"compute", "S{squares}", "--to", "40000", "--stats-only", "-o", "s.h5", "-q"}).code, 0);
  EXPECT_EQ(output_json({"stats", "s.h5"})["last_zero"], found["last_zero"]);
}

}  // namespace
}  // namespace grundy::testing
