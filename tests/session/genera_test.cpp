/// @file
/// Files of misère play of one heap, compared with published genera, the search, and the
/// definition.
// SPDX-License-Identifier: MIT
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <stop_token>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include <grundy/error.hpp>
#include <grundy/file_kind.hpp>
#include <grundy/genera.hpp>

#include "session/export_file.hpp"
#include "session/genera_file.hpp"
#include "support/csv.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

namespace grundy {
namespace {

using ::testing::HasSubstr;
using testing_support::bytes_of;
using testing_support::code_of;
using testing_support::csv_fields;
using testing_support::TemporaryDirectory;
using testing_support::write_bytes;

Request misere_request(const std::string& notation, HeapSize last,
                       const std::filesystem::path& output) {
  Request request{.game =
                      HeapGame{.rule = HeapRule::parse(notation), .last = last, .misere = true}};
  request.output = {.path = output, .reproducible = true};
  return request;
}

std::vector<MisereHeap> searched(const std::string& notation, HeapSize last) {
  std::vector<MisereHeap> heaps;
  find_genera(HeapRule::parse(notation), last, [&](HeapSize, const MisereHeap& heap) {
    heaps.push_back(heap);
    return Flow::kContinue;
  });
  return heaps;
}

TEST(Genera, AreReadAndProvedAsTheyWereFound) {
  const TemporaryDirectory directory;
  const std::pair<const char*, HeapSize> games[] = {
      {"0.77", 18}, {"4!.0", 20},   {"0.123", 40}, {"S{2,3,7}", 500},
      {"0.15", 20}, {"hex:0.8", 9}, {"0.[3]", 40}, {"n -> n - d : d | n, d < n", 60}};
  int number = 0;
  for (const auto& [game, last] : games) {
    const auto path = directory / (std::to_string(++number) + ".h5");
    const GeneraReport report = compute_genera(misere_request(game, last, path));
    ASSERT_EQ(report.end, MisereEnd::kComplete) << game;
    EXPECT_EQ(kind_of(path), FileKind::kGenera);
    const GeneraReader reader(path);
    EXPECT_EQ(reader.info(), report.info);
    const std::vector<MisereHeap> expected = searched(game, last);
    EXPECT_EQ(reader.heaps(0, last + 1), expected) << game;
    EXPECT_EQ(reader.heaps(3, 2), std::vector(expected.begin() + 3, expected.begin() + 5));
    HeapSize tame = 0, p_positions = 0;
    for (const MisereHeap& heap : expected) {
      if (heap.kind == MisereKind::kTame) ++tame;
      if (heap.genus.misere[0] == 0) ++p_positions;
    }
    EXPECT_EQ(report.info.heaps, last + 1);
    EXPECT_EQ(report.info.tame, tame);
    EXPECT_EQ(report.info.p_positions, p_positions);
    const GeneraCheck check = check_genera({.file = path, .full = true, .seconds = 600});
    EXPECT_EQ(check.wrong, "") << game;
    EXPECT_TRUE(check.complete);
    EXPECT_EQ(check.proved, last + 1) << game;
    EXPECT_EQ(check.compared, last + 1) << game;
    // Without a file the counts are the same.
    const GeneraReport again = compute_genera(misere_request(game, last, {}));
    EXPECT_EQ(again.info, report.info);
  }
}

// More heaps than are in memory at a time.
TEST(Genera, StreamToTheFile) {
  const TemporaryDirectory directory;
  const auto path = directory / "long.h5";
  constexpr HeapSize kLast = 150'000;
  const GeneraReport report = compute_genera(misere_request("S{1,3,4}", kLast, path));
  const GeneraReader reader(path);
  reader.recount();
  const std::vector<MisereHeap> expected = searched("S{1,3,4}", kLast);
  EXPECT_EQ(reader.heaps(65'500, 70'000),
            std::vector(expected.begin() + 65'500, expected.begin() + 135'500));
  const GeneraCheck check = check_genera({.file = path, .seconds = 0});
  EXPECT_EQ(check.wrong, "");
  EXPECT_LT(check.proved, kLast);
}

// CGSuite's genera, read from exported text.
TEST(Genera, AreExportedAsAnotherProgramHasThem) {
  const TemporaryDirectory directory;
  std::ifstream golden(GRUNDY_GOLDEN_DIR "/genus.csv");
  ASSERT_TRUE(golden);
  std::map<std::string, std::vector<std::vector<std::string>>> exported;
  int rows = 0;
  for (std::string line; std::getline(golden, line);) {
    if (line.starts_with('#') || line.starts_with("game,")) continue;
    const auto row = csv_fields(line);
    std::vector<std::vector<std::string>>& known = exported[row[0]];
    if (known.empty()) {
      const std::string game = row[0] == "grundy" ? "4!.0" : row[0];
      const auto path = directory / (std::to_string(exported.size()) + ".h5");
      compute_genera(misere_request(game, 25, path));
      ByteOutput out = ByteOutput::file(path.string() + ".csv", false);
      EXPECT_EQ(export_file(path, ExportFormat::kCsv, {}, out).count, 26u);
      out.commit();
      std::istringstream text(bytes_of(path.string() + ".csv"));
      std::string one;
      std::getline(text, one);
      EXPECT_EQ(one, "n,grundy,misere,genus,kind,misere_outcome");
      while (std::getline(text, one)) known.push_back(csv_fields(one));
    }
    const auto& found = known.at(std::stoul(row[1]));
    EXPECT_EQ(found[0], row[1]) << line;
    EXPECT_EQ(found[1], row[2]) << line;
    EXPECT_EQ(found[2], row[3].substr(0, 1)) << line;
    const Genus genus = Genus::parse(found[3]);
    for (std::size_t k = 0; k < row[3].size(); ++k) {
      EXPECT_EQ(genus.misere_with(k), static_cast<Nimber>(row[3][k] - '0')) << line;
    }
    EXPECT_EQ(found[4] == "tame", row[4] == "yes") << line;
    EXPECT_EQ(found[5], row[3][0] == '0' ? "P" : "N") << line;
    ++rows;
  }
  EXPECT_EQ(rows, 124);
}

TEST(Genera, ABFileHasTheMisereNimValues) {
  const TemporaryDirectory directory;
  const auto path = directory / "k.h5";
  compute_genera(misere_request("0.77", 12, path));
  const auto text = [&](const ExportOptions& options) {
    ByteOutput out = ByteOutput::file(directory / "k.txt", true);
    export_file(path, ExportFormat::kBFile, options, out);
    out.commit();
    return bytes_of(directory / "k.txt");
  };
  EXPECT_EQ(text({.terms = 6}),
            "# Table of n, a(n): a(n) is the misère nim-value of a heap of n in 0.77\n"
            "0 1\n1 0\n2 2\n3 3\n4 0\n5 1\n");
  EXPECT_THAT(text({.offset = 1}), HasSubstr("a heap of n - (1) in 0.77\n1 1\n2 0\n"));
  ByteOutput out = ByteOutput::file(directory / "x", false);
  EXPECT_EQ(code_of([&] { export_file(path, ExportFormat::kNpy, {}, out); }), ErrorCode::kUsage);
  EXPECT_EQ(code_of([&] { export_file(path, ExportFormat::kCsv, {.value = 0}, out); }),
            ErrorCode::kUsage);
}

/// Writes a file with one heap that is not as it was found.
void forge(const std::filesystem::path& path, const std::string& notation, HeapSize last,
           HeapSize n, const std::function<void(MisereHeap&)>& change) {
  std::filesystem::remove(path);
  std::vector<MisereHeap> heaps = searched(notation, last);
  change(heaps.at(n));
  GeneraInfo info{.title = notation, .canonical = notation};
  write_genera_file(path, info, [&](const TakeGenera& take) {
    for (const MisereHeap& heap : heaps) take(heap);
  });
}

TEST(GeneraCheck, FindsEveryKindOfWrongHeap) {
  const TemporaryDirectory directory;
  const auto path = directory / "f.h5";
  const auto wrong = [&](bool full) {
    return check_genera({.file = path, .full = full, .seconds = 600}).wrong;
  };
  forge(path, "0.77", 12, 7, [](MisereHeap& heap) { heap.genus.value = 3; });
  EXPECT_EQ(wrong(false), "heap 7 has the value 2 in normal play, not 3");
  forge(path, "0.77", 12, 5, [](MisereHeap& heap) { heap.genus.misere = {0, 4, 6}; });
  EXPECT_EQ(wrong(false), "heap 5 with 0 heaps of two tokens has the misère nim-value 1, not 0");
  forge(path, "0.77", 12, 5, [](MisereHeap& heap) { heap.genus.misere = {1, 4}; });
  EXPECT_EQ(wrong(false), "heap 5 with 2 heaps of two tokens has the misère nim-value 6, not 1");
  // What a kind is follows from canonical forms, not from values.
  forge(path, "0.77", 12, 7, [](MisereHeap& heap) { heap.kind = MisereKind::kTame; });
  EXPECT_EQ(wrong(false), "");
  EXPECT_EQ(wrong(true), "heap 7 is 2^{20} and wild, not 2^{20} and tame");
}

TEST(GeneraCheck, ProvesHeapsToAGivenOneInAnyTime) {
  const TemporaryDirectory directory;
  const auto path = directory / "k.h5";
  compute_genera(misere_request("0.77", 20, path));
  const GeneraCheck check = check_genera({.file = path, .seconds = 0, .range = EntryRange{0, 18}});
  EXPECT_TRUE(check.complete);
  EXPECT_EQ(check.wrong, "");
  EXPECT_EQ(check.proved, 19u);
  for (const EntryRange& range : {EntryRange{0, 21}, EntryRange{1, 18}}) {
    EXPECT_EQ(code_of([&] { check_genera({.file = path, .range = range}); }), ErrorCode::kUsage);
  }
  EXPECT_EQ(code_of([&] {
              check_genera({.file = path, .range = EntryRange{0, 20}, .machine = {.memory = 1000}});
            }),
            ErrorCode::kFailure);
}

TEST(GeneraCheck, RefusesDamagedFiles) {
  const TemporaryDirectory directory;
  const auto path = directory / "k.h5";
  compute_genera(misere_request("0.77", 15, path));
  const std::string bytes = bytes_of(path);
  for (std::size_t at = bytes.size() / 3; at < bytes.size(); at += bytes.size() / 7) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 4);
    write_bytes(path, damaged);
    EXPECT_EQ(code_of([&] { check_genera({.file = path}); }), ErrorCode::kCorrupt) << at;
  }
}

