/// @file
/// Attempts to refute the certificates: whatever find_period() certifies for a prefix must hold in
/// a table several times as long.
// SPDX-License-Identifier: MIT
#include "theory/period_theorem.hpp"

#include <set>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "theory/analysis_testing.hpp"

namespace grundy {
namespace {

using namespace testing_support;  // NOLINT(google-build-using-namespace)

/// Certifies every prefix up to a quarter of the table and compares with the whole of it.
void expect_no_contradiction(const std::string& notation, HeapSize count,
                             const char* engine = "reference") {
  const HeapRule rule = HeapRule::parse(notation);
  const auto values = values_by(select_heap_engine(engine, rule, count), rule, count);
  for (std::size_t size = 2; size <= count / 4; size += 1 + size / 64) {
    const PeriodReport report = find_period(rule, std::span<const Nimber>(values.data(), size));
    if (report.status != PeriodStatus::kCertified) continue;
    // RC_ASSERT makes strings of what it is given, so it stands outside of the loop.
    HeapSize held = report.preperiod + report.period;
    while (held < count && values[held] == values[held - report.period] + report.saltus) ++held;
    RC_ASSERT(held >= count);
    const HeapSize e = report.preperiod;
    // RC_ASSERT takes its expression apart: an || in it would look at values[e - 1] in any case.
    if (e != 0) RC_ASSERT(values[e - 1 + report.period] != values[e - 1] + report.saltus);
    for (HeapSize p = 1; p < report.period; ++p) {  // nothing shorter repeats
      bool repeats = true;
      for (HeapSize n = e; repeats && n + p < count; ++n) {
        repeats = values[n + p] - values[n] == values[e + p] - values[e];
      }
      RC_ASSERT(!repeats);
    }
  }
}

std::string random_code(const char* prefix, char base, std::size_t most_digits) {
  constexpr const char* kDigits = "0123456789ABCDEF";
  std::string code = prefix;
  code += *rc::gen::element(std::string("0."), std::string("4."));
  const auto length = *rc::gen::inRange<std::size_t>(1, most_digits + 1);
  for (std::size_t i = 0; i < length; ++i) code += kDigits[*rc::gen::inRange<int>(0, base)];
  return code;
}

std::string random_set(const char* name, HeapSize most, std::size_t largest_size) {
  const auto size = *rc::gen::inRange<std::size_t>(1, largest_size + 1);
  std::set<HeapSize> set;
  for (std::size_t i = 0; i < size; ++i) set.insert(*rc::gen::inRange<HeapSize>(1, most + 1));
  return fmt::format("{}{{{}}}", name, fmt::join(set, ","));
}

RC_GTEST_PROP(PeriodTheorem, TakeOnlyCodesKeepTheirPromise, ()) {
  expect_no_contradiction(random_code("", 4, 6), 800);
}
RC_GTEST_PROP(PeriodTheorem, OctalCodesKeepTheirPromise, ()) {
  expect_no_contradiction(random_code("", 8, 3), 1200);
}
RC_GTEST_PROP(PeriodTheorem, HexadecimalCodesKeepTheirPromise, ()) {
  expect_no_contradiction(random_code("hex:", 16, 2), 200);
}
RC_GTEST_PROP(PeriodTheorem, LongerHexadecimalCodesKeepTheirPromise, ()) {
  expect_no_contradiction(random_code("hex:", 16, 4), 1200, "dense");
}
RC_GTEST_PROP(PeriodTheorem, SubtractionSetsKeepTheirPromise, ()) {
  expect_no_contradiction(random_set("S", 14, 5), 1600);
}
RC_GTEST_PROP(PeriodTheorem, AllButSetsKeepTheirPromise, ()) {
  expect_no_contradiction(random_set("AllBut", 9, 5), 1000);
}

TEST(PeriodTheorem, TheBoundForSplitsIsSharp) {
  // Seven values of Officers show period 3 from heap 1 on. With e = 1, p = 3, t = 1 a proof needs
  // 2e + 2p + t - 1 = 8 values, and the eighth is different. A theorem with one equality less would
  // have certified the period.
  const auto officers = values_of("0.6", 8);
  for (HeapSize n = 1; n < 4; ++n) EXPECT_EQ(officers[n + 3], officers[n]);
  EXPECT_NE(officers[7], officers[4]);
  const PeriodTheorem theorem(HeapRule::parse("0.6"));
  EXPECT_FALSE(theorem.enough({7, 1, 3, 0}));
  EXPECT_TRUE(theorem.enough({8, 1, 3, 0}));
}

TEST(PeriodTheorem, EveryKindOfRuleHasItsTheorem) {
  using Kind = PeriodTheorem::Kind;
  const auto kind = [](const char* notation) {
    return PeriodTheorem(HeapRule::parse(notation)).kind();
  };
  for (const char* rule : {"S{1,2,5}", "0.333", "0.123", "0.2"})
    EXPECT_EQ(kind(rule), Kind::kWindow);
  for (const char* rule : {"0.77", "4.0", "0.3F"}) EXPECT_EQ(kind(rule), Kind::kSplit);
  for (const char* rule : {"AllBut{2}", "0.[3]"}) EXPECT_EQ(kind(rule), Kind::kAllBut);
  for (const char* rule : {"4!.0", "S{squares}", "0.7!", "0.[7]", "0.*"}) {
    EXPECT_EQ(kind(rule), Kind::kNone) << rule;
  }
}

TEST(PeriodTheorem, GuyAndSmithAreNamedForTwoHeapsOnly) {
  const auto statement = [](const char* notation) {
    return PeriodTheorem(HeapRule::parse(notation)).statement({400, 71, 12, 0});
  };
  EXPECT_EQ(statement("0.77").find("Guy and Smith 1956, for at most 2 heaps left"), 0u);
  EXPECT_EQ(statement("0.3F").find("after Guy and Smith 1956, for at most 3 heaps left"), 0u);
}

TEST(PeriodTheorem, HugeSubtractionsDoNotOverflow) {
  const PeriodTheorem theorem(HeapRule::parse("S{1,18446744073709551615}"));
  EXPECT_FALSE(theorem.enough({100, 0, 2, 0}));
  EXPECT_EQ(period_of("S{1,18446744073709551615}", 100).status, PeriodStatus::kCandidate);
}

}  // namespace
}  // namespace grundy
