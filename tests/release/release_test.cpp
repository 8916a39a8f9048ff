/// @file
/// Releases through the library: their contents, their refusals, and that they are made whole or
/// not at all.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <string>

#include <gmock/gmock.h>

#include <grundy/compute.hpp>
#include <grundy/genera.hpp>
#include <grundy/outcomes.hpp>
#include <grundy/release.hpp>
#include <grundy/verify.hpp>

#include "core/digest.hpp"
#include "release/sha256.hpp"
#include "session/genera_file.hpp"
#include "session/outcomes_file.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

namespace grundy {
namespace {

namespace fs = std::filesystem;

using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;
using testing_support::bytes_of;
using testing_support::code_of;
using testing_support::error_of;
using testing_support::TemporaryDirectory;
using testing_support::write_bytes;

constexpr const char* kDoi = "10.5281/zenodo.1234567";

class ReleaseTest : public ::testing::Test {
 protected:
  fs::path make(const std::string& game, HeapSize last, const std::string& name) {
    const fs::path path = directory_ / name;
    const Request request{.game = HeapGame{HeapRule::parse(game), last},
                          .output = {.path = path, .reproducible = true}};
    EXPECT_TRUE(compute(request).complete);
    return path;
  }
  ReleaseRequest request_for(const std::vector<fs::path>& tables) {
    return {.directory = directory_ / "data",
            .tables = tables,
            .creators = {parse_creator("Lovelace, Ada")},
            .seconds = 0.5};
  }
  /// All files below the release with their content.
  [[nodiscard]] std::map<std::string, std::string> contents() const {
    std::map<std::string, std::string> all;
    for (const auto& entry : fs::recursive_directory_iterator(directory_ / "data")) {
      if (entry.is_regular_file()) {
        all[entry.path().lexically_relative(directory_ / "data")] = bytes_of(entry.path());
      }
    }
    return all;
  }
  /// Nothing half-made is left beside the tables.
  void expect_nothing_left() const {
    for (const fs::path& file : directory_.files()) EXPECT_EQ(file.extension(), ".h5") << file;
  }

