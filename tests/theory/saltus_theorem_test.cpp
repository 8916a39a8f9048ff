/// @file
/// The proof of a saltus for codes that leave three heaps or more: it accepts and refuses the right
/// patterns, and longer tables never contradict it.
// SPDX-License-Identifier: MIT
#include "theory/saltus_theorem.hpp"

#include <algorithm>
#include <bitset>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <utility>
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
using Answer = CarrySearch::Answer;

std::vector<Nimber> dense_values(const std::string& notation, HeapSize count) {
  const HeapRule rule = HeapRule::parse(notation);
  return values_by(select_heap_engine("dense", rule, count), rule, count);
}

std::optional<SaltusProof> proof_of(const std::string& notation, const std::vector<Nimber>& values,
                                    const PeriodReport& pattern) {
  return prove_saltus(HeapRule::parse(notation), values,
                      {values.size(), pattern.preperiod, pattern.period, pattern.saltus});
}

RC_GTEST_PROP(CarrySearch, AgreesWithAllSmallMultiples, ()) {
  const auto saltus = *rc::gen::inRange<Nimber>(1, 8);
  GrowingValues question;
  question.terms.resize(*rc::gen::inRange<std::size_t>(1, 6));
  for (auto& term : question.terms) {
    term = {*rc::gen::inRange<std::uint64_t>(0, 12), *rc::gen::arbitrary<bool>()};
  }
  question.carry = *rc::gen::inRange<std::uint64_t>(0, 8);
  // All nim-sums and carries of the first terms. The carry grows by the bits that the next value
  // shares with the nim-sum.
  std::set<std::pair<std::uint64_t, std::uint64_t>> sums = {{0, 0}};
  for (const GrowingValues::Term& term : question.terms) {
    std::set<std::pair<std::uint64_t, std::uint64_t>> next;
    for (const auto& [sum, carry] : sums) {
      // Without a carry, each value may need a bit above those of all others.
      for (std::uint64_t more = 0; more < (term.grows ? 700u : 1u); more += saltus) {
        const std::uint64_t value = term.value + more;
        const std::uint64_t grown = carry + (sum & value);
        if (grown <= question.carry) next.emplace(sum ^ value, grown);
      }
    }
    sums = std::move(next);
  }
  const bool met = std::ranges::any_of(
      sums, [&](const auto& reached) { return reached.second == question.carry; });
  RC_ASSERT(CarrySearch(saltus).ask(question) == (met ? Answer::kSolvable : Answer::kUnsolvable));
}

TEST(CarrySearch, RemembersOnlyWhatHasNoSolution) {
  CarrySearch search(2);
  // Odd numbers all meet in the lowest bit: one pair of three, two pairs of four.
  const GrowingValues three{{{1, true}, {1, true}, {3, true}}, 0};
  EXPECT_EQ(search.ask(three), Answer::kUnsolvable);
  EXPECT_EQ(search.ask(three), Answer::kUnsolvable);
  EXPECT_EQ(search.ask({three.terms, 1}), Answer::kSolvable);
  const GrowingValues four{{{1, true}, {1, true}, {1, true}, {1, true}}, 1};
  EXPECT_EQ(search.ask(four), Answer::kUnsolvable);
  EXPECT_EQ(search.ask({four.terms, 2}), Answer::kSolvable);
}

