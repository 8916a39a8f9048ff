/// @file
/// `grundy verify` as users run it: proofs, certificates, wrong tables, damaged files; and other
/// commands with damaged files.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <functional>
#include <random>
#include <regex>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <hdf5.h>
#include <nlohmann/json.hpp>

#include "cli/run_grundy.hpp"
#include "table/h5.hpp"
#include "table/seal.hpp"
#include "verify/window_tables.hpp"

namespace grundy::testing {
namespace {

using nlohmann::json;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class VerifyCliTest : public CommandTest {
 protected:
  void make(const std::string& game, const std::string& last, const std::string& file,
            const std::vector<std::string>& more = {}) {
    std::vector<std::string> words{"compute", game, "--to", last, "-o", file, "-q"};
    words.insert(words.end(), more.begin(), more.end());
    ASSERT_EQ(run(words).code, 0);
  }
};

TEST_F(VerifyCliTest, AListIsNamedAsItsFileNamesIt) {
  const std::string name = "Cram in misère play, cram:2x3\n";
  EXPECT_THAT(output({"compute", "cram:2x3", "--outcomes", "--misere", "-o", "c.h5"}),
              HasSubstr(name));
  EXPECT_THAT(output({"info", "c.h5"}), HasSubstr(name));
  EXPECT_THAT(output({"verify", "c.h5"}), HasSubstr(name));
}

TEST_F(VerifyCliTest, EveryProofOfAGoodTable) {
  make("4!.0", "3000", "g.h5");
  for (const std::vector<std::string>& proof : std::vector<std::vector<std::string>>{
           {"--seconds", "0.2"}, {"--samples", "50"}, {"--full"}, {"--range", ":"}}) {
    std::vector<std::string> words{"verify", "g.h5", "--json"};
    words.insert(words.end(), proof.begin(), proof.end());
    const Outcome outcome = run(words);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const json result = json::parse(outcome.out);
    EXPECT_EQ(result["ok"], true);
    EXPECT_EQ(result["entries"], 3001);
    EXPECT_TRUE(result["wrong"].is_null());
  }
  const Outcome text = run({"verify", "g.h5", "--seconds", "0.2"});
  EXPECT_EQ(text.code, 0);
  EXPECT_THAT(text.out, HasSubstr("conspicuous"));
}

/// Lists of P-positions, censuses and families state all they hold, or nothing.
TEST_F(VerifyCliTest, ListsHaveCertificates) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> lists{
      {"outcomes", {"compute", "wythoff", "--shape", "40x40", "--outcomes"}},
      {"positions", {"compute", "cram:3x4", "--outcomes"}},
      {"sets", {"census", "S{max<=9,size=3}"}},
      {"rules", {"census", "2: sym (1,0)* + V{max<=2,size=1}", "--shape", "16x16"}},
      {"codes", {"atlas", "0.dd", "--to", "300"}}};
  for (const auto& [name, words] : lists) {
    const std::string file = name + ".h5", certificate = name + ".json";
    std::vector<std::string> command = words;
    command.insert(command.end(), {"-o", file, "-q"});
    ASSERT_EQ(run(command).code, 0) << name;
    const std::vector<std::string> proof{"verify", file, "--full", "--certificate", certificate};
    EXPECT_THAT(output(proof), ContainsRegex("certificate +" + certificate)) << name;
    const json joined = output_json({"verify", file, "--merge", certificate});
    EXPECT_EQ(joined["complete"], true) << name;
    EXPECT_EQ(joined["digest"], output_json({"info", file})["digest"]) << name;
    // What is there stays, and no certificate comes of entries that were drawn.
    const Outcome again = run(proof);
    EXPECT_EQ(again.code, kUsage) << name;
    EXPECT_THAT(again.err, HasSubstr("(--force)")) << name;
    const Outcome drawn =
        run({"verify", file, "--samples", "3", "--certificate", "none.json", "--json"});
    EXPECT_EQ(drawn.code, 0) << name << drawn.err;
    EXPECT_TRUE(json::parse(drawn.out)["certificate"].is_null()) << name;
    EXPECT_THAT(drawn.err, HasSubstr("'none.json' was not written")) << name;
    EXPECT_FALSE(files().contains("none.json")) << name;
    std::vector<std::string> forced = proof;
    forced.insert(forced.end(), {"--force", "--json"});
    EXPECT_EQ(output_json(forced)["certificate"], certificate) << name;
    EXPECT_EQ(run({"verify", file, "--force"}).code, kUsage) << name;
  }
  EXPECT_EQ(run({"verify", "sets.h5", "--merge", "outcomes.json"}).code, kMismatch);
}

TEST_F(VerifyCliTest, MiserePlayStatesTheHeapsThatWereProved) {
  make("kayles", "20", "m.h5", {"--misere"});
  const std::string out =
      output({"verify", "m.h5", "--range", "0:9", "--certificate", "first.json"});
  EXPECT_THAT(out, ContainsRegex("certificate +first.json"));
  output({"verify", "m.h5", "--range", "0:20", "--certificate", "all.json"});
  const json part = output_json({"verify", "m.h5", "--merge", "first.json"});
  EXPECT_EQ(part["gaps"], json::parse(R"([{"first": 10, "last": 20}])"));
  const json joined = output_json({"verify", "m.h5", "--merge", "first.json", "all.json"});
  EXPECT_EQ(joined["complete"], true);
}

TEST_F(VerifyCliTest, SingleHeapsOfATableAreNoCertificate) {
  make("kayles", "100", "k.h5");
  const Outcome outcome = run({"verify", "k.h5", "--certificate", "c.json"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.err, HasSubstr("'c.json' was not written"));
  EXPECT_FALSE(files().contains("c.json"));
}

/// The certificates of records state all of the files whose digests their README names.
TEST_F(VerifyCliTest, RecordsOfListsCensusesAndFamiliesAreProvedAsAWhole) {
  const std::vector<std::pair<std::string, std::string>> records{
      {"subtraction-sets-3-512", "822ea164dc4be0ee91c882308d75543b"},
      {"subtraction-sets-4-128", "f8f9681823c14c47e54fd7ea3c8f55e2"},
      {"rules-vectors-3-9", "f5ad1add666300840e67df93cea13efa"},
      {"octal-4", "c3c91aa57bb5262f5c5b0be5f70ddc0a"},
      {"octal-5", "9b86b893f3eaa50824303e59cd98d2cd"},
      {"chomp-4-2000", "19e483385069c335b3f514739d117094"},
      {"chomp-rectangles-16", "9282d7faf5b2938932b5cd9f442f5629"}};
  for (const auto& [record, digest] : records) {
    const json joined = output_json(
        {"verify", "--merge", GRUNDY_GOLDEN_DIR "/records/" + record + "/certificate.json"});
    EXPECT_EQ(joined["complete"], true) << record;
    EXPECT_EQ(joined["digest"], digest) << record;
  }
}

TEST_F(VerifyCliTest, ADryRunProvesNothing) {
  make("4!.0", "3000", "g.h5");
  const auto before = files();
  const Outcome text = run({"verify", "g.h5", "--range", "0:2000", "--dry-run"});
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_THAT(text.out, ContainsRegex("time +about "));
  EXPECT_THAT(text.out, ContainsRegex("memory +about "));
  const json full = output_json({"verify", "g.h5", "--full", "--dry-run"});
  EXPECT_GT(full["seconds"], 0);
  EXPECT_GT(full["memory_bytes"], 0);
  EXPECT_TRUE(files() == before);
  EXPECT_EQ(run({"verify", "g.h5", "--dry-run", "--merge", "a.json"}).code, kUsage);
}

TEST_F(VerifyCliTest, TheHelpSaysWhereADryRunTellsNothing) {
  std::string help = run({"verify", "--help"}).out;
  help = std::regex_replace(help, std::regex("\\s+"), " ");
  EXPECT_THAT(help, HasSubstr("of tables and runs, not of lists of P-positions, censuses, families "
                              "and misère play of one heap. The time of --samples K is not known"));
  const std::vector<std::vector<std::string>> commands{
      {"compute", "wythoff", "--shape", "9x9", "--outcomes"},
      {"compute", "cram:2x3", "--outcomes"},
      {"compute", "kayles", "--to", "9", "--misere"},
      {"census", "S{max<=5,size=2}"},
      {"census", "wythoff + V{max<=1,size=1}", "--shape", "4x4"},
      {"atlas", "0.d", "--to", "100"}};
  for (std::vector<std::string> words : commands) {
    words.insert(words.end(), {"-o", "list.h5", "--force", "-q"});
    ASSERT_EQ(run(words).code, 0) << words[1];
    const Outcome refused = run({"verify", "list.h5", "--dry-run"});
    EXPECT_EQ(refused.code, kUsage) << words[1];
    EXPECT_THAT(refused.err, HasSubstr("--dry-run is not for ")) << words[1];
  }
  make("0.6", "2000", "t.h5");
  EXPECT_TRUE(output_json({"verify", "t.h5", "--samples", "3", "--dry-run"})["seconds"].is_null());
}

TEST_F(VerifyCliTest, RangesOnSeveralMachinesMergeIntoOneProof) {
  make("0.6", "5000", "t.h5");
  ASSERT_EQ(run({"verify", "t.h5", "--range", "0:2000", "--certificate", "a.json"}).code, 0);
  ASSERT_EQ(run({"verify", "t.h5", "--range", "2001:4000", "--threads", "1"}).code, 0);
  EXPECT_TRUE(files().contains("t.h5.2001-4000.json"));
  const Outcome gap = run(
      {"verify", "t.h5", "--merge", "a.json", "t.h5.2001-4000.json", "--certificate", "part.json"});
  EXPECT_EQ(gap.code, 0) << "what is missing is no fault";
  EXPECT_THAT(gap.out, HasSubstr("0 to 4 000\n"));
  EXPECT_THAT(gap.out, ContainsRegex("not proved +4 001 to 5 000\n"));
  const json part = json::parse(read("part.json"));
  EXPECT_EQ(part["complete"], false);
  EXPECT_EQ(part["proved"], json::parse("[[0, 4000]]"));
  ASSERT_EQ(run({"verify", "t.h5", "--range", "3500:", "--certificate", "c.json"}).code, 0);
  const json missing = json::parse(run({"verify", "--merge", "c.json", "--json"}).out);
  EXPECT_EQ(missing["complete"], false);
  EXPECT_EQ(missing["gaps"], json::parse(R"([{"first": 0, "last": 3499}])"));
  const Outcome all = run(
      {"verify", "t.h5", "--merge", "c.json", "part.json", "--certificate", "all.json", "--json"});
  EXPECT_EQ(all.code, 0) << all.err;
  EXPECT_EQ(json::parse(all.out)["ok"], true);
  EXPECT_EQ(json::parse(all.out)["complete"], true);
  EXPECT_EQ(json::parse(read("all.json"))["proved"], json::parse("[[0, 5000]]"));
  EXPECT_EQ(run({"verify", "--merge", "all.json"}).code, 0) << "the table need not be there";

  make("0.07", "5000", "other.h5");
  const Outcome other = run({"verify", "other.h5", "--merge", "all.json"});
  EXPECT_EQ(other.code, 3);
  EXPECT_THAT(other.err, HasSubstr("another table"));
}

TEST_F(VerifyCliTest, ACertificateOfAFamilyNamesItsGames) {
  for (const char* family : {"0.22", "0.23"}) {
    ASSERT_EQ(run({"atlas", family, "--to", "300", "-o", std::string(family) + ".h5"}).code, 0);
  }
  ASSERT_EQ(output_json({"verify", "0.22.h5", "--samples", "0"})["digest"],
            output_json({"verify", "0.23.h5", "--samples", "0"})["digest"]);
  EXPECT_EQ(output_json({"verify", "0.22.h5", "--samples", "0"})["proved_games"], 0);
  ASSERT_EQ(run({"verify", "0.22.h5", "--full", "--certificate", "c.json"}).code, 0);
  EXPECT_EQ(run({"verify", "0.22.h5", "--merge", "c.json"}).code, 0);
  const Outcome other = run({"verify", "0.23.h5", "--merge", "c.json"});
  EXPECT_EQ(other.code, 3);
  EXPECT_THAT(other.err, HasSubstr("another table"));
}

TEST_F(VerifyCliTest, PeriodsOfAFamilyAreProvedAgain) {
  ASSERT_EQ(run({"atlas", "0.dd", "--to", "300", "-o", "f.h5", "-q"}).code, 0);
  EXPECT_THAT(output({"verify", "f.h5"}),
              ContainsRegex("periods +all 42 certified periods are proved again for all heaps, "
                            "from the values of the file\n"));
  EXPECT_EQ(output_json({"verify", "f.h5"})["proved_periods"], 42);
  EXPECT_EQ(output_json({"info", "f.h5"})["certified_games"], 42);
  ASSERT_EQ(run({"verify", "f.h5", "--full", "--certificate", "c.json"}).code, 0);
  EXPECT_THAT(read("c.json"), HasSubstr("42 of 42 certified periods are proved again"));

  const auto change = [&](const std::function<void(h5::Object&)>& forge) {
    h5::File file = h5::File::change(directory() / "f.h5");
    h5::Object kayles = file.root().open_group("class").open_group("0.77");
    forge(kayles);
    kayles.close();
    file.close();
    reseal_with(directory() / "f.h5", {});
  };
  change([](h5::Object& kayles) { kayles.set_number("verified_to", 166); });
  const Outcome forged = run({"verify", "f.h5"});
  EXPECT_EQ(forged.code, kMismatch);
  EXPECT_THAT(forged.err, HasSubstr("class 0.77: the period 12 is called certified, but the 166 "
                                    "heaps it rests on are not enough for a proof"));
  change([](h5::Object& kayles) { ASSERT_GE(H5Adelete(kayles.id(), "verified_to"), 0); });
  EXPECT_EQ(run({"verify", "f.h5"}).code, kCorrupt);
}

TEST_F(VerifyCliTest, ACertificateSaysThatPlayIsMisere) {
  for (const bool misere : {false, true}) {
    std::vector<std::string> words{"S{1,3,4}", "--to", "100", "--outcomes", "--force"};
    if (misere) words.emplace_back("--misere");
    words.insert(words.begin(), "compute");
    words.insert(words.end(), {"-o", "s.h5", "-q"});
    ASSERT_EQ(run(words).code, 0);
    ASSERT_EQ(run({"verify", "s.h5", "--full", "--certificate", "c.json", "--force"}).code, 0);
    EXPECT_EQ(read("c.json").find("misère") != std::string::npos, misere);
  }
}

TEST_F(VerifyCliTest, NothingProvedOfMiserePlayHasAdviceThatHelps) {
  ASSERT_EQ(run({"compute", "kayles", "--misere", "--to", "20", "-o", "m.h5", "-q"}).code, 0);
  const Outcome none = run({"verify", "m.h5", "--seconds", "0", "--certificate", "c.json"});
  EXPECT_EQ(none.code, 0);
  EXPECT_THAT(none.err, HasSubstr("no heap was proved; --range 0:"));
  EXPECT_EQ(run({"verify", "m.h5", "--range", "0:", "--certificate", "c.json"}).code, 0);
}

TEST_F(VerifyCliTest, RangesOfSeveralHeapsAreNamedEntries) {
  ASSERT_EQ(run({"compute", "wythoff", "--shape", "30x30", "-o", "w.h5", "-q"}).code, 0);
  ASSERT_EQ(run({"verify", "w.h5", "--range", "0:499", "--certificate", "a.json"}).code, 0);
  EXPECT_EQ(json::parse(read("a.json"))["unit"], "entries");
  const Outcome gap = run({"verify", "w.h5", "--merge", "a.json"});
  EXPECT_EQ(gap.code, 0) << gap.err;
  EXPECT_THAT(gap.out, ContainsRegex("entries +0 to 899\n"));
  EXPECT_THAT(gap.out, ContainsRegex("not proved +500 to 899\n"));
  const Outcome short_of = run({"verify", "w.h5", "--range", ":", "--memory", "100"});
  EXPECT_EQ(short_of.code, 1);
  EXPECT_THAT(short_of.err, HasSubstr("this proof needs 900 B of memory"));
}

TEST_F(VerifyCliTest, ATableWithoutValuesHasNoRangeAndNoCertificate) {
  verify_test::write(directory() / "none.h5", HeapRule::parse("0.77"), {});
  for (const std::vector<std::string>& proof : std::vector<std::vector<std::string>>{
           {"--range", ":"}, {"--range", "0:"}, {"--range", "0:0"}}) {
    std::vector<std::string> words{"verify", "none.h5"};
    words.insert(words.end(), proof.begin(), proof.end());
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_THAT(outcome.err, ContainsRegex("no (values|heaps)"));
  }
  for (const std::vector<std::string>& proof :
       std::vector<std::vector<std::string>>{{"--seconds", "0.1"}, {"--full"}}) {
    std::vector<std::string> words{"verify", "none.h5"};
    words.insert(words.end(), proof.begin(), proof.end());
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, ::testing::Not(HasSubstr("18 446")));
  }
}

TEST_F(VerifyCliTest, ExistingCertificatesAreKept) {
  make("kayles", "200", "k.h5");
  write("c.json", "precious");
  EXPECT_EQ(run({"verify", "k.h5", "--range", ":", "--certificate", "c.json"}).code, 2);
  EXPECT_EQ(read("c.json"), "precious");
  EXPECT_EQ(run({"verify", "k.h5", "--range", ":", "--certificate", "c.json", "--force"}).code, 0);
  EXPECT_THAT(read("c.json"), HasSubstr("grundy-certificate"));
}

TEST_F(VerifyCliTest, APartGoesOnFromItsCertificate) {
  make("0.77", "4000", "t.h5");
  ASSERT_EQ(run({"atlas", "0.dd", "--to", "300", "-o", "f.h5"}).code, 0);
  ASSERT_EQ(run({"compute", ".106", "--to", "200000", "--stats-only", "-o", "s.h5"}).code, 0);
  for (const auto& [file, last, begun] : {std::tuple{"t.h5", "4000", "0:10"},
                                          {"f.h5", "62", "0:10"},
                                          {"s.h5.run", "200000", "0:0"}}) {
    const std::string name = std::string(file) + ".0-" + last + ".json";
    ASSERT_EQ(run({"verify", file, "--range", begun, "--certificate", name}).code, 0);
    const Outcome rest = run({"verify", file, "--part", "1/1"});
    EXPECT_EQ(rest.code, 0) << rest.err;
    EXPECT_THAT(rest.err, HasSubstr("'" + name + "' states "));
    EXPECT_THAT(rest.err, HasSubstr("; the rest is proved now"));
    const std::string whole = read(name);
    EXPECT_TRUE(json::parse(whole)["complete"]) << file;
    const Outcome again = run({"verify", file, "--part", "1/1", "--json"});
    EXPECT_EQ(again.code, 0) << again.err;
    EXPECT_THAT(again.err, HasSubstr("nothing is left to prove"));
    EXPECT_EQ(json::parse(again.out)["certificate"], name);
    EXPECT_EQ(read(name), whole);
  }
  // Jobs of an array may be more than intervals: each has its certificate, which may state nothing.
  EXPECT_THAT(run({"verify", "s.h5.run", "--part", "1/1000"}).out,
              HasSubstr("ends in the range; the run has 1"));
  // Intervals are computed by an engine that can go on from a state; heaps of a table by none.
  const auto part_by = [](const char* file, const char* engine) {
    return std::vector<std::string>{"verify", file, "--part", "1/1", "--force", "--engine", engine};
  };
  EXPECT_EQ(run(part_by("s.h5.run", "sparse")).code, 0);
  EXPECT_THAT(read("s.h5.run.0-200000.json"), HasSubstr("the engine sparse from seal to seal"));
  EXPECT_THAT(refusal(part_by("s.h5.run", "dense")), HasSubstr("are computed by sparse"));
  EXPECT_THAT(refusal(part_by("t.h5", "sparse")), HasSubstr("other proofs need no engine"));
  // The certificate of another table stays.
  write("t.h5.0-4000.json", read("f.h5.0-62.json"));
  EXPECT_THAT(refusal({"verify", "t.h5", "--part", "1/1"}), HasSubstr("exists; choose another"));
}

TEST_F(VerifyCliTest, AMergeNamesTheCertificateThatDiffers) {
  make("kayles", "200", "a.h5");
  make("kayles", "300", "b.h5");
  for (const char* table : {"a", "b"}) {
    const std::string name = table;
    ASSERT_EQ(run({"verify", name + ".h5", "--full", "--certificate", name + ".json"}).code, 0);
  }
  EXPECT_THAT(refusal({"verify", "--merge", "a.json", "a.json", "b.json"}, kMismatch),
              HasSubstr("'a.json' and 'b.json': the certificates are not of one table"));
  EXPECT_THAT(refusal({"verify", "a.h5", "--merge", "a.json", "b.json"}, kMismatch),
              HasSubstr("'b.json' is of another table than 'a.h5'"));
  EXPECT_THAT(refusal({"verify", "a.h5", "--merge", "--certificate", "c.json"}),
              HasSubstr("there are no certificates before '--certificate'"));
}

TEST_F(VerifyCliTest, WindowCertificatesAreShownAndProvedAnew) {
  const verify_test::WindowTable table;
  table.write(directory() / "w.h5");
  const json period = json::parse(run({"period", "w.h5", "--json"}).out);
  EXPECT_EQ(period["status"], "certified");
  const json& window = period["window_certificate"];
  EXPECT_EQ(window["mask"], 1);
  EXPECT_EQ(window["position_parity"], true);
  EXPECT_EQ(window["rare_heaps"], 693);
  EXPECT_EQ(window["last_rare_heap"], 27106);
  EXPECT_EQ(window["count"], period["verified_to"]);
  for (const std::vector<std::string>& proof :
       std::vector<std::vector<std::string>>{{"--samples", "20"}, {"--full"}, {"--range", ":"}}) {
    std::vector<std::string> words{"verify", "w.h5", "-q"};
    words.insert(words.end(), proof.begin(), proof.end());
    EXPECT_EQ(run(words).code, 0);
  }
  table.write(directory() / "forged.h5", [](TableInfo& info) { info.period.sparse->depth = 2; });
  const Outcome forged = run({"verify", "forged.h5", "--samples", "20"});
  EXPECT_EQ(forged.code, 3);
  EXPECT_THAT(forged.err, HasSubstr("at most 2 reach every rare value"));
}

/// Flips one bit in each of many places. Every command that reads the place reports the damage, in
/// one sentence.
TEST_F(VerifyCliTest, DamagedFilesAreReportedByEveryCommand) {
  make(".007", "40000", "good.h5", {"--chunk", "4096", "--reproducible"});
  const std::string good = read("good.h5");
  const std::vector<std::vector<std::string>> commands = {
      {"verify", "bad.h5", "--samples", "0", "-q"},
      {"export", "bad.h5", "--format", "csv", "-o", "new.csv"},
      {"query", "bad.h5", "0..40000"},
      {"info", "bad.h5"},
      {"period", "bad.h5"},
  };
  std::mt19937 random(17);
  int reported = 0;
  for (int i = 0; i < 40; ++i) {
    std::string bad = good;
    const std::size_t at = i < 10 ? random() % 2000 : random() % bad.size();
    bad[at] = static_cast<char>(bad[at] ^ (1 << random() % 8));
    write("bad.h5", bad);
    const auto& command = commands[static_cast<std::size_t>(i) % commands.size()];
    const Outcome outcome = run(command);
    if (outcome.code == 0) continue;
    ++reported;
    EXPECT_EQ(outcome.code, kCorrupt) << command[0] << " " << at << ": " << outcome.err;
    EXPECT_THAT(outcome.err, StartsWith("grundy: 'bad.h5'"));
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_FALSE(files().contains("new.csv"));
    std::filesystem::remove(directory() / "new.csv");
  }
  EXPECT_GT(reported, 10);
}

}  // namespace
}  // namespace grundy::testing
