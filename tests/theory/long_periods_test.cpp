/// @file
/// The known periods that take long to certify: up to a million values of a dense game.
// SPDX-License-Identifier: MIT
#include <random>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "engines/heap/sparse_testing.hpp"
#include "theory/return_testing.hpp"

namespace grundy {
namespace {

using namespace testing_support;  // NOLINT(google-build-using-namespace)

constexpr HeapSize kLong = 1000000;

void expect_certified(const std::string& code, HeapSize preperiod, HeapSize period) {
  EXPECT_EQ(facts(watched_period(code, 3 * (preperiod + period))), certified(preperiod, period))
      << code;
}

TEST(LongPeriods, EveryGoldenRowBelowAMillionIsCertified) {
  std::size_t rows = 0;
  for (const GoldenPeriod& row : golden_periods()) {
    if (!row.known) continue;
    const HeapSize needed = row.known->preperiod + row.known->period;
    if (needed <= kQuick || needed >= kLong) continue;
    expect_certified(row.code, row.known->preperiod, row.known->period);
    ++rows;
  }
  EXPECT_EQ(rows, 19u);
}

TEST(LongPeriods, SolvedGamesOutsideTheGoldenFile) {
  expect_certified("0.156", 3479, 349);  // Kenyon 1967
  expect_certified("0.127", 46578, 4);   // Gangolli and Plambeck 1989
  expect_certified("4.364", 11687, 62);  // own computation by an independent program
}

TEST(LongPeriods, LastExceptionOfPoint56) {
  // Gangolli and Plambeck 1989. OEIS A071436 gives 326637 as the last exception; the values say
  // 326639.
  const PeriodReport report = watched_period("0.56", 800000);
  EXPECT_EQ(facts(report), certified(326640, 144));
  EXPECT_EQ(report.last_exception(), 326639u);
}

// Gangolli and Plambeck 1989. The window certificate needs 2.4 million values, Guy and Smith 4.5.
TEST(LongPeriods, Point376ByTheWindowCertificate) {
  const PeriodReport report = watched_period("0.376", 5000000);
  EXPECT_EQ(facts(report), certified(2268248, 4));
  ASSERT_TRUE(report.sparse);
  EXPECT_EQ(report.sparse->mask, 0xfe);
  EXPECT_EQ(report.sparse->rare, 509);
  EXPECT_EQ(report.sparse->last_rare, 1140540);
  EXPECT_EQ(report.sparse->count, report.verified_to);
  EXPECT_LT(report.verified_to, 2 * 2268248);
}

// Flammenkamp (OEIS A071509): 221.6 million values, instead of 443 million.
TEST(LongPeriods, Point454FromScratch) {
  const PeriodReport report = watched_period("0.454", 400000000);
  EXPECT_EQ(facts(report), certified(160949019, 60620715));
  ASSERT_TRUE(report.sparse);
  EXPECT_EQ(report.sparse->rare, 16);
  EXPECT_EQ(report.sparse->last_rare, 124);
  EXPECT_LT(report.verified_to, 222000000);
}

// The same periods in constant memory, by the return of a window and by the seals. What is left has
// rare heaps for ever, so that no window proves anything.
TEST(LongPeriods, EveryGoldenRowWithASparseSpaceByReturn) {
  std::size_t rows = 0;
  std::vector<std::string> unproved;
  for (const GoldenPeriod& row : golden_periods()) {
    if (!row.known || row.known->preperiod + row.known->period >= 100 * kLong) continue;
    const HeapRule rule = HeapRule::parse(row.code);
    if (!SparseEngine().refusal(rule).empty() || !SparseEngine().doubt(rule).empty()) continue;
    const auto [preperiod, period] = *row.known;
    const PeriodReport report =
        period_by_return(row.code, 6 * std::max(preperiod, period) + 200'000);
    ++rows;
    if (report.status == PeriodStatus::kNone) {
      unproved.push_back(row.code);
    } else {
      EXPECT_EQ(facts(report), certified(preperiod, period)) << row.code;
    }
  }
  EXPECT_EQ(rows, 393u);
  EXPECT_EQ(unproved,
            (std::vector<std::string>{".15", ".152", ".165", ".351", ".524", ".525", ".527",
                                      ".1651", "4.005", "4.015", "4.205", "4.215"}));
}

// Codes of which nothing is published: what a return proves is what the whole table proves.
TEST(LongPeriods, RandomCodesByReturn) {
  constexpr HeapSize kLimit = 100'000;
  std::mt19937 random(1);
  std::set<std::string> proved;
  for (int i = 0; i < 1000; ++i) {
    const std::string code = random_splitting_code(random);
    if (!SparseEngine().refusal(HeapRule::parse(code)).empty()) continue;
    const PeriodReport report = period_by_return(code, kLimit);
    if (report.status == PeriodStatus::kNone || !proved.insert(code).second) continue;
    EXPECT_EQ(facts(watched_period(code, kLimit)), facts(report)) << code;
  }
  EXPECT_GT(proved.size(), 200u);
}

}  // namespace
}  // namespace grundy