  TemporaryDirectory directory_;
};

TEST_F(ReleaseTest, CopiesHaveTheValuesOfTheirTables) {
  const fs::path table = make("0.77", 5000, "kayles.h5");
  const ReleaseReport report = make_release(request_for({table}));
  EXPECT_TRUE(report.complete);
  EXPECT_EQ(report.doi, kDoiPlaceholder);
  const auto original = TableReader::open(table);
  const auto copy = TableReader::open(directory_ / "data/tables/kayles.h5");
  EXPECT_EQ(copy->info(), original->info());
  std::vector<Nimber> values(5001);
  std::vector<Nimber> expected(5001);
  copy->read(0, values);
  original->read(0, expected);
  EXPECT_EQ(values, expected);
  ASSERT_EQ(report.tables.size(), 1u);
  EXPECT_EQ(report.tables[0], (ReleasedTable{.file = "tables/kayles.h5",
                                             .digest = to_hex(original->info().stats.digest),
                                             .unit = "heaps",
                                             .proved = 5001,
                                             .entries = 5001}));
  // Each file is listed in the sums, with its sum.
  const Sums sums = read_sums(directory_ / "data");
  EXPECT_EQ(sums, sums_of(directory_ / "data"));
  EXPECT_EQ(sums.size() + 1, report.files.size());
  EXPECT_TRUE(std::ranges::is_sorted(report.files));
}

TEST_F(ReleaseTest, ExtractsEndWhereTheRequestSaysAndTheReadmeSaysSo) {
  ReleaseRequest request = request_for({make("0.77", 5000, "kayles.h5")});
  request.entries = 3;
  make_release(request);
  EXPECT_EQ(contents().at("b-files/kayles.txt"), "0 0\n1 1\n2 2\n");
  EXPECT_EQ(contents().at("csv/kayles.csv"), "n,grundy\n0,0\n1,1\n2,2\n");
  EXPECT_THAT(contents().at("README.md"), HasSubstr("the first 3 of 5 001 heaps"));
  EXPECT_FALSE(fs::exists(directory_ / "data/figures"));
  request.force = true;
  request.entries = 0;
  make_release(request);
  EXPECT_FALSE(fs::exists(directory_ / "data/csv"));
  EXPECT_THAT(contents().at("README.md"), HasSubstr("grundy export tables/kayles.h5"));
}

TEST_F(ReleaseTest, TablesWithoutAFigureAreNamed) {
  ReleaseRequest request =
      request_for({make("0.77", 50, "kayles.h5"), make("0.137", 50, "dawson.h5")});
  request.draw = [](const TableInfo&, const fs::path& table, const fs::path& picture) {
    return table.stem() == "kayles" && bool(std::ofstream(picture) << "a picture");
  };
  EXPECT_THAT(make_release(request).undrawn, ElementsAre("tables/dawson.h5"));
  EXPECT_THAT(contents().at("README.md"), HasSubstr("| `figures/` |"));
  request.force = true;
  request.entries = 0;
  request.draw = [](const auto&...) { return false; };
  EXPECT_THAT(make_release(request).undrawn, SizeIs(2));
  EXPECT_THAT(contents().at("README.md"), Not(ContainsRegex("`(figures|csv|b-files)/`")));
}

/// A list that is not that of its game, with everything else made to match.
TEST_F(ReleaseTest, AWrongListIsNotReleased) {
  const HeapRule rule = HeapRule::parse("S{1,2,3}");
  const auto write = [&](const std::string& name, std::uint64_t last) {
    OutcomesInfo info{.title = "forged",
                      .canonical = rule.canonical(),
                      .description = rule.describe(),
                      .layout = Layout::of_heaps(200),
                      .provenance_json = "{}"};
    write_outcomes_file(directory_ / name, info, [&](const TakeEntries& take) {
      std::vector<std::uint64_t> list;
      for (std::uint64_t n = 0; n <= last; n += 4) list.push_back(n);
      take(list);
    });
    return directory_ / name;
  };
  const fs::path wrong = write("wrong.h5", 100), right = write("right.h5", 196);
  EXPECT_EQ(code_of([&] { make_release(request_for({right, wrong})); }), ErrorCode::kMismatch);
  EXPECT_FALSE(fs::exists(directory_ / "data"));
  expect_nothing_left();
  const ReleaseReport report = make_release(request_for({right}));
  ASSERT_EQ(report.tables.size(), 1u);
  EXPECT_EQ(report.tables[0].proved, 200u);
  EXPECT_EQ(contents().at("csv/right.csv").substr(0, 11), "n\n0\n4\n8\n12\n");
  EXPECT_THAT(contents().at("README.md"), HasSubstr("50 P-positions among heaps 0 to 199"));
}

TEST_F(ReleaseTest, MiserePlayOfOneHeapIsReleasedWithItsGenera) {
  const fs::path table = directory_ / "misere.h5";
  const Request kayles{
      .game = HeapGame{.rule = HeapRule::parse("0.77"), .last = 14, .misere = true},
      .output = {.path = table, .reproducible = true}};
  ASSERT_EQ(compute_genera(kayles).end, MisereEnd::kComplete);
  ReleaseRequest request = request_for({table});
  request.seconds = 600;
  const ReleaseReport report = make_release(request);
  ASSERT_EQ(report.tables.size(), 1u);
  EXPECT_EQ(report.tables[0].proved, 15u);
  const auto made = contents();
  EXPECT_THAT(
      made.at("csv/misere.csv"),
      AllOf(HasSubstr("n,grundy,misere,genus,kind,misere_outcome\n0,0,1,\"0^{120}\",tame,N\n"),
            HasSubstr("\n5,4,1,\"4^{146}\",restless,N\n")));
  EXPECT_THAT(made.at("b-files/misere.txt"),
              HasSubstr("misère nim-value of a heap of n in 0.77\n0 1\n"));
  EXPECT_THAT(
      made.at("README.md"),
      AllOf(HasSubstr(
                "**Range:** heaps 0 to 14\n- **Genera:** 8 different ones; 7 of 15 heaps are tame"),
            HasSubstr("**Play:** Misère play: who cannot move wins\n"),
            HasSubstr("`misere`, the misère nim-value"), HasSubstr("has their misère nim-values"),
            HasSubstr("Every one of the 15 heaps was proved"),
            HasSubstr("all genera and kinds were found a second time"),
            Not(HasSubstr("Largest value")), Not(HasSubstr("Picture"))));
  EXPECT_THAT(made.at("verify.sh"), HasSubstr("prove tables/misere.h5 0:14\n"));
  const fs::path copy = directory_ / "data/tables/misere.h5";
  EXPECT_EQ(GeneraReader(copy).info(), GeneraReader(table).info());
  stamp_doi(directory_ / "data", kDoi);
  EXPECT_EQ(GeneraReader(copy).info(), GeneraReader(table).info());

  // For a part, the README and the script say which part it is.
  request.force = true;
  request.entries = 4;
  make_release(request);
  EXPECT_THAT(contents().at("README.md"), HasSubstr("outcome of the first 4 of 15 heaps"));
  EXPECT_THAT(contents().at("b-files/misere.txt"), Not(HasSubstr("\n4 ")));
}

TEST_F(ReleaseTest, WrongGeneraAreNotReleased) {
  const fs::path wrong = directory_ / "wrong.h5";
  const HeapRule rule = HeapRule::parse("0.77");
  GeneraInfo info{.title = "forged", .canonical = rule.canonical(), .provenance_json = "{}"};
  write_genera_file(wrong, info, [&](const TakeGenera& take) {
    find_genera(rule, 10, [&](HeapSize n, MisereHeap heap) {
      if (n == 7) heap.kind = MisereKind::kTame;  // what only a second search can tell
      take(heap);
      return Flow::kContinue;
    });
  });
  ReleaseRequest request = request_for({wrong});
  request.seconds = 600;
  EXPECT_EQ(code_of([&] { make_release(request); }), ErrorCode::kMismatch);
  expect_nothing_left();
}

TEST_F(ReleaseTest, EqualRequestsGiveEqualBytes) {
  ASSERT_EQ(::setenv("SOURCE_DATE_EPOCH", "1700000000", 1), 0);
  ReleaseRequest request = request_for({make("0.6", 3000, "a.h5"), make("S{1,2,5}", 100, "b.h5")});
  request.seconds = 3600;  // random values as many as there are
  make_release(request);
  const auto first = contents();
  request.force = true;
  request.machine.threads = 1;
  make_release(request);
  EXPECT_EQ(contents(), first);
  EXPECT_THAT(first.at("CITATION.cff"), HasSubstr("2023-11-14"));
  ::unsetenv("SOURCE_DATE_EPOCH");
}

TEST_F(ReleaseTest, CertificatesBesideATableAreJoined) {
  const fs::path table = make("0.6", 3000, "a.h5");
  const auto certificate = [&](HeapSize first, HeapSize last, const std::string& name) {
    const VerifyReport report =
        verify({.table = table, .proof = ProofKind::kRange, .range = {first, last}});
    write_bytes(directory_ / name, certificate_of(report).to_json());
  };
  certificate(0, 99, "one.json");
  certificate(200, 299, "two.json");
  write_bytes(directory_ / "other.json", "{}");
  const fs::path other = make("0.7", 3000, "b.h5");
  const VerifyReport foreign =
      verify({.table = other, .proof = ProofKind::kRange, .range = {0, 3000}});
  write_bytes(directory_ / "foreign.json", certificate_of(foreign).to_json());
  const ReleaseReport report = make_release(request_for({table}));
  EXPECT_EQ(report.tables[0].proved, 200u);
  const Certificate joined = Certificate::read(directory_ / "data/certificates/a.json");
  EXPECT_EQ(joined.proved, (std::vector<EntryRange>{{0, 99}, {200, 299}}));
  EXPECT_THAT(contents().at("README.md"), HasSubstr("heaps 0 to 99, 200 to 299"));
  EXPECT_THAT(contents().at("verify.sh"), HasSubstr("prove tables/a.h5 200:299\n"));
}

TEST_F(ReleaseTest, CertificatesBesideAListAreJoined) {
  const fs::path list = directory_ / "p.h5";
  compute_outcomes({.game = HeapGame{.rule = HeapRule::parse("S{1,2}"), .last = 3000},
                    .output = {.path = list, .reproducible = true}});
  Certificate beside = certificate_of(check_outcomes({.file = list, .full = true}));
  EXPECT_TRUE(beside.complete());
  beside.methods = {"a proof on another machine"};
  write_bytes(directory_ / "p.json", beside.to_json());
  EXPECT_EQ(make_release(request_for({list})).tables[0].proved, 3001u);
  EXPECT_EQ(Certificate::read(directory_ / "data/certificates/p.json"), beside);
  EXPECT_THAT(contents().at("README.md"), HasSubstr("a proof on another machine"));
  EXPECT_THAT(contents().at("verify.sh"), HasSubstr("prove_list tables/p.h5\n"));
}

TEST_F(ReleaseTest, AStampedDoiChangesAttributesAndTextsOnly) {
  const fs::path table = make("0.77", 2000, "kayles.h5");
  make_release(request_for({table}));
  const auto before = contents();
  EXPECT_THAT(before.at("README.md"), HasSubstr(kDoiPlaceholder));
  EXPECT_THAT(before.at(".zenodo.json"), Not(HasSubstr("\"doi\"")));
  write_bytes(directory_ / "data/README.md", before.at("README.md") + "Added by hand.\n");
  const ReleaseReport report = stamp_doi(directory_ / "data", kDoi);
  EXPECT_EQ(report.doi, kDoi);
  const auto after = contents();
  for (const char* name : {"README.md", "CITATION.cff", ".zenodo.json", "ro-crate-metadata.json"}) {
    EXPECT_THAT(after.at(name), HasSubstr(kDoi));
    EXPECT_THAT(after.at(name), Not(HasSubstr(kDoiPlaceholder))) << name;
  }
  EXPECT_THAT(after.at("README.md"), HasSubstr("Added by hand."));
  for (const char* name : {"verify.sh", "certificates/kayles.json", "csv/kayles.csv", "LICENSE"}) {
    EXPECT_EQ(after.at(name), before.at(name)) << name;
  }
  EXPECT_NE(after.at("tables/kayles.h5"), before.at("tables/kayles.h5"));
  EXPECT_EQ(TableReader::open(directory_ / "data/tables/kayles.h5")->info(),
            TableReader::open(table)->info());
  EXPECT_EQ(read_sums(directory_ / "data"), sums_of(directory_ / "data"));

  // The same once more is no fault; another one needs a word.
  stamp_doi(directory_ / "data", kDoi);
  EXPECT_EQ(code_of([&] { stamp_doi(directory_ / "data", "10.5281/zenodo.7"); }),
            ErrorCode::kUsage);
  EXPECT_EQ(stamp_doi(directory_ / "data", "10.5281/zenodo.7", true).doi, "10.5281/zenodo.7");
  EXPECT_THAT(contents().at("README.md"), Not(HasSubstr("zenodo.1234567")));
}

TEST_F(ReleaseTest, ADoiIsOneFromTheBeginning) {
  ReleaseRequest request = request_for({make("0.77", 200, "kayles.h5")});
  request.doi = kDoi;
  EXPECT_EQ(make_release(request).doi, kDoi);
  EXPECT_THAT(contents().at(".zenodo.json"), HasSubstr(kDoi));
  EXPECT_THAT(contents().at("README.md"), HasSubstr(kDoi));
}

TEST_F(ReleaseTest, WhatIsNoDoiIsRefused) {
  make_release(request_for({make("0.77", 200, "kayles.h5")}));
  const auto before = contents();
  for (const char* doi : {"", "10.5281", "10.5281/", "https://doi.org/10.5281/zenodo.1",
                          "10.52/zenodo.1", "11.5281/zenodo.1", "10.5281./zenodo.1",
                          "10.5281/zen odo", "10.5281/\"", "10.5281/zen\nodo"}) {
    EXPECT_EQ(code_of([&] { stamp_doi(directory_ / "data", doi); }), ErrorCode::kUsage) << doi;
  }
  EXPECT_EQ(contents(), before);
}

TEST_F(ReleaseTest, AStampBlessesNoDamage) {
  make_release(request_for({make("0.77", 2000, "kayles.h5")}));
  const auto good = contents();
  for (const char* name : {"tables/kayles.h5", "csv/kayles.csv", "verify.sh"}) {
    std::string bad = good.at(name);
    bad[bad.size() / 2] = static_cast<char>(bad[bad.size() / 2] ^ 1);
    write_bytes(directory_ / "data" / name, bad);
    EXPECT_EQ(code_of([&] { stamp_doi(directory_ / "data", kDoi); }), ErrorCode::kCorrupt) << name;
    EXPECT_EQ(contents().at("README.md"), good.at("README.md"));
    write_bytes(directory_ / "data" / name, good.at(name));
  }
  fs::remove(directory_ / "data/LICENSE");
  EXPECT_EQ(code_of([&] { stamp_doi(directory_ / "data", kDoi); }), ErrorCode::kCorrupt);
}

TEST_F(ReleaseTest, NothingButAReleaseIsReplaced) {
  const ReleaseRequest request = request_for({make("0.77", 200, "kayles.h5")});
  ReleaseRequest forced = request;
  forced.force = true;
  fs::create_directory(directory_ / "data");
  EXPECT_EQ(code_of([&] { make_release(request); }), ErrorCode::kUsage);
  EXPECT_EQ(code_of([&] { make_release(forced); }), ErrorCode::kUsage) << "it is no release";
  write_bytes(directory_ / "data/thesis.tex", "precious");
  EXPECT_EQ(code_of([&] { make_release(forced); }), ErrorCode::kUsage);
  EXPECT_EQ(contents().size(), 1u);
  fs::remove_all(directory_ / "data");
  make_release(request);
  EXPECT_EQ(code_of([&] { make_release(request); }), ErrorCode::kUsage);
  write_bytes(directory_ / "data/thesis.tex", "precious");
  EXPECT_THAT(error_of([&] { make_release(forced); }).what(), HasSubstr("thesis.tex"));
  EXPECT_EQ(code_of([&] { stamp_doi(directory_ / "data", kDoi); }), ErrorCode::kUsage);
  EXPECT_EQ(contents().at("thesis.tex"), "precious");
  fs::remove(directory_ / "data/thesis.tex");
  forced.title = "Another title";
  make_release(forced);
  EXPECT_THAT(contents().at("README.md"), HasSubstr("# Another title\n"));
  EXPECT_EQ(directory_.entries(), 2u) << "the old one and temporary directories are gone";
}

TEST_F(ReleaseTest, DamagedAndForeignFilesAreRefusedAndNothingIsLeft) {
  const fs::path table = make("0.77", 20000, "kayles.h5");
  std::string bytes = bytes_of(table);
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 4);
  write_bytes(table, bytes);
  const Error damaged = error_of([&] { make_release(request_for({table})); });
  EXPECT_EQ(damaged.code(), ErrorCode::kCorrupt);
  EXPECT_THAT(damaged.what(), HasSubstr(table.string()));
  write_bytes(directory_ / "words.h5", "words");
  EXPECT_EQ(code_of([&] { make_release(request_for({directory_ / "words.h5"})); }),
            ErrorCode::kCorrupt);
  EXPECT_EQ(code_of([&] { make_release(request_for({directory_ / "none.h5"})); }),
            ErrorCode::kUsage);
  EXPECT_EQ(code_of([&] { make_release(request_for({directory_.path()})); }), ErrorCode::kUsage);
  expect_nothing_left();
}

TEST_F(ReleaseTest, RequestsThatCannotBeMetAreRefused) {
  const fs::path table = make("0.77", 200, "kayles.h5");
  fs::create_directory(directory_ / "sub.h5");
  fs::copy_file(table, directory_ / "sub.h5/kayles.h5");
  const auto refused = [&](const std::function<void(ReleaseRequest&)>& change) {
    ReleaseRequest request = request_for({table});
    change(request);
    EXPECT_EQ(code_of([&] { make_release(request); }), ErrorCode::kUsage);
  };
  refused([](ReleaseRequest& r) { r.tables.clear(); });
  refused([](ReleaseRequest& r) { r.creators.clear(); });
  ReleaseRequest forgotten = request_for({directory_ / "none.h5"});
  forgotten.creators.clear();
  EXPECT_THAT(error_of([&] { make_release(forgotten); }).what(), HasSubstr("none.h5"));
  refused([](ReleaseRequest& r) { r.seconds = -1; });
  refused([](ReleaseRequest& r) { r.licence = "WTFPL"; });
  refused([](ReleaseRequest& r) { r.doi = "none"; });
  refused([](ReleaseRequest& r) { r.directory = r.directory / "deep/down"; });
  refused([&](ReleaseRequest& r) { r.directory = table; });
  refused([&](ReleaseRequest& r) { r.tables.push_back(directory_ / "sub.h5/kayles.h5"); });
  expect_nothing_left();
}

TEST_F(ReleaseTest, AStopLeavesNothing) {
  const ReleaseRequest request = request_for({make("0.77", 200, "kayles.h5")});
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE(make_release(request, {.stop = stop.get_token()}).complete);
  expect_nothing_left();
}

// The play that a release names is that of its tables.
TEST_F(ReleaseTest, TheReadmeNamesThePlayOfEachTable) {
  const auto lattice = [this](const std::string& rule, const std::string& name) {
    const fs::path path = directory_ / name;
    compute({.game = LatticeGame{LatticeRule::parse(rule), {2, {9, 9}, true}},
             .output = {.path = path, .reproducible = true}});
    return path;
  };
  const fs::path normal = lattice("2: sym (1,0)* + (1,1)*", "normal.h5");
  const fs::path misere = lattice("2: sym (1,0)* + (1,1)* + misere", "misere.h5");
  const AnyGame cram = resolve_game("cram:2x3", GameKind::kGraph, Reduction::kSymmetry);
  const fs::path both = directory_ / "both.h5";
  compute({.game = PositionGame{std::get<std::shared_ptr<const GraphGame>>(cram.rule), true},
           .about = GameDescription::of(cram, cram.notation),
           .output = {.path = both, .reproducible = true}});
  const auto texts = [this](const std::vector<fs::path>& tables) {
    ReleaseRequest request = request_for(tables);
    request.force = true;
    make_release(request);
    return std::pair{contents().at("README.md"), contents().at("CITATION.cff")};
  };
  const char* const kNormal = "Normal play: who cannot move loses";
  const char* const kMisere = "Misère play: who cannot move wins";
  for (const auto& text : {texts({normal}).first, texts({normal}).second}) {
    EXPECT_THAT(text, AllOf(HasSubstr(kNormal), Not(HasSubstr("isère"))));
  }
  for (const auto& text : {texts({misere}).first, texts({misere}).second}) {
    EXPECT_THAT(text, AllOf(HasSubstr(kMisere), Not(HasSubstr("Normal play"))));
  }
  EXPECT_THAT(texts({normal, misere}).first,
              AllOf(HasSubstr("as each table says"), HasSubstr(std::string("**Play:** ") + kNormal),
                    HasSubstr(std::string("**Play:** ") + kMisere)));
  EXPECT_THAT(texts({both}).first, HasSubstr("Beside its value a position has its misère value"));
}

// Who cites a list of misère play must not claim the numbers of normal play.
TEST_F(ReleaseTest, ListsOfPositionsNameThePlay) {
  const AnyGame cram = resolve_game("cram:3x4", GameKind::kGraph, Reduction::kSymmetry);
  std::vector<fs::path> lists;
  for (const auto& [misere, name] :
       {std::pair{false, "normal.h5"}, std::pair{true, "misere.h5"}, std::pair{false, "more.h5"}}) {
    lists.push_back(directory_ / name);
    compute_p_positions(
        {.game = PositionGame{std::get<std::shared_ptr<const GraphGame>>(cram.rule), misere},
         .about = GameDescription::of(cram, cram.notation),
         .output = {.path = lists.back(), .reproducible = true}});
  }
  make_release(request_for(lists));
  for (const char* file : {"CITATION.cff", ".zenodo.json", "ro-crate-metadata.json"}) {
    EXPECT_THAT(contents().at(file),
                AllOf(HasSubstr("P-positions of Cram, cram:3x4: 33 P-positions among 95"),
                      HasSubstr("of Cram in misère play, cram:3x4: 26 P-positions among 95")))
        << file;
  }
  EXPECT_EQ(read_p_positions(directory_ / "data/tables/misere.h5").info.title,
            "Cram in misère play");
  EXPECT_THAT(contents().at("README.md"), AllOf(HasSubstr("\n## Cram, cram:3x4 (normal)\n"),
                                                HasSubstr("\n## Cram in misère play, cram:3x4\n"),
                                                HasSubstr("\n## Cram, cram:3x4 (more)\n")));
}

TEST_F(ReleaseTest, TextsClaimNoProofBeyondTheCertificates) {
  const auto list = [this](HeapSize last, const char* name) {
    const fs::path path = directory_ / name;
    compute_outcomes(
        {.game = HeapGame{.rule = HeapRule::parse("S{squares}"), .last = last, .misere = true},
         .output = {.path = path, .reproducible = true}});
    return path;
  };
  const fs::path small = list(100, "small.h5"), large = list(2'000'000, "large.h5");
  write_bytes(directory_ / "small.json",
              certificate_of(check_outcomes({.file = small, .full = true})).to_json());
  const auto expect = [this](const std::vector<fs::path>& tables, const char* words) {
    ReleaseRequest request = request_for(tables);
    request.force = true;
    request.seconds = 0;
    make_release(request);
    for (const char* file :
         {"README.md", "CITATION.cff", ".zenodo.json", "ro-crate-metadata.json"}) {
      EXPECT_THAT(contents().at(file), HasSubstr(words)) << file;
    }
  };
  expect({small}, "All that the tables say was proved from the files alone");
  expect({large}, "What was proved from the files alone stands in the certificate of each");
  EXPECT_TRUE(Certificate::read(directory_ / "data/certificates/large.json").proved.empty());
  expect({small, large}, "Of 1 of the 2 tables everything was proved");
  expect({make("0.77", 100, "kayles.h5")}, "Each value was proved when it was computed. ");
}

TEST_F(ReleaseTest, NamesOfFilesAreSafeInShellsAndAddresses) {
  const fs::path plain = make("0.77", 200, "kayles.h5");
  const fs::path odd = directory_ / "$(rm -rf) 'k\u00e4yles'.h5";
  fs::rename(plain, odd);
  const ReleaseReport report = make_release(request_for({odd}));
  EXPECT_EQ(report.tables[0].file, "tables/__rm_-rf___k__yles_.h5");
}

TEST_F(ReleaseTest, TablesWithoutATimeLimitAreProvedInPart) {
  ReleaseRequest request = request_for({make("4!.0", 20, "g.h5")});
  request.seconds = 0;
  const ReleaseReport report = make_release(request);
  EXPECT_LE(report.tables[0].proved, 21u);
  EXPECT_EQ(report.tables[0].entries, 21u);
  // However much time there was, the README repeats what the certificate says.
  const Certificate certificate = Certificate::read(directory_ / "data/certificates/g.json");
  const bool says_range =
      contents().at("README.md").find("was proved from the stored values") != std::string::npos;
  EXPECT_EQ(says_range, certificate.complete());
}

}  // namespace
}  // namespace grundy
