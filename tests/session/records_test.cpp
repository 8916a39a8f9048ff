/// @file
/// The records of long runs in tests/golden/records: their claims about the first heaps are
/// computed again, and their parts agree.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <ranges>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <grundy/compute.hpp>
#include <grundy/games.hpp>
#include <grundy/layout.hpp>
#include <grundy/statistics.hpp>

#include "core/digest.hpp"
#include "support/csv.hpp"
#include "support/files.hpp"
#include "theory/stats_collector.hpp"

namespace grundy::testing {
namespace {

using testing_support::TemporaryDirectory;

const std::filesystem::path kRecords = std::filesystem::path(GRUNDY_GOLDEN_DIR) / "records";

// All three numbers are those that A. Flammenkamp published.
TEST(Records, PeriodOf106) {
  const StatisticsFile record = read_statistics(kRecords / "octal-106" / "0.106.h5");
  EXPECT_EQ(record.info.canonical, "0.106");
  const PeriodReport& period = record.info.period;
  EXPECT_EQ(period.status, PeriodStatus::kCertified);
  EXPECT_EQ(period.preperiod, 465'384'263'797U);
  EXPECT_EQ(period.period, 328'226'140'474U);
  EXPECT_GE(record.info.computed, period.preperiod + period.period);
  EXPECT_EQ(record.statistics.rare_heaps.back(), 1103U);
  ASSERT_TRUE(record.statistics.last_exception);
  EXPECT_EQ(record.statistics.last_exception->heap, 465'384'263'796U);
  EXPECT_EQ(record.statistics.last_exception->value, 25U);
}

/// Compares what a record says of the first 2^octaves heaps with what a run of today finds.
void expect_first_heaps(const std::filesystem::path& file, std::size_t octaves) {
  const StatisticsFile record = read_statistics(kRecords / file);
  const HeapSize count = HeapSize{1} << octaves;
  HeapGame game{
      .rule = HeapRule::parse(record.info.canonical), .last = count - 1, .stats_only = true};
  game.at_period = AtPeriod::kCompute;
  const Report report = compute({.game = game});
  ASSERT_TRUE(report.complete);
  const auto& milestones = record.statistics.milestones;
  const auto& again = report.statistics.milestones;
  ASSERT_GT(milestones.size(), octaves);
  ASSERT_EQ(again.size(), octaves + 1);
  for (std::size_t k = 0; k <= octaves; ++k) EXPECT_EQ(milestones[k], again[k]) << "2^" << k;
  // Later heaps may be rare, and another mask may be at work when few values are known.
  if (record.statistics.rare_heaps.back() < count) {
    EXPECT_EQ(record.statistics.rare_heaps, report.statistics.rare_heaps);
  }
}

TEST(Records, TheFirstHeapsAreComputedAgain) {
  expect_first_heaps("octal-106/0.106.h5", 27);
  expect_first_heaps("octal-167/0.167.h5", 26);
  expect_first_heaps("grundy/grundy.h5", 22);
}

// A. Flammenkamp knows as many rare heaps to 2^35, heap 0 among them, and others as many zeros.
TEST(Records, GrundysGame) {
  const StatisticsFile record = read_statistics(kRecords / "grundy" / "grundy.h5");
  EXPECT_EQ(record.info.canonical, "4!.0");
  EXPECT_EQ(record.info.computed, (HeapSize{1} << 37) + 1);
  EXPECT_EQ(record.statistics.rare_heaps.size() + 1, 1287U);
  EXPECT_EQ(record.statistics.rare_heaps.back(), 48'399'022U);
  EXPECT_EQ(record.statistics.zeros.size(), 42U);
  EXPECT_EQ(record.statistics.zeros.back(), 1222U);
  EXPECT_EQ(record.info.stats.max_value, 297U);
}

/// The whole numbers of a record, row by row, without its head.
std::vector<std::vector<std::uint64_t>> rows_of(const std::string& name, std::size_t columns) {
  std::ifstream file(kRecords / name);
  std::string line;
  EXPECT_TRUE(std::getline(file, line)) << name;
  std::vector<std::vector<std::uint64_t>> rows;
  while (std::getline(file, line)) {
    const auto fields = testing_support::csv_fields(line);
    rows.emplace_back();
    for (std::size_t i = 0; i < columns; ++i) rows.back().push_back(std::stoull(fields.at(i)));
  }
  return rows;
}

// M. Rogalski's program counted the same values, but for heap 0.
TEST(Records, Octal167) {
  const StatisticsFile record = read_statistics(kRecords / "octal-167" / "0.167.h5");
  EXPECT_EQ(record.info.canonical, "0.167");
  EXPECT_EQ(record.info.computed, (HeapSize{1} << 37) + 1);
  EXPECT_EQ(record.info.period.status, PeriodStatus::kNone);
  EXPECT_EQ(record.statistics.rare_heaps.size(), 59U);
  EXPECT_EQ(record.statistics.rare_heaps.back(), 1303U);
  std::vector<std::uint64_t> histogram = record.info.stats.histogram;
  --histogram.front();
  std::vector<std::uint64_t> published;
  for (const auto& row : rows_of("octal-167/published.csv", 2)) published.push_back(row[1]);
  EXPECT_EQ(histogram, published);
}

// The values behind the end of the record are computed from the state in its file.
TEST(Records, Octal167GoesOnFromItsEnd) {
  const std::filesystem::path file = kRecords / "octal-167" / "0.167.h5";
  const StatisticsFile record = read_statistics(file);
  const HeapSize end = record.info.stats.count;
  const TemporaryDirectory directory;
  Request request{.game = HeapGame{
                      .rule = HeapRule::parse("0.167"), .last = end + 999'999, .stats_only = true}};
  request.output.path = directory / "further.h5";
  request.output.base = file;
  const Report report = compute(request);
  EXPECT_TRUE(report.complete);
  EXPECT_EQ(report.info.stats.count, end + 1'000'000);
  EXPECT_GT(report.engines.front().from, end - 8192);
  EXPECT_EQ(report.statistics.milestones, record.statistics.milestones);
  EXPECT_EQ(report.statistics.rare_heaps, record.statistics.rare_heaps);
}

// Boards of at most eight rows and twelve columns, as sorted positions of eight heaps by an engine
// of its own.
TEST(Records, ChompBoardsOfEightRows) {
  constexpr unsigned kRows = 8;
  constexpr std::uint32_t kColumns = 12;
  const AnyGame game = resolve_game("chomp(8)", GameKind::kLattice);
  const LatticeShape shape = LatticeShape::cube(kRows, kColumns + 1, true);
  std::vector<Nimber> values;
  const Report report = compute(
      {.game = LatticeGame{game.lattice(), shape}}, {.values = [&values](const Stretch& stretch) {
        stretch.values.visit(
            [&](auto run) { values.insert(values.end(), run.begin(), run.end()); });
        return Flow::kContinue;
      }});
  ASSERT_TRUE(report.complete);
  const Layout layout = Layout::of(shape, 1);
  std::ifstream file(kRecords / "chomp-rectangles-16" / "values.csv");
  std::size_t rows = 0, checked = 0;
  for (std::string line; std::getline(file, line);) {
    unsigned height = 0, width = 0, value = 0;
    if (std::sscanf(line.c_str(), "%u,%u,%u,", &height, &width, &value) != 3) continue;
    ++rows;
    if (height > kRows || width > kColumns) continue;
    LatticePoint p{};
    std::fill_n(p.begin() + (kRows - height), height, width);
    EXPECT_EQ(values[layout.entry_of(p)], value) << line;
    ++checked;
  }
  EXPECT_EQ(rows, 136U);
  EXPECT_EQ(checked, 68U);
}

// The digests that the README names: XXH3-128 of all numbers as 32-bit integers.
TEST(Records, TheReadmeHasTheDigestsOfTheNumbers) {
  const std::string readme = testing_support::bytes_of(kRecords / "README.md");
  for (const auto& [name, columns] : {std::pair{"wythoff-rows-511/periods.csv", 4u},
                                      std::pair{"chomp-rectangles-16/values.csv", 4u},
                                      std::pair{"chomp-4-2000/counts.csv", 3u}}) {
    SequentialDigest digest;
    for (const auto& row : rows_of(name, columns)) {
      const std::vector<Nimber> words(row.begin(), row.end());
      digest.update(std::span<const Nimber>(words));
    }
    EXPECT_NE(readme.find(to_hex(digest.value())), std::string::npos)
        << name << ' ' << to_hex(digest.value());
  }
}

// The state recurs after a multiple of every period, and no earlier than the last preperiod.
TEST(Records, TheCertificateOfWythoffsRowsAgreesWithThem) {
  const auto proof = nlohmann::json::parse(
      testing_support::bytes_of(kRecords / "wythoff-rows-511" / "certificate.json"));
  const auto rows = rows_of("wythoff-rows-511/periods.csv", 4);
  ASSERT_EQ(proof["rows"].size(), rows.size());
  const auto& state = proof["state"];
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& row = rows[i];
    EXPECT_EQ(proof["rows"][i],
              (nlohmann::json{
                  {"row", row[0]}, {"period", row[1]}, {"preperiod", row[2]}, {"saltus", row[3]}}));
    EXPECT_EQ(state["period"].get<std::uint64_t>() % row[1], 0U) << row[0];
    EXPECT_GE(state["column"].get<std::uint64_t>(), row[2]) << row[0];
  }
}

// A. Garg, arXiv:2604.25952v2: the P-positions of four-row Chomp fall into two families by the
// length of the longest row. 56.1 % of all lengths are of the family HIGH, to which more of them
// belong.
TEST(Records, FourRowChompHasTwoFamilies) {
  const auto rows = rows_of("chomp-4-2000/counts.csv", 3);
  std::uint64_t sum = 0, high = 0, lengths = 0;
  double least_high = 1, most_low = 0;
  for (const auto& row : rows) {
    const double length = static_cast<double>(row[0]);
    EXPECT_EQ(row[2], sum += row[1]) << row[0];
    if (row[0] <= 500) continue;
    const double share = static_cast<double>(row[1]) / (length * length);
    const bool is_high = share > 0.1;
    (is_high ? least_high : most_low) =
        is_high ? std::min(least_high, share) : std::max(most_low, share);
    high += is_high ? 1 : 0;
    ++lengths;
  }
  EXPECT_EQ(sum, 283'521'146U);
  EXPECT_EQ(rows[499][2], 4'316'097U);
  EXPECT_GT(least_high, 0.114);
  EXPECT_LT(most_low, 0.092);
  EXPECT_NEAR(static_cast<double>(high) / static_cast<double>(lengths), 0.561, 0.001);
}

}  // namespace
}  // namespace grundy::testing
