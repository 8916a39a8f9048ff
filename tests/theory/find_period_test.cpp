// SPDX-License-Identifier: MIT
#include <cstdint>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <grundy/error.hpp>
#include <grundy/period.hpp>

#include "theory/analysis_testing.hpp"

namespace grundy {
namespace {

using namespace testing_support;  // NOLINT(google-build-using-namespace)

TEST(FindPeriod, TablesTooShortForAnythingHaveNone) {
  for (const HeapSize count : {0, 1}) {
    const PeriodReport report = period_of("0.77", count);
    EXPECT_EQ(report.status, PeriodStatus::kNone);
    EXPECT_EQ(report.verified_to, count);
  }
}

TEST(FindPeriod, KaylesNeedsExactlyTheValuesOfTheTheorem) {
  // 2e + 2p + t - 1 with e = 71, p = 12, t = 2.
  const PeriodReport proved = period_of("0.77", 167);
  EXPECT_EQ(facts(proved), certified(71, 12));
  EXPECT_EQ(proved.verified_to, 167u);
  EXPECT_EQ(proved.last_exception(), 70u);
  EXPECT_THAT(proved.theorem, testing::HasSubstr("G(n+12) = G(n) was checked for 71 <= n < 155"));
  const PeriodReport seen = period_of("0.77", 166);
  EXPECT_EQ(facts(seen), candidate(71, 12));
  EXPECT_TRUE(seen.theorem.empty());
}

TEST(FindPeriod, SubtractionSetsNeedOneWindow) {
  // e + p + max(S), for the family of Althoefer and Bultmann (1995) with s = 2.
  EXPECT_EQ(facts(period_of("S{2,8,25,33}", 53 + 675 + 33)), certified(53, 675));
  EXPECT_NE(period_of("S{2,8,25,33}", 53 + 675 + 32).status, PeriodStatus::kCertified);
}

TEST(FindPeriod, TakeOnlyCodesAreProvedFromHeapOneOn) {
  EXPECT_EQ(facts(period_of("0.1", 20)), certified(2, 1));  // a heap of 1 can only vanish
  EXPECT_EQ(facts(period_of("0.2", 20)), certified(1, 2));
  EXPECT_EQ(facts(period_of("0.33", 20)), certified(0, 3));
}

TEST(FindPeriod, ConstrainedSplitsAreNeverCertified) {
  // Only the copy of Kayles without a constraint has the proof, although all values agree.
  const auto kayles = values_of("0.77", 400);
  EXPECT_EQ(facts(period_of("0.77", kayles)), certified(71, 12));
  for (const char* code : {"0.77!", "0.77?", "0.77="}) {
    EXPECT_EQ(facts(period_of(code, kayles)), candidate(71, 12)) << code;
  }
}

TEST(FindPeriod, AllButSetsAreCertifiedWithTheirSaltus) {
  EXPECT_EQ(facts(period_of("AllBut{}", 50)), certified(0, 1, 1));  // Nim
  EXPECT_EQ(facts(period_of("0.[3]", 50)), certified(0, 1, 1));     // Nim as a code
  EXPECT_EQ(facts(period_of("AllBut{1,2,3}", 100)), certified(0, 4, 1));
  EXPECT_EQ(facts(period_of("AllBut{2,4}", 100)), certified(0, 6, 2));
}

TEST(FindPeriod, BoundedHexadecimalGamesAreCertified) {
  EXPECT_EQ(facts(period_of("0.A", 40)), certified(1, 2));
  for (const char* code : {"0.B", "0.D", "0.F"}) {
    EXPECT_EQ(facts(period_of(code, 40)), certified(0, 2)) << code;
  }
  for (const char* code : {"0.E", "hex:0.9", "0.1F", "0.2F", "0.7F"}) {
    EXPECT_EQ(period_of(code, 400).status, PeriodStatus::kNone) << code;
  }
}

TEST(FindPeriod, WidthDoesNotMatter) {
  const auto wide = values_of("0.07", 400);
  const std::vector<std::uint8_t> bytes(wide.begin(), wide.end());
  const std::vector<std::uint16_t> halves(wide.begin(), wide.end());
  const HeapRule rule = HeapRule::parse("0.07");
  const PeriodReport expected = find_period(rule, std::span(wide));
  EXPECT_EQ(facts(expected), certified(53, 34));
  EXPECT_EQ(find_period(rule, std::span(bytes)), expected);
  EXPECT_EQ(find_period(rule, std::span(halves)), expected);
}

TEST(PeriodicValue, ReachesTheLargestHeap) {
  const auto kayles = values_of("0.77", 83);
  const PeriodReport report{PeriodStatus::kCertified, 71, 12, 0, 167, {}};
  const auto at = [&](HeapSize n) { return periodic_value(report, std::span(kayles), n); };
  for (HeapSize n = 0; n < kayles.size(); ++n) EXPECT_EQ(at(n), kayles[n]);
  EXPECT_EQ(at(83), kayles[71]);
  constexpr HeapSize kLast = std::numeric_limits<HeapSize>::max();
  EXPECT_EQ(at(kLast), kayles[71 + (kLast - 71) % 12]);
}

TEST(PeriodicValue, Has64BitsAndNoMore) {
  const std::vector<std::uint8_t> nim = {0};
  const PeriodReport report{PeriodStatus::kCertified, 0, 1, 1, 50, {}};
  for (const HeapSize n : {HeapSize{4294967294}, HeapSize{4294967295}, ~HeapSize{0}}) {
    EXPECT_EQ(periodic_value(report, std::span(nim), n), n);
  }
  const PeriodReport twice{PeriodStatus::kCertified, 0, 1, 2, 50, {}};
  EXPECT_EQ(periodic_value(twice, std::span(nim), ~HeapSize{0} / 2), ~std::uint64_t{1});
  EXPECT_THROW(periodic_value(twice, std::span(nim), ~HeapSize{0} / 2 + 1), Error);
}

}  // namespace
}  // namespace grundy