TEST(Genera, NoFileIsWrittenWhereMemoryEndsOrTheGameIsNone) {
  const TemporaryDirectory directory;
  Request request = misere_request("0.77", 500, directory / "k.h5");
  request.machine.memory = 1'000'000;
  const GeneraReport report = compute_genera(request);
  EXPECT_EQ(report.end, MisereEnd::kMemory);
  EXPECT_GT(report.info.heaps, 20u);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(compute_genera(request, {.stop = stop.get_token()}).end, MisereEnd::kStopped);
  std::get<HeapGame>(request.game).misere = false;
  EXPECT_EQ(code_of([&] { compute_genera(request); }), ErrorCode::kUsage);
  EXPECT_EQ(directory.entries(), 0u);
  request = misere_request("0.77", 5, directory / "k.h5");
  compute_genera(request);
  EXPECT_EQ(code_of([&] { compute_genera(request); }), ErrorCode::kUsage);  // what is there stays
  request.output.overwrite = true;
  EXPECT_EQ(compute_genera(request).end, MisereEnd::kComplete);
}

TEST(Genus, IsReadAsItIsWritten) {
  for (const Genus& genus : {Genus{0, {1, 2, 0}}, Genus{12, {12, 14}}, Genus{3, {3, 10, 8, 10}}}) {
    EXPECT_EQ(Genus::parse(genus.text()), genus) << genus.text();
  }
  for (const char* text : {"", "4", "4^{146", "^{14}", "4^{}", "4^{1}", "4^{1a}", "4^{1,4}",
                           "4^{12,}", "-4^{14}", "4^{14} ", "99999999999^{14}"}) {
    EXPECT_EQ(code_of([&] { Genus::parse(text); }), ErrorCode::kUsage) << text;
  }
}

}  // namespace
}  // namespace grundy
