/// @file
/// The proof of a saltus for codes that leave three heaps: it accepts and refuses the right
/// patterns, and longer tables never contradict it.
// SPDX-License-Identifier: MIT
#include "theory/saltus_theorem.hpp"

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "theory/analysis_testing.hpp"
#include "theory/saltus_exclusion.hpp"
#include "theory/saltus_gaps.hpp"

namespace grundy {
namespace {

using namespace testing_support;  // NOLINT(google-build-using-namespace)
using Answer = MajoritySearch::Answer;

std::vector<Nimber> dense_values(const std::string& notation, HeapSize count) {
  const HeapRule rule = HeapRule::parse(notation);
  return values_by(select_heap_engine("dense", rule, count), rule, count);
}

std::optional<SaltusProof> proof_of(const std::string& notation, const std::vector<Nimber>& values,
                                    const PeriodReport& pattern) {
  return prove_saltus(HeapRule::parse(notation), values,
                      {values.size(), pattern.preperiod, pattern.period, pattern.saltus});
}

RC_GTEST_PROP(MajoritySearch, AgreesWithAllSmallMultiples, ()) {
  const auto saltus = *rc::gen::inRange<Nimber>(1, 8);
  ThreeValues question;
  for (auto& term : question.terms) {
    term = {*rc::gen::inRange<std::uint64_t>(0, 12), *rc::gen::arbitrary<bool>()};
  }
  question.majority = *rc::gen::inRange<std::uint64_t>(0, 8);
  const auto multiples = [&](const ThreeValues::Term& term) {
    std::vector<std::uint64_t> values;
    for (std::uint64_t q = 0; q < (term.grows ? 96u : 1u); ++q) {
      values.push_back(term.value + q * saltus);
    }
    return values;
  };
  bool met = false;
  for (const std::uint64_t x : multiples(question.terms[0])) {
    for (const std::uint64_t y : multiples(question.terms[1])) {
      for (const std::uint64_t z : multiples(question.terms[2])) {
        met = met || ((x & y) | (x & z) | (y & z)) == question.majority;
      }
    }
  }
  RC_ASSERT(MajoritySearch(saltus).ask(question) ==
            (met ? Answer::kSolvable : Answer::kUnsolvable));
}

TEST(MajoritySearch, RemembersOnlyWhatHasNoSolution) {
  MajoritySearch search(2);
  // Odd numbers all meet in the lowest bit.
  const ThreeValues odd{{{{1, true}, {1, true}, {3, true}}}, 0};
  EXPECT_EQ(search.ask(odd), Answer::kUnsolvable);
  EXPECT_EQ(search.ask(odd), Answer::kUnsolvable);
  EXPECT_EQ(search.ask({odd.terms, 1}), Answer::kSolvable);
}

TEST(MajoritySearch, GivesUpWhenThereIsTooMuch) {
  const ThreeValues question{{{{1, true}, {2, true}, {4, true}}}, 5};
  EXPECT_EQ(MajoritySearch(7, 1).ask(question), Answer::kTooLarge);
  EXPECT_NE(MajoritySearch(7).ask(question), Answer::kTooLarge);
}

/// A pattern with random first values, which are no game's, and the values of 120 heaps by it.
struct RandomPattern {
  PeriodPattern pattern{120, 0, 1, 1};
  std::vector<Nimber> values;

