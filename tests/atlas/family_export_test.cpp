/// @file
/// Exports of families and censuses, and the facts about their games, compared with the definition.
// SPDX-License-Identifier: MIT
#include "atlas/family_export.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>

#include <grundy/census.hpp>
#include <grundy/error.hpp>
#include <grundy/rule_census.hpp>

#include "atlas/atlas_file.hpp"
#include "atlas/atlas_testing.hpp"
#include "atlas/family_game.hpp"
#include "atlas/open_census.hpp"
#include "atlas/rule_census.hpp"
#include "core/digest.hpp"
#include "games/heap/naive.hpp"
#include "support/csv.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

namespace grundy {
namespace {

using ::testing::HasSubstr;
using testing_support::bytes_of;
using testing_support::code_of;
using testing_support::csv_fields;
using testing_support::error_of;
using testing_support::TemporaryDirectory;

/// Every game here recurs within this many heaps.
constexpr HeapSize kEnough = 400;

std::vector<std::string> exported(const std::filesystem::path& file, ExportFormat format,
                                  const ExportOptions& options = {}) {
  const std::filesystem::path text = file.string() + ".txt";
  ByteOutput out = ByteOutput::file(text, true);
  const Exported written = atlas::export_family(file, format, options, out);
  out.commit();
  std::istringstream lines(bytes_of(text));
  std::vector<std::string> all;
  for (std::string line; std::getline(lines, line);) all.push_back(line);
  EXPECT_EQ(written.count + 1, all.size());  // with the head
  return all;
}

/// The least preperiod and period of values, seen for a hundred heaps more; nothing if there is
/// none.
std::optional<std::pair<HeapSize, HeapSize>> recurrence_of(const std::vector<unsigned>& values) {
  for (HeapSize p = 1; 2 * p + 100 < values.size(); ++p) {
    HeapSize e = values.size() - p;
    while (e > 0 && values[e - 1] == values[e - 1 + p]) --e;
    if (e + 2 * p + 100 < values.size()) return std::pair(e, p);
  }
  return std::nullopt;
}

TEST(FamilyExport, HasARowForEachSetInOrder) {
  const TemporaryDirectory directory;
  const SetFamily family{9, 3};
  compute_census({.family = family, .output = directory / "c.h5"});
  const auto lines = exported(directory / "c.h5", ExportFormat::kCsv);
  const auto periods = exported(directory / "c.h5", ExportFormat::kBFile, {.offset = 1});
  EXPECT_EQ(lines.front(), "move_1,move_2,move_3,preperiod,period,zeros,max_value");
  EXPECT_THAT(periods.front(), HasSubstr("a(n) is the period of set n - (1) of S{max<=9,size=3}"));
  ASSERT_EQ(lines.size(), family.sets() + 1);
  for (std::uint64_t row = 0; row < family.sets(); ++row) {
    const MoveSet set = family.at(row);
    EXPECT_EQ(family.row_of(set), row);
    const auto values =
        test::naive_values(HeapRule{SubtractionRule{SubtractionRule::Kind::kFinite, set}}, kEnough);
    const auto [preperiod, period] = recurrence_of(values).value();
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(preperiod);
    std::ostringstream line;
    line << set[0] << ',' << set[1] << ',' << set[2] << ',' << preperiod << ',' << period << ','
         << std::count(begin, begin + static_cast<std::ptrdiff_t>(period), 0u) << ','
         << std::ranges::max(values);
    EXPECT_EQ(lines[row + 1], line.str());
    EXPECT_EQ(periods[row + 1], std::to_string(row + 1) + ' ' + std::to_string(period));
  }
  EXPECT_EQ(exported(directory / "c.h5", ExportFormat::kCsv, {.terms = 5}).size(), 6u);
  EXPECT_EQ(exported(directory / "c.h5", ExportFormat::kCsv, {.terms = 1000}), lines);
}

// More rows than are read at a time.
TEST(FamilyExport, StreamsAllRows) {
  const TemporaryDirectory directory;
  const SetFamily family{80, 3};
  const CensusReport made = compute_census({.family = family, .output = directory / "c.h5"});
  const auto lines = exported(directory / "c.h5", ExportFormat::kCsv);
  ASSERT_EQ(lines.size(), 82'161u);
  std::mt19937 random(1);
  for (int i = 0; i < 100; ++i) {
    const std::uint64_t row = random() % family.sets();
    const MoveSet set = family.at(row);
    EXPECT_EQ(family.row_of(set), row);
    const auto fields = csv_fields(lines[row + 1]);
    for (std::size_t m = 0; m < 3; ++m) EXPECT_EQ(fields[m], std::to_string(set[m]));
  }
}

TEST(FamilyExport, RefusesABFileOfOpenSets) {
  const TemporaryDirectory directory;
  compute_census({.family = {40, 4}, .last = 500, .output = directory / "open.h5"});
  EXPECT_THAT(error_of([&] { exported(directory / "open.h5", ExportFormat::kBFile); }).what(),
              HasSubstr("some sets have no period"));
  compute_rule_census({.family = RuleFamily::parse("2: V{max<=2,size=1}"),
                       .shape = LatticeShape::cube(2, 4),
                       .output = directory / "rules.h5"});
  EXPECT_EQ(code_of([&] { exported(directory / "rules.h5", ExportFormat::kBFile); }),
            ErrorCode::kUsage);
  EXPECT_EQ(code_of([&] { exported(directory / "rules.h5", ExportFormat::kNpy); }),
            ErrorCode::kUsage);
}

// rule_census_test.cpp compares the facts with values that are found move by move.
TEST(FamilyExport, HasARowForEachRuleAndFindsItByItsVectors) {
  const TemporaryDirectory directory;
  for (const char* text : {"2: sym (1,0)* + V{max<=2,size=2}", "wythoff + sym V{max<=3,size=2}",
                           "3: V{max<=1,size=2}"}) {
    const RuleFamily family = RuleFamily::parse(text);
    const RuleCensusRequest request{.family = family,
                                    .shape = LatticeShape::cube(family.heaps, 6),
                                    .output = directory / "r.h5",
                                    .overwrite = true};
    compute_rule_census(request);
    const auto lines = exported(directory / "r.h5", ExportFormat::kCsv);
    atlas::OpenCensus file(directory / "r.h5");
    const atlas::CensusKind& kind = file.kind();
    const auto search = kind.search();
    const std::vector<LatticePoint> vectors = family.vectors();
    std::vector<std::uint32_t> facts(kind.fact_numbers());
    ASSERT_EQ(lines.size(), kind.sets().sets() + 1);
    for (std::uint64_t row = 0; row < kind.sets().sets(); ++row) {
      const MoveSet set = kind.sets().at(row);
      EXPECT_EQ(kind.set_of(kind.name(set)), set) << kind.name(set);
      search->find(set, facts);
      const RuleFacts found = atlas::facts_of(facts);
      std::string line;
      for (const HeapSize number : set) {
        for (unsigned i = 0; i < family.heaps; ++i) {
          line += std::to_string(vectors[number - 1][i]) + ',';
        }
      }
      for (const std::uint32_t number :
           {found.p_positions, found.max_value, found.first_difference, found.first_p_difference,
            std::uint32_t{found.is_nim_p}, std::uint32_t{found.is_wythoff_p}}) {
        line += std::to_string(number) + ',';
      }
      EXPECT_EQ(lines[row + 1], line + to_hex(found.digest));
    }
  }
}

TEST(FamilyExport, RulesAreNamedByVectorsOfTheFamily) {
  const TemporaryDirectory directory;
  const auto path = directory / "r.h5";
  compute_rule_census({.family = RuleFamily::parse("2: (1,1)* + sym V{max<=3,size=2}"),
                       .shape = LatticeShape::cube(2, 4),
                       .output = path});
  atlas::OpenCensus file(path);
  const atlas::CensusKind& kind = file.kind();
  EXPECT_EQ(kind.set_of("sym(2,1) + sym (3,1)"), kind.set_of("(1,2)+(2,1) + sym (1,3)"));
  for (const char* text : {"sym (1,2)", "(1,2) + sym (1,3)", "sym (1,2) + sym (1,4)",
                           "sym (1,2)* + sym (1,3)", "sym (1,2,3) + sym (1,1,1)", "", "wythoff",
                           "sym (1,2) + sym (1,3) + sym (2,3)", "sym (1,2) + sym (1,3) + pass"}) {
    EXPECT_EQ(code_of([&] { (void)kind.set_of(text); }), ErrorCode::kUsage) << text;
  }
}

// A game of a family is described as by definition: in its own heaps, not in those of the game that
// stands for its class.
TEST(FamilyExport, HasALineForEachGameOfAFamily) {
  const TemporaryDirectory directory;
  const auto path = directory / "t.h5";
  const AtlasReport made = testing_support::atlas(
      {"0.dd", "0.00d", "4.d", "S{max<=4,size<=2}", "hex:0.8", "0.F"}, kEnough, path);
  const auto lines = exported(path, ExportFormat::kCsv);
  EXPECT_EQ(lines.front(),
            "game,class,shift,evidence,compared,status,preperiod,period,saltus,values,maximum,"
            "theorem,literature,reference");
  ASSERT_EQ(lines.size(), made.games + 1);
  atlas::AtlasReader reader(path);
  std::map<std::string, int> seen;
  for (auto line = lines.begin() + 1; line != lines.end(); ++line) {
    const auto fields = csv_fields(*line);
    ASSERT_EQ(fields.size(), 14u) << *line;
    const std::string& code = fields[0];
    const auto values = test::naive_values(code, kEnough + 1);
    const auto place = reader.find(code);
    ASSERT_TRUE(place) << code;
    std::vector<Nimber> stored;
    const AtlasClass c = reader.read(place->number, stored);
    const atlas::FamilyGame game = atlas::game_of_class(c, c.members[place->member], stored);
    EXPECT_EQ(game.code, code);
    EXPECT_EQ(fields[9], std::to_string(game.values.size()));
    EXPECT_EQ(fields[10], std::to_string(std::ranges::max(game.values)));
    for (HeapSize n = 0; n < std::min<HeapSize>(values.size(), game.values.size()); ++n) {
      ASSERT_EQ(game.values[n], values[n]) << code << ' ' << n;
    }
    ++seen[fields[5]];
    if (fields[5] != "certified" || fields[8] != "0") continue;
    const auto [preperiod, period] = recurrence_of(values).value();
    EXPECT_EQ(fields[6], std::to_string(preperiod)) << code;
    EXPECT_EQ(fields[7], std::to_string(period)) << code;
    EXPECT_EQ(game.value(10 * period + preperiod + 1), values[preperiod + 1 + period]);
    EXPECT_EQ(game.value(~HeapSize{0}),
              game.value(preperiod + (~HeapSize{0} - preperiod) % period));
  }
  EXPECT_GT(seen["certified"], 10);
  EXPECT_GT(seen["none"], 0);
  EXPECT_EQ(reader.find("0.777"), std::nullopt);
  EXPECT_EQ(exported(path, ExportFormat::kCsv, {.terms = 7}).size(), 8u);
  EXPECT_EQ(code_of([&] { exported(path, ExportFormat::kBFile); }), ErrorCode::kUsage);
}

// An observed equality is no proof, even if the game of the class has one.
TEST(FamilyExport, AnObservedGameHasNoCertifiedPeriod) {
  const std::vector<Nimber> values{0, 1, 0, 1, 0, 1};
  const AtlasClass c{
      .code = "0.1",
      .standard_form = {},
      .members = {{.code = "0.1", .lead = 1},
                  {.code = "0.01", .lead = 2, .evidence = AtlasEvidence::kObserved, .compared = 3}},
      .engine = {},
      .period = {.status = PeriodStatus::kCertified, .period = 2, .theorem = "some"},
      .stats = {},
      .sparse = {}};
  const atlas::FamilyGame itself = atlas::game_of_class(c, c.members[0], values);
  EXPECT_EQ(itself.value(101), 1u);
  const atlas::FamilyGame other = atlas::game_of_class(c, c.members[1], values);
  EXPECT_EQ(other.values, (std::vector<Nimber>{0, 0, 1, 0, 1}));
  EXPECT_EQ(other.period.status, PeriodStatus::kCandidate);
  EXPECT_EQ(other.period.preperiod, 1u);
  EXPECT_EQ(other.value(4), 1u);
  EXPECT_EQ(code_of([&] { (void)other.value(5); }), ErrorCode::kUsage);
}

}  // namespace
}  // namespace grundy
