// SPDX-License-Identifier: MIT
#include <bit>
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <grundy/error.hpp>
#include <grundy/heap/rule.hpp>

#include "games/heap/naive.hpp"

namespace grundy {
namespace {

constexpr std::size_t index_of(SplitConstraint c) {
  return static_cast<std::size_t>(c);
}

/// A small digit, often plain, with masks that need not be canonical.
Digit random_digit(bool first) {
  const auto limit = *rc::gen::element(2u, 3u, 5u);
  Digit digit;
  for (unsigned k = first ? 2 : 0; k <= limit; ++k) {
    if (*rc::gen::arbitrary<bool>()) continue;
    digit.heaps[*rc::gen::element<std::size_t>(0, 0, 0, 1, 2, 3)] |= std::uint64_t{1} << k;
  }
  digit.and_more = !digit.empty() && *rc::gen::inRange(0, 6) == 0;
  return digit;
}

TakeBreakRule random_code() {
  TakeBreakRule rule;
  rule.digits.push_back(*rc::gen::arbitrary<bool>() ? Digit{} : random_digit(true));
  // Few distinct digits, so that tails repeat and fold.
  const std::vector<Digit> palette = {Digit{}, random_digit(false), random_digit(false)};
  for (auto i = *rc::gen::inRange(0, 9); i > 0; --i) {
    rule.digits.push_back(palette[*rc::gen::inRange<std::size_t>(0, palette.size())]);
  }
  rule.period = *rc::gen::inRange<std::size_t>(0, rule.digits.size());
  return rule;
}

/// What a digit means for k heaps; two heaps are "not all equal" if they are unequal.
std::optional<SplitConstraint> meaning(const Digit& digit, std::uint64_t k) {
  auto constraint = digit.constraint(k);
  if (constraint && k < 2) constraint = SplitConstraint::kAny;
  if (constraint == SplitConstraint::kNotAllEqual && k == 2) {
    constraint = SplitConstraint::kPairwiseUnequal;
  }
  return constraint;
}

/// Compares two codes digit by digit. Tails of at most 8 digits after at most 8 others agree for
/// ever if they do so for the first 8 + 8 * 7 * 5 * 3 places; masks reach 5 heaps.
bool same_meaning(const TakeBreakRule& a, const TakeBreakRule& b) {
  for (HeapSize i = 0; i < 900; ++i) {
    for (std::uint64_t k = 0; k <= 8; ++k) {
      if (meaning(a.digit(i), k) != meaning(b.digit(i), k)) return false;
    }
  }
  return true;
}

/// Codes checked in one round of a property.
constexpr int kCodes = 20;

RC_GTEST_PROP(Canonical, KeepsTheMeaning, ()) {
  for (int i = 0; i < kCodes; ++i) {
    const TakeBreakRule code = random_code();
    const HeapRule rule(code);
    RC_ASSERT(same_meaning(code, *rule.take_break()));
  }
}

RC_GTEST_PROP(Canonical, TextParsesBack, ()) {
  for (int i = 0; i < kCodes; ++i) {
    const HeapRule rule(random_code());
    RC_ASSERT(HeapRule::parse(rule.canonical()) == rule);
  }
}

/// Spells the same code in another way: constraints where they mean nothing, a tail turned and
/// repeated, zeros behind.
TakeBreakRule respelled(TakeBreakRule rule) {
  for (Digit& digit : rule.digits) {
    for (unsigned k = 0; k <= 2; ++k) {
      const auto c = digit.constraint(k);
      if (!c || k > digit.max_heaps()) continue;
      const bool free_choice =
          k < 2 || *c == SplitConstraint::kPairwiseUnequal || *c == SplitConstraint::kNotAllEqual;
      // The largest number carries the constraint of "and more" with it.
      if (!free_choice || (digit.and_more && k == digit.max_heaps())) continue;
      digit.heaps[index_of(*c)] &= ~(std::uint64_t{1} << k);
      const std::size_t other = k < 2 ? *rc::gen::inRange<std::size_t>(0, kSplitConstraints)
                                      : *rc::gen::element<std::size_t>(1, 2);
      digit.heaps[other] |= std::uint64_t{1} << k;
    }
    if (digit.and_more) {
      const auto more = *digit.constraint(digit.max_heaps());
      digit.heaps[index_of(more)] |= std::uint64_t{1} << (digit.max_heaps() + 1);
    }
  }
  if (rule.period == 0) {
    rule.digits.resize(rule.digits.size() + *rc::gen::inRange<std::size_t>(0, 3));
    return rule;
  }
  const std::size_t period = rule.period;
  for (auto turns = *rc::gen::inRange<std::size_t>(0, 2 * period); turns > 0; --turns) {
    rule.digits.push_back(rule.digits[rule.digits.size() - period]);
  }
  const std::vector<Digit> tail(rule.digits.end() - static_cast<std::ptrdiff_t>(period),
                                rule.digits.end());
  for (auto copies = *rc::gen::inRange(0, 3); copies > 0; --copies) {
    rule.digits.insert(rule.digits.end(), tail.begin(), tail.end());
    rule.period += period;
  }
  return rule;
}

RC_GTEST_PROP(Canonical, OneTextPerMeaning, ()) {
  for (int i = 0; i < kCodes; ++i) {
    const TakeBreakRule code = random_code();
    const TakeBreakRule other = respelled(code);
    RC_ASSERT(same_meaning(code, other));
    RC_ASSERT(HeapRule(code).canonical() == HeapRule(other).canonical());
    RC_ASSERT(HeapRule(code) == HeapRule(other));
  }
}

RC_GTEST_PROP(Canonical, EqualTextsOnlyForEqualMeanings, ()) {
  // Tiny codes, so that equal pairs do occur.
  const auto tiny = [] {
    TakeBreakRule rule{.digits = {Digit{}}, .period = 0};
    for (int i = *rc::gen::inRange(1, 4); i > 0; --i) {
      Digit digit;
      digit.heaps[*rc::gen::inRange<std::size_t>(0, 3)] = *rc::gen::element(0u, 3u, 4u);
      rule.digits.push_back(digit);
    }
    rule.period = *rc::gen::inRange<std::size_t>(0, rule.digits.size());
    return rule;
  };
  const TakeBreakRule a = tiny();
  const TakeBreakRule b = tiny();
  const bool same = same_meaning(a, b);
  RC_CLASSIFY(same);
  RC_ASSERT((HeapRule(a).canonical() == HeapRule(b).canonical()) == same);
}

RC_GTEST_PROP(Canonical, OptionsOfSmallHeapsAgree, ()) {
  const TakeBreakRule code = random_code();
  const HeapRule rule(code);
  for (std::uint64_t n = 0; n < 9; ++n) {
    RC_ASSERT(test::options(code, n) == test::options(*rule.take_break(), n));
  }
}

TEST(HeapRule, RefusesCodesThatMakeNoSense) {
  const Digit take = {.heaps = {0b11}};
  EXPECT_THROW(HeapRule(TakeBreakRule{}), Error);
  EXPECT_THROW(HeapRule(TakeBreakRule{.digits = {Digit{}}, .period = 1}), Error);
  EXPECT_THROW(HeapRule(TakeBreakRule{.digits = {take}}), Error);
  EXPECT_THROW(HeapRule(TakeBreakRule{.digits = {Digit{}, {.heaps = {4, 4}}}}), Error);
  EXPECT_THROW(HeapRule(TakeBreakRule{.digits = {Digit{}, {.and_more = true}}}), Error);
  EXPECT_THROW(HeapRule(TakeBreakRule{.digits = std::vector<Digit>(65537, Digit{})}), Error);
}

TEST(HeapRule, Accessors) {
  const auto rule = [](std::string_view text) { return HeapRule::parse(text); };
  EXPECT_EQ(rule("0.77").largest_take(), 2u);
  EXPECT_EQ(rule("4.0").largest_take(), 0u);
  EXPECT_EQ(rule("0.[3]").largest_take(), std::nullopt);
  EXPECT_EQ(rule("S{1,9}").largest_take(), 9u);
  EXPECT_EQ(rule("AllBut{9}").largest_take(), std::nullopt);
  EXPECT_EQ(rule("S{primes}").largest_take(), std::nullopt);

  EXPECT_EQ(rule("0.0").max_heaps(), 0u);
  EXPECT_EQ(rule("0.1").max_heaps(), 0u);
  EXPECT_EQ(rule("0.77").max_heaps(), 2u);
  EXPECT_EQ(rule("0.3F").max_heaps(), 3u);
  EXPECT_EQ(rule("0.{63}").max_heaps(), 63u);
  EXPECT_EQ(rule("0.*").max_heaps(), std::nullopt);
  EXPECT_EQ(rule("S{3}").max_heaps(), 1u);

  EXPECT_TRUE(rule("0.3F").unconstrained());
  EXPECT_TRUE(rule("S{3}").unconstrained());
  EXPECT_TRUE(rule("0.3!").unconstrained());
  EXPECT_FALSE(rule("4!.0").unconstrained());
  EXPECT_FALSE(rule("0.7[*?]").unconstrained());
}

TEST(Digit, PlainUpTo) {
  const auto first = [](std::string_view text) {
    return HeapRule::parse(text).take_break()->digit(1);
  };
  EXPECT_TRUE(first("0.7").plain_up_to(2));
  EXPECT_TRUE(first("0.0").plain_up_to(0));
  EXPECT_FALSE(first("hex:0.8").plain_up_to(2));
  EXPECT_TRUE(first("hex:0.8").plain_up_to(3));
  EXPECT_FALSE(first("0.4!").plain_up_to(2));
  EXPECT_FALSE(first("0.{0,2+}").plain_up_to(2));
}

TEST(Digit, ConstraintBeyondTheMasks) {
  const Digit more = {.heaps = {0b1, 0b1000}, .and_more = true};
  EXPECT_EQ(more.constraint(0), SplitConstraint::kAny);
  EXPECT_EQ(more.constraint(1), std::nullopt);
  EXPECT_EQ(more.constraint(3), SplitConstraint::kPairwiseUnequal);
  EXPECT_EQ(more.constraint(64), SplitConstraint::kPairwiseUnequal);
  EXPECT_EQ(more.constraint(std::uint64_t{1} << 40), SplitConstraint::kPairwiseUnequal);
  const Digit finite = {.heaps = {std::uint64_t{1} << 63}};
  EXPECT_EQ(finite.constraint(63), SplitConstraint::kAny);
  EXPECT_EQ(finite.constraint(64), std::nullopt);
}

}  // namespace
}  // namespace grundy
