/// @file
/// `grundy release` as users run it: the round trip from the directory alone, wherever it lies, the
/// messages, and the refusals.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <signal.h>
#include <unistd.h>

#include "cli/run_grundy.hpp"
#include "verify/verify_testing.hpp"

namespace grundy::testing {
namespace {

namespace fs = std::filesystem;

using nlohmann::json;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

class ReleaseCliTest : public CommandTest {
 protected:
  void make(const std::vector<std::string>& words, const std::string& file) {
    std::vector<std::string> all{"compute"};
    all.insert(all.end(), words.begin(), words.end());
    all.insert(all.end(), {"-o", file, "-q"});
    ASSERT_EQ(run(all).code, 0);
  }
  void make_three() {
    make({"kayles", "--to", "2000"}, "kayles.h5");
    make({"wythoff", "--shape", "40x40"}, "wythoff.h5");
    make({"cram:3x3"}, "cram.h5");
  }
  Outcome release(std::vector<std::string> words, const std::string& seconds = "0.3") {
    words.insert(words.begin(), "release");
    words.insert(words.end(), {"--creator", "Lovelace, Ada", "--seconds", seconds, "--no-figures"});
    return run(words);
  }
};

TEST_F(ReleaseCliTest, TheDirectoryAloneProvesItself) {
  make_three();
  const Outcome made = release({"data", "kayles.h5", "wythoff.h5", "cram.h5"});
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_THAT(made.out, HasSubstr("all 2 001 heaps"));
  for (const char* name : {"kayles.h5", "wythoff.h5", "cram.h5"}) {
    fs::remove(directory() / name);
  }
  fs::create_directories(directory() / "far away");
  fs::rename(directory() / "data", directory() / "far away/it");
  for (const char* command : {"sh 'far away/it/verify.sh'", "sh 'far away/it/verify.sh' --prove",
                              "cd 'far away/it' && sh verify.sh", "'far away/it/verify.sh'"}) {
    const Outcome checked = shell(std::string("export GRUNDY; ") + command);
    EXPECT_EQ(checked.code, 0) << command << checked.err;
    EXPECT_THAT(checked.out, HasSubstr("the data set is right"));
  }
  const Outcome proved = shell("export GRUNDY; sh 'far away/it/verify.sh' --prove");
  EXPECT_THAT(proved.out, HasSubstr("tables/kayles.h5: 0:2000 is proved again"));
  EXPECT_THAT(proved.out, HasSubstr("tables/wythoff.h5: 0:1599 is proved again"));
  EXPECT_EQ(shell("export GRUNDY; sh 'far away/it/verify.sh' --all").code, kUsage);
  // Without the command, the script checks the sums and says what it did not check.
  const Outcome without = shell("GRUNDY=none-of-this-name sh 'far away/it/verify.sh'");
  EXPECT_EQ(without.code, kFailure);
  EXPECT_THAT(without.out, HasSubstr("SHA256SUMS: all files"));
  EXPECT_THAT(without.err, HasSubstr("were not proved"));
}

/// Files without values: lists of P-positions of all kinds of games, and censuses of both kinds.
TEST_F(ReleaseCliTest, ListsAndCensusesProveThemselves) {
  make({"wythoff", "--shape", "60x60", "--outcomes"}, "wythoff.h5");
  make({"S{squares}", "--to", "5000", "--outcomes", "--misere"}, "squares.h5");
  make({"cram:3x4", "--outcomes"}, "cram.h5");
  ASSERT_EQ(run({"census", "S{max<=9,size=3}", "-o", "sets.h5"}).code, 0);
  ASSERT_EQ(
      run({"census", "2: sym (1,0)* + V{max<=2,size=1}", "--shape", "16x16", "-o", "r.h5"}).code,
      0);
  ASSERT_EQ(run({"atlas", "0.dd", "--to", "300", "-o", "codes.h5"}).code, 0);
  const std::vector<std::string> lists{"wythoff", "squares", "cram", "sets", "r", "codes"};
  std::vector<std::string> words{"data", "--json"}, digests;
  for (const std::string& name : lists) {
    words.push_back(name + ".h5");
    digests.push_back(output_json({"info", name + ".h5"})["digest"]);
  }
  const Outcome made = release(words, "20");
  ASSERT_EQ(made.code, 0) << made.err;
  const json tables = json::parse(made.out)["tables"];
  ASSERT_THAT(tables, SizeIs(6));
  for (const json& table : tables) {
    EXPECT_EQ(table["proved"], table["entries"]) << table;
    EXPECT_THAT(digests, Contains(table["digest"])) << table;
  }
  for (const std::string& name : lists) fs::remove(directory() / (name + ".h5"));
  fs::rename(directory() / "data", directory() / "it");
  const Outcome checked = shell("export GRUNDY; sh it/verify.sh --prove");
  EXPECT_EQ(checked.code, 0) << checked.err;
  for (const std::string& name : lists) {
    EXPECT_THAT(checked.out, HasSubstr("tables/" + name + ".h5: all of it is proved again"));
  }
  // W. A. Wythoff, 1907: (0,0), (1,2), (3,5), (4,7), and so on.
  EXPECT_THAT(read("it/csv/wythoff.csv"),
              StartsWith("heap_1,heap_2\n0,0\n1,2\n2,1\n3,5\n4,7\n5,3\n"));
  EXPECT_THAT(read("it/b-files/cram.txt"),
              StartsWith("# Table of n, a(n): a(n) P-positions of cram:3x4"));
  EXPECT_THAT(read("it/csv/sets.csv"), HasSubstr("9"));
  const std::string readme = read("it/README.md");
  for (const char* text :
       {"# Impartial games: 6 tables", "63 games of one heap", "84 subtraction sets", "Misère play",
        "P-positions among 60 x 60", "[\"positions\"]"}) {
    EXPECT_THAT(readme, HasSubstr(text));
  }
  // A certificate of another list is seen, and a damaged list too.
  EXPECT_EQ(run({"verify", "it/tables/cram.h5", "--merge", "it/certificates/sets.json"}).code,
            kMismatch);
  std::string list = read("it/tables/wythoff.h5");
  list[list.size() / 2] ^= 1;
  write("bad.h5", list);
  EXPECT_EQ(release({"none", "bad.h5"}).code, kCorrupt);
  EXPECT_FALSE(fs::exists(directory() / "none"));
}

TEST_F(ReleaseCliTest, OneByteOfAnyFileIsSeen) {
  make_three();
  ASSERT_EQ(release({"data", "kayles.h5", "wythoff.h5", "cram.h5"}).code, 0);
  int files_tried = 0;
  for (const auto& entry : fs::recursive_directory_iterator(directory() / "data")) {
    const std::string name = entry.path().lexically_relative(directory());
    // The script that is asked must be whole itself.
    if (!entry.is_regular_file() || name == "data/verify.sh") continue;
    const std::string good = read(name);
    std::string bad = good;
    bad[bad.size() / 2] = static_cast<char>(bad[bad.size() / 2] ^ 1);
    write(name, bad);
    const Outcome checked = shell("export GRUNDY; sh data/verify.sh");
    EXPECT_EQ(checked.code, kFailure) << name;
    EXPECT_THAT(checked.err, HasSubstr("FAILED")) << name;
    write(name, good);
    ++files_tried;
  }
  EXPECT_GE(files_tried, 13);
  EXPECT_EQ(shell("export GRUNDY; sh data/verify.sh").code, 0);
}

/// A forger who makes sums for a wrong table does not pass, because the command proves values.
TEST_F(ReleaseCliTest, SumsOfAWrongTableDoNotHelp) {
  make({"kayles", "--to", "2000"}, "kayles.h5");
  ASSERT_EQ(release({"data", "kayles.h5"}).code, 0);
  std::string table = read("data/tables/kayles.h5");
  table[table.size() / 2] = static_cast<char>(table[table.size() / 2] ^ 1);
  write("data/tables/kayles.h5", table);
  ASSERT_EQ(shell("cd data && find . -type f ! -name SHA256SUMS | sed 's,^./,,' | sort |"
                  " xargs sha256sum >../sums && mv ../sums SHA256SUMS")
                .code,
            0);
  const Outcome checked = shell("export GRUNDY; sh data/verify.sh");
  EXPECT_EQ(checked.code, kCorrupt) << checked.err;
  EXPECT_THAT(checked.err, HasSubstr("is damaged"));
}

TEST_F(ReleaseCliTest, JsonSaysWhatWasMadeAndStamped) {
  make({"kayles", "--to", "2000"}, "kayles.h5");
  const json info = output_json({"info", "kayles.h5"});
  const Outcome made = release({"data", "kayles.h5", "--json", "-q"});
  ASSERT_EQ(made.code, 0) << made.err;
  const json result = json::parse(made.out);
  EXPECT_EQ(result["directory"], "data");
  EXPECT_EQ(result["doi"], "10.5072/not-yet-assigned");
  ASSERT_THAT(result["tables"], SizeIs(1));
  EXPECT_EQ(result["tables"][0]["digest"], info["digest"]);
  EXPECT_EQ(result["tables"][0]["proved"], 2001);
  EXPECT_THAT(result["files"], Contains("verify.sh"));
  const json stamped = output_json({"release", "--stamp-doi", "10.5281/zenodo.1", "data"});
  EXPECT_EQ(stamped["doi"], "10.5281/zenodo.1");
  EXPECT_EQ(stamped["tables"], result["tables"]);
  EXPECT_EQ(output_json({"info", "data/tables/kayles.h5"})["digest"], info["digest"]);
  EXPECT_EQ(shell("export GRUNDY; sh data/verify.sh").code, 0);
}

TEST_F(ReleaseCliTest, WhatCannotBeReleasedIsRefusedInOneSentence) {
  make({"kayles", "--to", "2000"}, "kayles.h5");
  make({"0.106", "--to", "5000", "--stats-only"}, "stats.h5");
  write("g.txt", "0 1\n1 2\n");
  make({"node-kayles:g.txt"}, "graph.h5");
  make({"node-kayles:g.txt", "--outcomes"}, "list.h5");
  write("words.h5", "words");
  const HeapRule rule = HeapRule::parse("0.77");
  std::vector<Nimber> values = verify_test::reference_values(rule, 300);
  values[200] ^= 1;
  verify_test::write(directory() / "wrong.h5", rule, values);
  verify_test::write(directory() / "none.h5", rule, {});
  const auto before = files();
  const std::vector<std::pair<std::vector<std::string>, int>> cases = {
      {{"data"}, kUsage},
      {{"data", "missing.h5"}, kUsage},
      {{"data", "stats.h5"}, kUsage},
      {{"data", "graph.h5"}, kUsage},
      {{"data", "list.h5"}, kUsage},
      {{"data", "none.h5"}, kUsage},
      {{"data", "words.h5"}, kCorrupt},
      {{"data", "kayles.h5", "wrong.h5"}, kMismatch},
      {{"data", "kayles.h5", "./kayles.h5"}, kUsage},
      {{"data", "kayles.h5", "--license", "MIT"}, kUsage},
      {{"data", "kayles.h5", "--doi", "none"}, kUsage},
      {{"data", "kayles.h5", "--creator", ";"}, kUsage},
      {{"data", "kayles.h5", "--entries", "-1"}, kUsage},
      {{"data", "kayles.h5", "--threads", "0"}, kUsage},
      {{"kayles.h5", "kayles.h5", "--force"}, kUsage},
      {{"no/such/place", "kayles.h5"}, kUsage},
  };
  for (const auto& [words, code] : cases) {
    const Outcome outcome = release(words);
    EXPECT_EQ(outcome.code, code) << words.back() << ": " << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("grundy: ")) << words.back();
    EXPECT_EQ(outcome.out, "");
  }
  EXPECT_EQ(run({"release", "data", "kayles.h5"}).code, kUsage) << "without a creator";
  EXPECT_EQ(run({"release", "--stamp-doi", "10.5281/a", "data"}).code, kUsage);
  EXPECT_EQ(run({"release", "--stamp-doi", "10.5281/a", "data", "kayles.h5"}).code, kUsage);
  EXPECT_EQ(run({"release", "--stamp-doi", "10.5281/a", "data", "--entries", "1"}).code, kUsage);
  EXPECT_EQ(files(), before);
}

TEST_F(ReleaseCliTest, AnInterruptedReleaseLeavesNothing) {
  make({"officers", "--to", "300000"}, "officers.h5");
  const auto before = files();
  const pid_t child = start({"release", "data", "officers.h5", "--creator", "The Club", "--seconds",
                             "60", "--no-figures", "-q"});
  // The directory under its temporary name: the signal is awaited by then.
  const auto has_begun = [&] {
    return std::ranges::any_of(fs::directory_iterator(directory()), [](const auto& entry) {
      return entry.path().extension() == ".tmp";
    });
  };
  while (!has_begun()) ::usleep(10'000);
  ASSERT_EQ(::kill(child, SIGINT), 0);
  const Outcome stopped = finish(child);
  EXPECT_EQ(stopped.code, 75) << stopped.err;
  EXPECT_THAT(stopped.err, HasSubstr("no directory was made"));
  EXPECT_EQ(files(), before);
}

TEST_F(ReleaseCliTest, AFullDeviceLeavesTheOldReleaseAsItWas) {
  make({"kayles", "--to", "2000"}, "kayles.h5");
  ASSERT_EQ(release({"data", "kayles.h5", "--entries", "0"}).code, 0);
  const auto before = files();
  // Blocks of 512 bytes: the copy of the table is too large, texts are not.
  for (const char* command :
       {"release data kayles.h5 --force --entries 0 --no-figures --seconds 0.1 --creator X",
        "release --stamp-doi 10.5281/zenodo.1 data"}) {
    const Outcome full = shell(std::string("ulimit -f 12; \"$GRUNDY\" -q ") + command);
    EXPECT_EQ(full.code, kFailure) << full.err;
    EXPECT_THAT(full.err, HasSubstr("cannot write 'data': 'kayles.h5': "));
    EXPECT_EQ(files(), before);
  }
}

TEST_F(ReleaseCliTest, FiguresAreDrawnOrTheReadmeSaysHow) {
  make({"kayles", "--to", "2000"}, "kayles.h5");
  ASSERT_EQ(run({"release", "data", "kayles.h5", "--creator", "The Club", "--seconds", "0.1"}).code,
            0);
  const bool drawn = fs::exists(directory() / "data/figures/kayles.png");
  EXPECT_EQ(drawn, drawn && read("data/figures/kayles.png").starts_with("\x89PNG"));
  EXPECT_THAT(read("data/README.md"),
              HasSubstr(drawn ? "](figures/kayles.png)" : "plot_table.py tables/kayles.h5"));
  // Lists have pictures of their own.
  make({"wythoff", "--shape", "40x40", "--sorted", "--outcomes"}, "w.h5");
  make({"cram:3x3", "--outcomes"}, "cram.h5");
  ASSERT_EQ(run({"release", "lists", "w.h5", "cram.h5", "--creator", "The Club"}).code, 0);
  for (const std::string name : {"w", "cram"}) {
    EXPECT_EQ(drawn, fs::exists(directory() / ("lists/figures/" + name + ".png")));
    EXPECT_THAT(read("lists/README.md"),
                HasSubstr(drawn ? "](figures/" + name + ".png)"
                                : "plot_p_positions.py tables/" + name + ".h5"));
  }
  const Outcome plain = release({"plain", "kayles.h5"});
  ASSERT_EQ(plain.code, 0);
  EXPECT_THAT(plain.out, Not(HasSubstr("figures")));
  EXPECT_FALSE(fs::exists(directory() / "plain/figures"));
  EXPECT_THAT(read("plain/README.md"), HasSubstr("plot_table.py tables/kayles.h5"));
}

TEST_F(ReleaseCliTest, MissingFiguresAreToldOf) {
  make({"kayles", "--to", "20"}, "kayles.h5");
  const std::string alone =
      "mkdir -p bin; cp \"$GRUNDY\" bin/grundy; "
      "bin/grundy release --force data kayles.h5 --creator X --seconds 0.1";
  const Outcome made = shell(alone);
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_THAT(made.out, HasSubstr("none of tables/kayles.h5: the scripts, Python or Matplotlib"));
  EXPECT_EQ(json::parse(shell(alone + " --json").out)["undrawn"], json({"tables/kayles.h5"}));
}

}  // namespace
}  // namespace grundy::testing
