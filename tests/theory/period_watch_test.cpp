// SPDX-License-Identifier: MIT
#include "theory/period_watch.hpp"

#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "theory/analysis_testing.hpp"

namespace grundy {
namespace {

using namespace testing_support;  // NOLINT(google-build-using-namespace)

/// Shows the first `size` values of a table to a watch, as an engine with a last block of one.
bool show(PeriodWatch& watch, const std::vector<Nimber>& values, HeapSize size) {
  const Values table = std::span(values).first(size);
  return watch.observe({size - 1, table.subspan(size - 1, 1), table});
}

TEST(PeriodWatch, CertifiesKaylesSoonAfterTheLeastNumberOfValues) {
  const auto values = values_of("0.77", 300);
  const HeapRule rule = HeapRule::parse("0.77");
  PeriodWatch watch(rule);
  HeapSize size = 1;
  while (size < values.size() && !show(watch, values, size)) ++size;
  EXPECT_GE(size, 167u);
  EXPECT_LE(size, 167u * 9 / 8);
  EXPECT_EQ(facts(watch.report()), certified(71, 12));
  EXPECT_EQ(watch.report().verified_to, size);
  EXPECT_TRUE(show(watch, values, size + 1)) << "a certificate stays";
  EXPECT_EQ(watch.report().verified_to, size);
}

TEST(PeriodWatch, IgnoresBlocksWithoutATable) {
  const auto values = values_of("0.77", 300);
  const HeapRule rule = HeapRule::parse("0.77");
  PeriodWatch watch(rule);
  EXPECT_FALSE(watch.observe({0, std::span(values), {}}));
  EXPECT_EQ(watch.report().status, PeriodStatus::kNone);
}

TEST(PeriodWatch, CertifiesGamesWithConstraintsByTheWindowCertificateAlone) {
  // The default bound of `grundy period`. No theorem covers unequal splits.
  const PeriodReport report = watched_period("4!.46", (1 << 17) + 1);
  EXPECT_EQ(facts(report), certified(3257, 442));
  ASSERT_TRUE(report.sparse);
  EXPECT_EQ(report.sparse->mask, 0x7e);
  EXPECT_LT(report.verified_to, 10000u);
  EXPECT_EQ(report.theorem.find("sparse space with mask 0x7e"), 0u);
  EXPECT_EQ(facts(watched_period("4!.46", (1 << 17) + 1, 4096)), certified(3257, 442));
}

TEST(PeriodWatch, ReportsNoCandidates) {
  for (const char* code : {"0.6", "4!.0", "0.77!", "S{squares}"}) {
    EXPECT_EQ(watched_period(code, 500).status, PeriodStatus::kNone) << code;
  }
}

}  // namespace
}  // namespace grundy
