/// @file
/// The records of families of games: the long periods that they list are proved again.
// SPDX-License-Identifier: MIT
#include <fstream>
#include <map>

#include <grundy/compute.hpp>

#include "atlas/atlas_testing.hpp"
#include "core/digest.hpp"
#include "support/csv.hpp"

namespace grundy {
namespace {

using testing_support::atlas;
using testing_support::class_of;

using Row = std::map<std::string, std::string>;

/// The rows of a file of a record, by the names of their columns.
std::vector<Row> rows_of(const std::string& record, const std::string& file) {
  std::ifstream in(std::filesystem::path(GRUNDY_GOLDEN_DIR) / "records" / record / file);
  std::string line;
  EXPECT_TRUE(std::getline(in, line)) << record;
  const std::vector<std::string> names = testing_support::csv_fields(line);
  std::vector<Row> rows;
  while (std::getline(in, line)) {
    const std::vector<std::string> fields = testing_support::csv_fields(line);
    for (std::size_t i = rows.emplace_back().size(); i < names.size(); ++i) {
      rows.back()[names[i]] = fields.at(i);
    }
  }
  return rows;
}

/// Computes the games of some rows to the heap that the record was made to, and compares.
void expect_rows(const std::vector<Row>& rows, HeapSize last) {
  std::vector<std::string> codes;
  for (const Row& row : rows) codes.push_back(row.at("game"));
  const AtlasReport report = atlas(codes, last);
  for (const Row& row : rows) {
    const std::string& code = row.at("game");
    const AtlasClass* const c = class_of(report, code);
    ASSERT_NE(c, nullptr) << code;
    EXPECT_EQ(c->period.status, PeriodStatus::kCertified) << code;
    EXPECT_EQ(std::to_string(c->period.preperiod), row.at("preperiod")) << code;
    EXPECT_EQ(std::to_string(c->period.period), row.at("period")) << code;
    EXPECT_EQ(std::to_string(c->period.saltus), row.at("saltus")) << code;
    EXPECT_EQ(std::to_string(c->stats.max_value), row.at("maximum")) << code;
    // How many values the proof takes depends on the engine that `auto` chooses.
    const HeapSize values = std::stoull(row.at("values"));
    const Report first =
        compute({.game = HeapGame{.rule = HeapRule::parse(code), .last = values - 1}});
    EXPECT_EQ(to_hex(first.info.stats.digest), row.at("xxh3_128")) << code;
  }
}

TEST(OctalRecord, LongPeriodsAreProvedAgain) {
  const std::vector<Row> rows = rows_of("octal-5", "periods.csv");
  EXPECT_EQ(rows.size(), 191u);
  expect_rows(rows, 20000);
}

TEST(OctalRecord, LongPeriodsOfFourDigitsAreProvedAgain) {
  const std::vector<Row> rows = rows_of("octal-4", "periods.csv");
  EXPECT_EQ(rows.size(), 51u);
  expect_rows(rows, 131072);
}

TEST(OctalRecord, CandidatesAreProvedWithMoreValues) {
  const std::vector<Row> rows = rows_of("octal-5", "candidates.csv");
  EXPECT_EQ(rows.size(), 2u);
  expect_rows(rows, 65536);
}

// Every code is counted once but 0.00000, which has no moves.
TEST(FamilyRecords, CountAllCodes) {
  const auto games = [](const std::string& record) {
    std::size_t sum = 0;
    for (const Row& row : rows_of(record, "counts.csv")) sum += std::stoul(row.at("games"));
    return sum;
  };
  EXPECT_EQ(games("octal-5"), 2 * 32768u - 1);
  EXPECT_EQ(games("octal-4"), 2 * 4096u / 8 * 7) << "of eight last digits the 0 is left out";
}

}  // namespace
}  // namespace grundy
