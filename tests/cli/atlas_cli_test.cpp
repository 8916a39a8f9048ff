/// @file
/// `grundy atlas` as a process: summaries, refusals, and a run that is killed and resumed.
// SPDX-License-Identifier: MIT
#include <chrono>
#include <thread>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <signal.h>

#include <grundy/verify.hpp>

#include "cli/run_grundy.hpp"

namespace grundy::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using Json = nlohmann::json;

class AtlasCommand : public CommandTest {};

TEST_F(AtlasCommand, PrintsAndWritesTheClasses) {
  const Outcome outcome = run({"atlas", "0.dd", "4.dd", "--summary", "t.csv", "--summary", "t.md",
                               "--summary", "t.json", "-o", "t.h5", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json json = Json::parse(outcome.out);
  EXPECT_EQ(json["games"], 127);
  EXPECT_EQ(json["last_heap"], 2500);
  std::size_t members = 0;
  for (const Json& row : json["classes"]) members += row["members"].size();
  EXPECT_EQ(members, 127u);
  EXPECT_EQ(outcome.out, read("t.json"));
  EXPECT_THAT(read("t.csv"), StartsWith("game,standard_form,status,preperiod,period,"));
  EXPECT_THAT(read("t.csv"), HasSubstr("\n0.77,0.77,certified,71,12,0,8,27,"));
  EXPECT_THAT(read("t.md"), HasSubstr("| 0.6 | none |"));
  EXPECT_THAT(read("t.csv"), ::testing::Not(HasSubstr("seconds")));
  EXPECT_THAT(read("t.csv"), HasSubstr(",literature,reference,xxh3_128\n"));
  EXPECT_THAT(read("t.csv"), HasSubstr(",unsolved,\"0.6: computed to 1.4 10^14"));
  for (const Json& row : json["classes"]) {
    if (row["game"] == "0.6") {
      EXPECT_EQ(row["literature"], "unsolved");
    } else if (row["game"] == "0.16") {
      EXPECT_EQ(row["literature"], "solved");
    } else if (row["game"] == "0.77") {
      EXPECT_EQ(row["literature"], "solved");
      EXPECT_EQ(row["reference"],
                "0.77: period 12 from heap 71 on; T. Czajka, github.com/tczajka/octal-games");
    }
  }
}

TEST_F(AtlasCommand, ItsFileIsToldAndProved) {
  ASSERT_EQ(run({"atlas", "0.dd", "--to", "300", "-o", "t.h5"}).code, 0);
  const Json info = output_json({"info", "t.h5"});
  EXPECT_EQ(info["games"], 63);
  const Json proved = output_json({"verify", "t.h5", "--full", "--threads", "2"});
  EXPECT_EQ(proved["ok"], true);
  EXPECT_EQ(proved["proved_games"], 63);
  EXPECT_EQ(proved["digest"], info["digest"]);
  EXPECT_THAT(output({"verify", "t.h5"}),
              HasSubstr("63 of 63 games are proved from the definition"));
  const Outcome range = run({"verify", "t.h5", "--range", "60:63"});
  EXPECT_EQ(range.code, 2);
  EXPECT_THAT(range.err, HasSubstr("games 60 to 63 are no range of games 0 to 62"));
}

TEST_F(AtlasCommand, PartsOfAProofAreTheWholeProof) {
  ASSERT_EQ(run({"atlas", "0.dd", "--to", "300", "-o", "t.h5"}).code, 0);
  ASSERT_EQ(run({"verify", "t.h5", "--full", "--certificate", "whole.json"}).code, 0);
  std::vector<std::string> merge{"verify", "t.h5", "--certificate", "merged.json", "--merge"};
  std::uint64_t proved = 0;
  for (const char* part : {"1", "2", "3"}) {
    const std::string file = std::string("part") + part + ".json";
    const Json json =
        output_json({"verify", "t.h5", "--part", std::string(part) + "/3", "--certificate", file});
    EXPECT_EQ(json["proved_range"]["first"], proved);
    proved += json["proved_games"].get<std::uint64_t>();
    EXPECT_EQ(json["proved_range"]["last"], proved - 1);
    merge.push_back(file);
  }
  EXPECT_EQ(proved, 63u);
  EXPECT_THAT(output(merge), HasSubstr("every one, by 3 certificates"));
  EXPECT_EQ(read("merged.json"), read("whole.json"));
  EXPECT_THAT(output({"verify", "t.h5", "--range", "5:7"}),
              HasSubstr(" heaps of games 5 to 7 of 63 are proved from the definition"));
  EXPECT_EQ(Certificate::read(directory() / "t.h5.5-7.json").gaps(),
            (std::vector<EntryRange>{{0, 4}, {8, 62}}));
}

TEST_F(AtlasCommand, ItsGamesAreToldAndExported) {
  ASSERT_EQ(run({"atlas", "0.dd", "--to", "300", "-o", "t.h5"}).code, 0);
  EXPECT_EQ(
      output({"query", "t.h5", "Dawson's Kayles", "52..54", "10^18"}),
      "0.07: in the class of 0.4 by standard form, its heaps 1 smaller; period 34 from heap 53 "
      "on, last exception at heap 52, proved for all heaps; 300 values are kept\n"
      "52 2\n53 3\n54 3\n1000000000000000000 3\n");
  const Json json = output_json({"query", "t.h5", "0.07", "86"});
  EXPECT_EQ(json[0]["class"], "0.4");
  EXPECT_EQ(json[0]["period"], 34);
  EXPECT_EQ(json[0]["values"][0]["heap"], 86);
  const Outcome some = run({"query", "t.h5", "0.777", "0.6", "2000", "kayles"});
  EXPECT_EQ(some.code, 2);
  EXPECT_THAT(some.out, StartsWith("0.77: "));
  EXPECT_THAT(some.err, HasSubstr("'0.777' is not among the 63 games of the family"));
  EXPECT_THAT(some.err, HasSubstr("heap 2000 of 0.6 is not known: values of 301 heaps are kept"));
  EXPECT_THAT(output({"export", "t.h5", "--format", "csv"}),
              HasSubstr("\n\"0.77\",\"0.77\",0,itself,,"));
  EXPECT_EQ(run({"export", "t.h5", "--format", "bfile"}).code, 2);
}

TEST_F(AtlasCommand, AKilledRunGoesOnToTheSameFile) {
  const std::vector<std::string> family{"atlas", "0.04", "0.06",  "0.6",      "0.14",
                                        "0.36",  "--to", "60000", "--summary"};
  const auto arguments = [&](const std::string& name, bool again) {
    std::vector<std::string> words = family;
    words.insert(words.end(), {name + ".csv", "-o", name + ".h5", "-q"});
    if (again) words.push_back("--force");
    return words;
  };
  ASSERT_EQ(run(arguments("whole", false)).code, 0);
  for (const auto after : {100ms, 400ms, 700ms}) {
    const pid_t child = start(arguments("killed", true));
    std::this_thread::sleep_for(after);
    ::kill(child, SIGKILL);
    finish(child);
  }
  const Outcome outcome = run(arguments("killed", true));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(read("killed.h5") == read("whole.h5"));
  EXPECT_EQ(read("killed.csv"), read("whole.csv"));
  EXPECT_FALSE(std::filesystem::exists(directory() / "killed.h5.atlas"));
}

TEST_F(AtlasCommand, AMergeNamesTheTableThatItCannotTake) {
  const auto words = [](const char* last, const char* share) {
    return std::vector<std::string>{"atlas", "0.04", "0.6", "--to", last, "-o", "t.h5", share};
  };
  const auto merge = [&](const char* last, int code) {
    return refusal(words(last, "--merge"), code);
  };
  std::vector<std::string> part = words("4000", "--part");
  part.push_back("1/1");
  ASSERT_EQ(run(part).code, 0);
  const std::string file = "t.h5.atlas/0.6.h5";
  const std::string table = read(file);
  EXPECT_THAT(merge("3500", kUsage), HasSubstr("' ends with heap 4000, and heap 3500 is wanted"));
  write(file, read("t.h5.atlas/0.04.h5"));
  EXPECT_THAT(merge("4000", kCorrupt), HasSubstr("'" + file + "' is a table of 0.04, and one of"));
  std::string flipped = table;
  flipped[flipped.size() / 2] ^= 1;
  for (const std::string& damaged : {std::string(), table.substr(0, table.size() / 2), flipped}) {
    write(file, damaged);
    EXPECT_THAT(merge("4000", kCorrupt), HasSubstr(file));
  }
  std::filesystem::remove(directory() / file);
  EXPECT_THAT(merge("4000", kFailure), HasSubstr("1 of 2 games have no table in"));
  write(file, table);
  ASSERT_EQ(run(words("4000", "--merge")).code, 0);
}

TEST_F(AtlasCommand, LeavesWhatIsNotOfItsFamily) {
  ASSERT_EQ(run({"atlas", "0.6", "--to", "4000", "-o", "t.h5", "--part", "1/1"}).code, 0);
  write("t.h5.atlas/precious.h5", "precious");
  write("t.h5.atlas/0.6.h5.0123456789abcdef.tmp", "half");
  const Outcome other = run({"atlas", "0.1", "-o", "t.h5"});
  EXPECT_EQ(other.code, 0) << other.err;
  EXPECT_THAT(other.err, HasSubstr("'t.h5.atlas' stays, because it holds files that are not of "));
  EXPECT_TRUE(files().contains("t.h5.atlas/0.6.h5"));
  const Outcome own = run({"atlas", "0.6", "--to", "4000", "-o", "t.h5", "--merge", "--force"});
  EXPECT_EQ(own.code, 0) << own.err;
  const auto left = files();
  EXPECT_EQ(left.size(), 3u);  // the file, the directory, what was precious
  EXPECT_EQ(left.at("t.h5.atlas/precious.h5"), "precious");
}

TEST_F(AtlasCommand, ForetellsWithoutWriting) {
  const Json json =
      output_json({"atlas", "0.dd", "--to", "20000", "-o", "t.h5", "--part", "1/2", "--dry-run"});
  EXPECT_EQ(json["games"], 63);
  EXPECT_GT(json["open"], json["own"]);
  EXPECT_EQ(json["tried"], json["own"]);
  EXPECT_TRUE(json["seconds"].is_number() || json["seconds_most"].is_number());
  EXPECT_THAT(output({"atlas", "0.dd", "--to", "20000", "--dry-run"}),
              ::testing::AllOf(HasSubstr("need more than 2 500 heaps"), HasSubstr("\n  memory")));
  EXPECT_EQ(run({"atlas", "0.dd", "--dry-run", "--summary", "t.csv"}).code, 2);
  EXPECT_TRUE(files().empty());
}

TEST_F(AtlasCommand, RefusesWithOneSentence) {
  const auto refused = [&](const std::vector<std::string>& words, const char* part) {
    const std::string sentence = refusal(words);
    EXPECT_THAT(sentence, HasSubstr(part)) << words.back();
    EXPECT_EQ(std::count(sentence.begin(), sentence.end(), '\n'), 1) << sentence;
  };
  refused({"atlas"}, "PATTERN");
  refused({"atlas", "0.dx"}, "'0.dx'");
  refused({"atlas", "0.dd", "--summary", "t.txt"}, "--summary");
  refused({"atlas", "0.dd", "--seconds", "-1"}, "0 seconds");
  refused({"atlas", "0.dd", "-o", "none/t.h5"}, "none");
  refused({"atlas", "0.dd", "-o", "t.h5", "--part", "3/2"}, "no part 3 of 2");
  refused({"atlas", "0.dd", "-o", "t.h5", "--part", "0/2"}, "no part 0 of 2");
  refused({"atlas", "0.dd", "-o", "t.h5", "--part", "half"}, "'half'");
  refused({"atlas", "0.dd", "--part", "1/2"}, "output");
  refused({"atlas", "0.dd", "--merge"}, "output");
  refused({"atlas", "0.dd", "-o", "t.h5", "--part", "1/2", "--merge"}, "--merge");
  EXPECT_TRUE(files().empty());
}

}  // namespace
}  // namespace grundy::testing