  RandomPattern() {
    pattern.preperiod = *rc::gen::inRange<HeapSize>(0, 4);
    pattern.period = *rc::gen::inRange<HeapSize>(1, 5);
    pattern.saltus = *rc::gen::inRange<Nimber>(1, 5);
    for (HeapSize n = 0; n < pattern.size; ++n) {
      values.push_back(n == 0 ? 0
                       : n < first() + pattern.period
                           ? *rc::gen::inRange<Nimber>(0, 6)
                           : values[n - pattern.period] + pattern.saltus);
    }
  }
  [[nodiscard]] HeapSize first() const { return std::max<HeapSize>(pattern.preperiod, 1); }
};

HeapRule random_rule() {
  std::string code = "hex:0.";
  for (int i = 0; i < 2; ++i) code += "048C2AEF"[*rc::gen::inRange<std::size_t>(0, 8)];
  return HeapRule::parse(code + *rc::gen::element(std::string("8"), std::string("C")));
}

/// The values of the options of heap n, by the definition of a code.
std::set<Nimber> option_values(const TakeBreakRule& rule, const std::vector<Nimber>& values,
                               HeapSize n) {
  std::set<Nimber> options;
  for (HeapSize removed = 1; removed < rule.digits.size() && removed < n; ++removed) {
    const Digit& digit = rule.digits[removed];
    const HeapSize left = n - removed;
    if (digit.constraint(1)) options.insert(values[left]);
    for (HeapSize a = 1; a < left; ++a) {
      if (digit.constraint(2)) options.insert(values[a] ^ values[left - a]);
      for (HeapSize b = a; digit.constraint(3) && a + b < left; ++b) {
        options.insert(values[a] ^ values[b] ^ values[left - a - b]);
      }
    }
  }
  return options;
}

RC_GTEST_PROP(SaltusExclusion, NoOptionHasAValueThatIsAvoided, ()) {
  const RandomPattern random;
  const HeapRule rule = random_rule();
  const TakeBreakRule& code = *rule.take_break();
  if (!options_avoid_pattern(code, random.values, random.pattern)) return;
  for (HeapSize n = 3 * random.first() + code.digits.size(); n < random.values.size(); ++n) {
    RC_ASSERT(!option_values(code, random.values, n).contains(random.values[n]));
  }
}

RC_GTEST_PROP(SaltusExclusion, WhatManyHeapsMeetIsNotAvoided, ()) {
  const RandomPattern random;
  const HeapRule rule = random_rule();
  const TakeBreakRule& code = *rule.take_break();
  for (HeapSize n = 3 * random.first() + code.digits.size(); n < 60; ++n) {
    if (!option_values(code, random.values, n).contains(random.values[n])) continue;
    RC_ASSERT(!options_avoid_pattern(code, random.values, random.pattern));
    return;
  }
}

RC_GTEST_PROP(SaltusGaps, AClosedGapIsReachedAtEveryHeap, ()) {
  const RandomPattern random;
  const HeapRule rule = random_rule();
  const TakeBreakRule& code = *rule.take_break();
  const auto heap = *rc::gen::inRange<HeapSize>(random.first(), 30);
  const auto gap = *rc::gen::inRange<Nimber>(0, std::min<Nimber>(random.values[heap], 5) + 1);
  if (!gap_closes(code, random.values, random.pattern, heap, gap)) return;
  for (HeapSize n = heap; n < random.values.size(); n += random.pattern.period) {
    RC_ASSERT(option_values(code, random.values, n).contains(random.values[n] - gap));
  }
}

TEST(SaltusExclusion, SplitsThatTakeNothingMeetTheirHeap) {
  // With G(n) = n an option {a, b, c}, a + b + c = n, has the value n if no two heaps share a bit.
  const std::vector<Nimber> nim = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  const PeriodPattern pattern{nim.size(), 0, 1, 1};
  const auto avoids = [&](const char* notation) {
    return options_avoid_pattern(*HeapRule::parse(notation).take_break(), nim, pattern);
  };
  EXPECT_FALSE(avoids("hex:8.3"));
  EXPECT_FALSE(avoids("4.C"));
  EXPECT_TRUE(avoids("0.C"));
  EXPECT_TRUE(avoids("0.3F"));
}

TEST(SaltusTheorem, EveryGoldenRowIsCertified) {
  std::ifstream file(GRUNDY_GOLDEN_DIR "/hexadecimal_saltus.csv");
  std::size_t rows = 0;
  std::string line;
  for (std::getline(file, line); std::getline(file, line); ++rows) {
    std::istringstream fields(line);
    std::string code, preperiod, period, saltus;
    for (std::string* field : {&code, &preperiod, &period, &saltus}) {
      std::getline(fields, *field, ',');
    }
    EXPECT_EQ(facts(watched_period(code, kQuick)),
              certified(std::stoull(preperiod), std::stoull(period),
                        static_cast<Nimber>(std::stoul(saltus))))
        << code;
  }
  EXPECT_EQ(rows, 78u);
}

TEST(SaltusTheorem, SaysWhatWasChecked) {
  const PeriodReport report = period_of("0.3F", 300);
  EXPECT_EQ(facts(report), certified(0, 6, 3));
  EXPECT_THAT(report.theorem, testing::HasSubstr("at heaps 288 to 299 each smaller number has a "
                                                 "witness that moves by 12 heaps"));
}

TEST(SaltusTheorem, FewValuesProveNothingAndMoreNeverLess) {
  for (const char* const code : {"0.3F", "0.0B", "0.3DA"}) {
    const auto values = dense_values(code, 800);
    const PeriodReport pattern = period_of(code, values);
    ASSERT_EQ(pattern.status, PeriodStatus::kCertified) << code;
    bool proved = false;
    for (HeapSize size = pattern.preperiod + pattern.period; size <= values.size(); ++size) {
      const bool now = proof_of(code, {values.begin(), values.begin() + size}, pattern).has_value();
      EXPECT_TRUE(now || !proved) << code << ", " << size << " values";
      EXPECT_FALSE(now && size < pattern.preperiod + 3 * pattern.period) << code;
      proved = now;
    }
    EXPECT_TRUE(proved);
  }
}

/// The mex of the options of the heap behind `values`, whatever game these are the values of.
Nimber next_value(const TakeBreakRule& rule, const std::vector<Nimber>& values) {
  const std::set<Nimber> options = option_values(rule, values, values.size());
  Nimber mex = 0;
  while (options.contains(mex)) ++mex;
  return mex;
}

TEST(SaltusTheorem, ValuesOfOtherGamesAreRefusedUnlessTheyGoOn) {
  // From a window on the values do not depend on how the game began. So values of one game may
  // prove what another one would go on with; they must not prove anything else.
  const char* const codes[] = {"hex:0.8", "0.C", "0.07F", "0.3F", "hex:0.08", "0.0A", "0.0C"};
  std::size_t refused = 0;
  for (const char* const code : codes) {
    const auto values = dense_values(code, 120);
    const PeriodReport pattern = period_of(code, values);
    for (const char* const other : codes) {
      if (!proof_of(other, values, pattern)) {
        EXPECT_STRNE(code, other);
        ++refused;
        continue;
      }
      const HeapRule rule = HeapRule::parse(other);
      std::vector<Nimber> longer = values;
      while (longer.size() < 160) {
        longer.push_back(next_value(*rule.take_break(), longer));
        ASSERT_EQ(longer.back(), longer[longer.size() - 1 - pattern.period] + pattern.saltus)
            << other << " behind values of " << code;
      }
    }
  }
  EXPECT_GT(refused, 30u);
}

TEST(SaltusTheorem, AChangedValueIsRefused) {
  auto values = dense_values("0.3F", 300);
  const PeriodReport pattern = period_of("0.3F", values);
  for (HeapSize n = 2; n < values.size(); n += 6) ++values[n];
  EXPECT_FALSE(proof_of("0.3F", values, pattern));
  // Values that no game of so few moves has, as a damaged file may claim them.
  for (Nimber& value : values) value += 4000000000;
  EXPECT_FALSE(proof_of("0.3F", values, pattern));
}

TEST(SaltusTheorem, PatternsThatEndLaterAreNotCertified) {
  // Most of the first 360 values rise by 1 from heap to heap; the first 1200 do not.
  for (const char* const code : {"0.BF9", "0.BFB"}) {
    const auto values = dense_values(code, 1200);
    const PeriodReport seen = period_of(code, {values.begin(), values.begin() + 360});
    EXPECT_EQ(facts(seen), candidate(154, 1, 1)) << code;
    EXPECT_GT(period_of(code, values).preperiod, 360u) << code;
  }
}

TEST(SaltusTheorem, GapsThatOnlyTheBitsOfTheHeapClose) {
  // No splits with two equal heaps, or nearly equal ones, reach the number two below G(9 q + 3).
  const auto values = dense_values("hex:0.209", 2000);
  const auto proof = proof_of("hex:0.209", values, certified(1, 9, 3));
  ASSERT_TRUE(proof);
  EXPECT_EQ(proof->gaps, 1u);
  const HeapRule rule = HeapRule::parse("hex:0.209");
  const TakeBreakRule& code = *rule.take_break();
  const PeriodPattern pattern{values.size(), 1, 9, 3};
  EXPECT_TRUE(gap_closes(code, values, pattern, 66, 2));
  EXPECT_FALSE(gap_closes(code, values, pattern, 66, 0));  // the value itself
  // Without the move to n - 1 the number below G(9 q + 2) has no option.
  EXPECT_TRUE(gap_closes(code, values, pattern, 65, 1));
  EXPECT_FALSE(gap_closes(*HeapRule::parse("hex:0.009").take_break(), values, pattern, 65, 1));
  for (const char* const other : {"hex:0.219", "hex:0.129", "hex:0.338"}) {
    const PeriodReport report = period_of(other, dense_values(other, 2000));
    EXPECT_EQ(report.status, PeriodStatus::kCertified) << other;
    EXPECT_THAT(report.theorem, testing::HasSubstr("which the bits of the heap find")) << other;
  }
}

TEST(SaltusTheorem, OtherRulesHaveNoProof) {
  const auto kenyon = dense_values("0.3F", 300);
  const PeriodReport pattern = period_of("0.3F", kenyon);
  EXPECT_TRUE(proof_of("0.3F", kenyon, pattern));
  for (const char* const code : {"0.3F!", "0.37", "0.3{0,1,2,3,4}", "0.3[F]", "S{1,2}"}) {
    EXPECT_FALSE(saltus_theorem_applies(HeapRule::parse(code))) << code;
    EXPECT_FALSE(proof_of(code, kenyon, pattern)) << code;
  }
}

TEST(SaltusTheorem, EveryCodeOfTwoDigitsKeepsItsPromise) {
  std::size_t proved = 0;
  for (int digits = 1; digits < 256; ++digits) {
    if ((digits & 0x88) == 0) continue;
    const std::string code = fmt::format("hex:0.{:02X}", digits);
    const auto values = dense_values(code, 1000);
    const PeriodReport report = period_of(code, {values.begin(), values.begin() + 250});
    if (report.status != PeriodStatus::kCertified || report.saltus == 0) continue;
    ++proved;
    for (HeapSize n = report.preperiod; n + report.period < values.size(); ++n) {
      ASSERT_EQ(values[n + report.period], values[n] + report.saltus) << code << ", heap " << n;
    }
  }
  EXPECT_GT(proved, 60u);
}

}  // namespace
}  // namespace grundy
