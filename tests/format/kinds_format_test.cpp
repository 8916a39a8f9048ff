/// @file
/// Files of every kind except tables in one file are read as they were written, and proved from the
/// definition.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <grundy/atlas.hpp>
#include <grundy/census.hpp>
#include <grundy/genera.hpp>
#include <grundy/outcomes.hpp>
#include <grundy/rule_census.hpp>
#include <grundy/statistics.hpp>
#include <grundy/statistics_check.hpp>
#include <grundy/table.hpp>
#include <grundy/verify.hpp>

#include "core/digest.hpp"
#include "session/root_file.hpp"
#include "support/errors.hpp"
#include "table/file_kind.hpp"

namespace grundy {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

const fs::path kKindFiles = GRUNDY_FORMAT_DIR;

struct KindFixture {
  const char* file;
  FileKind kind;
};
const std::vector<KindFixture> kKindFixtures = {
    {"3.0-wythoff.h5", FileKind::kMaster},
    {"3.0-wythoff.parts/part-0000.h5", FileKind::kPart},
    {"atlas-2.0-octal.h5", FileKind::kAtlas},
    {"census-1.0-sets.h5", FileKind::kCensus},
    {"genera-1.0-kayles.h5", FileKind::kGenera},
    {"outcomes-1.0-subtraction.h5", FileKind::kOutcomes},
    {"outcomes-1.0-wythoff.h5", FileKind::kOutcomes},
    {"p-positions-1.0-cram.h5", FileKind::kPPositions},
    {"positions-1.1-cram.h5", FileKind::kPositions},
    {"positions-1.1-own.h5", FileKind::kPositions},
    {"rule-census-1.0-vectors.h5", FileKind::kRuleCensus},
    {"statistics-1.1-kayles.h5", FileKind::kStatistics},
    {"statistics-2.0-wythoff.h5", FileKind::kLatticeStatistics},
};

TEST(FormatOfKinds, EveryKindHasAFileAndEveryFileItsTest) {
  for (auto kind = FileKind::kTable; kind <= FileKind::kLatticeStatistics;
       kind = static_cast<FileKind>(static_cast<int>(kind) + 1)) {
    if (kind == FileKind::kTable) continue;  // format_test
    EXPECT_TRUE(std::ranges::any_of(kKindFixtures, [&](const auto& f) { return f.kind == kind; }))
        << format_of(kind).name;
  }
  for (const auto& [file, kind] : kKindFixtures)
    EXPECT_EQ(kind_of(kKindFiles / file), kind) << file;
  for (const auto& entry : fs::directory_iterator(kKindFiles)) {
    const std::string name = entry.path().filename();
    if (entry.path().extension() != ".h5" || std::isdigit(name[0]) != 0) continue;
    EXPECT_TRUE(std::ranges::any_of(kKindFixtures, [&](const auto& f) { return f.file == name; }))
        << name;
  }
}

/// A good file of another kind is no damaged file: what was asked of it is wrong.
TEST(FormatOfKinds, AFileOfAnotherKindIsRefusedAsUsage) {
  for (const auto& [file, kind] : kKindFixtures) {
    for (const auto& [other, wanted] : kKindFixtures) {
      if (wanted == kind) {
        EXPECT_NO_THROW(open_sealed(kKindFiles / file, wanted)) << file;
        continue;
      }
      const fs::path path = kKindFiles / file;
      const Error error = testing_support::error_of([&, to = wanted] { open_sealed(path, to); });
      EXPECT_EQ(error.code(), ErrorCode::kUsage) << error.what();
      if (kind == FileKind::kPart) {
        EXPECT_THAT(error.what(), HasSubstr("is one part of a table; open the table"));
        continue;
      }
      EXPECT_THAT(error.what(), HasSubstr(std::string("is ") + format_of(kind).what));
      EXPECT_THAT(error.what(), HasSubstr(std::string("this needs ") + format_of(wanted).what));
    }
  }
}

TEST(FormatOfKinds, Genera10) {
  const fs::path file = kKindFiles / "genera-1.0-kayles.h5";
  const GeneraReader reader(file);
  EXPECT_EQ(reader.info().canonical, "0.77");
  EXPECT_EQ(reader.info().heaps, 21u);
  EXPECT_EQ(reader.info().first_not_tame, HeapSize{5});
  // Winning Ways, ch. 13: the genera of Kayles.
  std::string genera;
  for (const MisereHeap& heap : reader.heaps(0, 8)) genera += heap.genus.text() + ' ';
  EXPECT_EQ(genera, "0^{120} 1^{031} 2^{20} 3^{31} 1^{031} 4^{146} 3^{31} 2^{20} ");
  const GeneraCheck check = check_genera({.file = file, .full = true, .range = EntryRange{0, 20}});
  EXPECT_TRUE(check.complete);
  EXPECT_EQ(check.wrong, "");
  EXPECT_EQ(check.proved, 21u);
  EXPECT_EQ(check.compared, 21u);
}

TEST(FormatOfKinds, Outcomes10) {
  const OutcomesReader wythoff(kKindFiles / "outcomes-1.0-wythoff.h5");
  const Layout& layout = wythoff.info().layout;
  std::vector<LatticePoint> first;
  for (const std::uint64_t entry : wythoff.entries(0, 6))
    first.push_back(layout.position_at(entry));
  EXPECT_EQ(first, (std::vector<LatticePoint>{{0, 0}, {1, 2}, {2, 1}, {3, 5}, {4, 7}, {5, 3}}));
  for (const char* file : {"outcomes-1.0-wythoff.h5", "outcomes-1.0-subtraction.h5"}) {
    const OutcomesCheck check = check_outcomes({.file = kKindFiles / file, .full = true});
    EXPECT_TRUE(check.complete);
    EXPECT_EQ(check.wrong, "") << file;
    EXPECT_EQ(check.proved, check.info.layout.entries());
  }
}

TEST(FormatOfKinds, PPositions10) {
  const PPositionsCheck check =
      check_p_positions({.file = kKindFiles / "p-positions-1.0-cram.h5", .full = true});
  EXPECT_TRUE(check.complete);
  EXPECT_EQ(check.wrong, "");
  EXPECT_EQ(check.info.stats.p_positions, 33u);
  EXPECT_EQ(check.proved, 95u);
}

TEST(FormatOfKinds, Positions11) {
  const VerifyReport report =
      verify({.table = kKindFiles / "positions-1.1-cram.h5", .proof = ProofKind::kFull});
  EXPECT_TRUE(report.complete);
  EXPECT_FALSE(report.wrong) << report.wrong->sentence;
  EXPECT_EQ(report.info.game, "cram:3x4");
}

/// The values are the indices of least primes: 1, then 2 to 12.
TEST(FormatOfKinds, Positions11OfAGameThatIsNotInTheCatalogue) {
  const GraphFile file = read_graph_file(kKindFiles / "positions-1.1-own.h5");
  EXPECT_EQ(file.info.game, "coprime");
  EXPECT_EQ(file.table.values, (std::vector<Nimber>{0, 1, 2, 1, 3, 1, 4, 1, 2, 1, 5, 1}));
}

TEST(FormatOfKinds, Censuses10) {
  for (const char* file : {"census-1.0-sets.h5", "rule-census-1.0-vectors.h5"}) {
    const ListCheck check = check_census({.file = kKindFiles / file, .full = true});
    EXPECT_TRUE(check.complete);
    EXPECT_EQ(check.wrong, "") << file;
    EXPECT_EQ(check.proved, check.count);
  }
  const CensusReport sets = read_census(kKindFiles / "census-1.0-sets.h5");
  EXPECT_EQ(sets.all.sets, 84u);
  EXPECT_EQ(read_rule_census(kKindFiles / "rule-census-1.0-vectors.h5").all.rules, 1u);
}

TEST(FormatOfKinds, Atlas20) {
  const AtlasCheck check = check_atlas({.file = kKindFiles / "atlas-2.0-octal.h5", .full = true});
  EXPECT_TRUE(check.complete);
  EXPECT_EQ(check.wrong, "");
  EXPECT_EQ(check.proved, check.count);
  EXPECT_EQ(check.count, 7u);
  // Such a file keeps values, which prove these periods, and no window certificate.
  EXPECT_EQ(check.called_certified, 5u);
  EXPECT_EQ(check.certified, 5u);
}

/// Guy and Smith, 1956: Kayles has the period 12 from heap 71 on.
TEST(FormatOfKinds, Statistics11) {
  const StatisticsFile file = read_statistics(kKindFiles / "statistics-1.1-kayles.h5");
  EXPECT_EQ(file.info.canonical, "0.77");
  EXPECT_EQ(file.info.period.status, PeriodStatus::kCertified);
  EXPECT_EQ(file.info.period.preperiod, 71u);
  EXPECT_EQ(file.info.period.period, 12u);
}

/// OEIS A004481 has these values; the table of 20 x 30 beside it has them, too.
TEST(FormatOfKinds, LatticeStatistics20) {
  const fs::path path = kKindFiles / "statistics-2.0-wythoff.h5";
  const LatticeStatistics file = read_lattice_statistics(path);
  const TableStats whole = TableReader::open(kKindFiles / "1.1-wythoff.h5")->info().stats;
  EXPECT_EQ(file.info.stats.histogram, whole.histogram);
  EXPECT_EQ(file.info.stats.max_value, whole.max_value);
  EXPECT_EQ(file.info.stats.argmax, whole.argmax);
  EXPECT_EQ(file.zeros.size(), whole.zeros());
  const LatticeStatisticsCheck check = check_lattice_statistics({.file = path});
  EXPECT_TRUE(check.holds()) << check.wrong;
  EXPECT_EQ(check.proved, 600u);
}

TEST(FormatOfKinds, TableInParts30) {
  const fs::path file = kKindFiles / "3.0-wythoff.h5";
  const auto table = TableReader::open(file);
  const auto whole = TableReader::open(kKindFiles / "1.1-wythoff.h5");
  EXPECT_EQ(table->info().stats, whole->info().stats);
  std::vector<Nimber> values(table->info().stats.count), expected(values.size());
  table->read(0, values);
  whole->read(0, expected);
  EXPECT_EQ(values, expected);
}

TEST(FormatOfKinds, Root10) {
  const fs::path file = kKindFiles / "root-1.0-cram.json";
  ASSERT_TRUE(is_root_file(file));
  const Json root = read_root_file(file);
  EXPECT_EQ(root.at("game"), "cram:3x4");
  EXPECT_EQ(root.at("root_value"), 1);
}

}  // namespace
}  // namespace grundy