TEST(CarrySearch, GivesUpWhenThereIsTooMuch) {
  const GrowingValues question{{{1, true}, {2, true}, {4, true}}, 5};
  EXPECT_EQ(CarrySearch(7, 1).ask(question), Answer::kTooLarge);
  EXPECT_NE(CarrySearch(7).ask(question), Answer::kTooLarge);
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

/// A code of three digits that leaves three to five heaps.
HeapRule random_rule() {
  const unsigned most = *rc::gen::inRange(3u, 6u);
  const auto digit = [most] {
    // Sparse digits: each number of heaps is allowed with probability 1/3.
    unsigned mask = 0;
    for (unsigned heaps = 1; heaps <= most; ++heaps) {
      if (*rc::gen::inRange(0, 3) == 0) mask |= 1u << heaps;
    }
    return mask;
  };
  return HeapRule::parse(fmt::format("0.&{};&{};&{};", digit(), digit(), digit() | 1u << most));
}

/// The values of the options of all heaps, by the definition of a code.
class OptionValues {
 public:
  /// @pre values are below 1024
  OptionValues(const HeapRule& rule, const std::vector<Nimber>& values)
      : code_(*rule.take_break()), sums_(*rule.max_heaps() + 1) {
    for (auto& sums : sums_) sums.resize(1);
    sums_[0][0].set(0);
    for (HeapSize n = 1; n < values.size(); ++n) append(values[n]);
  }

  /// Takes in the value of the next heap.
  void append(Nimber value) {
    values_.push_back(value);
    const HeapSize n = values_.size() - 1;
    sums_[0].emplace_back();
    for (std::size_t heaps = 1; heaps < sums_.size(); ++heaps) {
      Set set;
      for (HeapSize a = 1; a <= n; ++a) {
        const Set& others = sums_[heaps - 1][n - a];
        for (std::size_t v = others._Find_first(); v < others.size(); v = others._Find_next(v)) {
          set.set(v ^ values_[a]);
        }
      }
      sums_[heaps].push_back(set);
    }
  }

  [[nodiscard]] bool has(HeapSize n, Nimber value) const { return of(n)[value]; }

  /// The least number that is the value of no option of heap n. Heap n need not be there yet.
  [[nodiscard]] Nimber mex(HeapSize n) const {
    const Set options = of(n);
    Nimber least = 0;
    while (options[least]) ++least;
    return least;
  }

 private:
  using Set = std::bitset<1024>;

  [[nodiscard]] Set of(HeapSize n) const {
    Set options;
    for (HeapSize removed = 1; removed < code_.digits.size() && removed < n; ++removed) {
      for (unsigned heaps = 1; heaps < sums_.size(); ++heaps) {
        if (code_.digits[removed].constraint(heaps)) options |= sums_[heaps][n - removed];
      }
    }
    return options;
  }

  TakeBreakRule code_;
  std::vector<Nimber> values_ = {0};
  std::vector<std::vector<Set>> sums_;  ///< by the number of heaps and of tokens
};

/// From here on a heap cannot vanish, and each option has a heap that follows the pattern.
HeapSize first_with_pattern(const HeapRule& rule, const RandomPattern& random) {
  return *rule.max_heaps() * random.first() + rule.take_break()->digits.size();
}

RC_GTEST_PROP(SaltusExclusion, NoOptionHasAValueThatIsAvoided, ()) {
  const RandomPattern random;
  const HeapRule rule = random_rule();
  if (!options_avoid_pattern(*rule.take_break(), random.values, random.pattern)) return;
  const OptionValues options(rule, random.values);
  for (HeapSize n = first_with_pattern(rule, random); n < random.values.size(); ++n) {
    RC_ASSERT(!options.has(n, random.values[n]));
  }
}

RC_GTEST_PROP(SaltusExclusion, WhatManyHeapsMeetIsNotAvoided, ()) {
  const RandomPattern random;
  const HeapRule rule = random_rule();
  const OptionValues options(rule, random.values);
  for (HeapSize n = first_with_pattern(rule, random); n < 60; ++n) {
    if (!options.has(n, random.values[n])) continue;
    RC_ASSERT(!options_avoid_pattern(*rule.take_break(), random.values, random.pattern));
    return;
  }
}

RC_GTEST_PROP(SaltusGaps, AClosedGapIsReachedAtEveryHeap, ()) {
  const RandomPattern random;
  const HeapRule rule = random_rule();
  const auto heap = *rc::gen::inRange<HeapSize>(random.first(), 30);
  const auto gap = *rc::gen::inRange<Nimber>(0, std::min<Nimber>(random.values[heap], 5) + 1);
  if (!gap_closes(*rule.take_break(), random.values, random.pattern, heap, gap)) return;
  const OptionValues options(rule, random.values);
  for (HeapSize n = heap; n < random.values.size(); n += random.pattern.period) {
    RC_ASSERT(options.has(n, random.values[n] - gap));
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
  std::ifstream file(GRUNDY_GOLDEN_DIR "/saltus.csv");
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
  EXPECT_EQ(rows, 93u);
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

TEST(SaltusTheorem, ValuesOfOtherGamesAreRefusedUnlessTheyGoOn) {
  // From a window on the values do not depend on how the game began. So values of one game may
  // prove what another one would go on with; they must not prove anything else.
  const char* const codes[] = {"hex:0.8", "0.C",  "0.07F", "0.3F", "hex:0.08",  "0.0A",      "0.0C",
                               "0.G",     "0.0G", "0.0H",  "0.0N", "0.&32;&8;", "0.0&62;&3;"};
  std::size_t refused = 0, proved = 0;
  for (const char* const code : codes) {
    const auto values = dense_values(code, 120);
    const PeriodReport pattern = period_of(code, values);
    for (const char* const other : codes) {
      const HeapRule rule = HeapRule::parse(other);
      if (!proof_of(other, values, pattern)) {
        EXPECT_STRNE(code, other);
        ++refused;
        continue;
      }
      ++proved;
      OptionValues options(rule, values);
      std::vector<Nimber> longer = values;
      while (longer.size() < 160) {
        longer.push_back(options.mex(longer.size()));
        options.append(longer.back());
        ASSERT_EQ(longer.back(), longer[longer.size() - 1 - pattern.period] + pattern.saltus)
            << other << " behind values of " << code;
      }
    }
  }
  EXPECT_GT(refused, 100u);
  EXPECT_GE(proved, std::size(codes));
}

/// Forged patterns: a proof of one is a promise about the mex of the options behind the values.
RC_GTEST_PROP(SaltusTheorem, AForgedPatternIsRefusedUnlessItGoesOn, ()) {
  const RandomPattern random;
  const HeapRule rule = random_rule();
  const auto proof = prove_saltus(rule, random.values, random.pattern);
  RC_CLASSIFY(proof.has_value());
  if (!proof) return;
  OptionValues options(rule, random.values);
  std::vector<Nimber> longer = random.values;
  while (longer.size() < random.values.size() + 40) {
    longer.push_back(options.mex(longer.size()));
    options.append(longer.back());
    RC_ASSERT(longer.back() ==
              longer[longer.size() - 1 - random.pattern.period] + random.pattern.saltus);
  }
}

RC_GTEST_PROP(SaltusTheorem, AnyBeginningGoesOnAsProved, ()) {
  // The theorem takes the first values as they are: a game may begin as it likes.
  const HeapRule rule = random_rule();
  std::vector<Nimber> values = {0};
  const auto given = *rc::gen::inRange<HeapSize>(1, 8);
  while (values.size() < given) values.push_back(*rc::gen::inRange<Nimber>(0, 4));
  OptionValues options(rule, values);
  const auto go_on = [&](HeapSize size) {
    while (values.size() < size) {
      values.push_back(options.mex(values.size()));
      options.append(values.back());
    }
  };
  go_on(150);
  const PeriodReport report = find_period(rule, std::span<const Nimber>(values));
  const bool proved = report.status == PeriodStatus::kCertified && report.saltus > 0;
  RC_CLASSIFY(proved);
  if (!proved) return;
  go_on(220);
  for (HeapSize n = report.preperiod; n + report.period < values.size(); ++n) {
    RC_ASSERT(values[n + report.period] == values[n] + report.saltus);
  }
}

TEST(SaltusTheorem, FourHeapsAndMore) {
  const PeriodReport report = period_of("0.H", 300);
  EXPECT_EQ(facts(report), certified(6, 5, 2));
  EXPECT_THAT(report.theorem, testing::HasSubstr("at most 4 heaps"));
  EXPECT_EQ(period_of("0.&32;", 300).status, PeriodStatus::kCertified);
  EXPECT_EQ(period_of("0.&1024;", 300).status, PeriodStatus::kCertified);
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
  for (const char* const code : {"0.3F!", "0.37", "0.3{0,1,2,3+}", "0.3[F]", "S{1,2}"}) {
    EXPECT_FALSE(saltus_theorem_applies(HeapRule::parse(code))) << code;
    EXPECT_FALSE(proof_of(code, kenyon, pattern)) << code;
  }
}

TEST(SaltusTheorem, EveryCodeOfTwoDigitsKeepsItsPromise) {
  // Digits of up to four heaps, and at least one of three or four.
  std::size_t proved = 0;
  for (int digits = 1; digits < 1024; ++digits) {
    if ((digits & 0x318) == 0) continue;
    const std::string code = fmt::format("0.&{};&{};", digits / 32, digits % 32);
    const auto values = dense_values(code, 600);
    const PeriodReport report = period_of(code, {values.begin(), values.begin() + 200});
    if (report.status != PeriodStatus::kCertified || report.saltus == 0) continue;
    ++proved;
    for (HeapSize n = report.preperiod; n + report.period < values.size(); ++n) {
      ASSERT_EQ(values[n + report.period], values[n] + report.saltus) << code << ", heap " << n;
    }
  }
  EXPECT_GT(proved, 700u);
}

}  // namespace
}  // namespace grundy
