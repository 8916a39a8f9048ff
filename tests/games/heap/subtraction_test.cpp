// SPDX-License-Identifier: MIT
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <grundy/error.hpp>
#include <grundy/heap/rule.hpp>

namespace grundy {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<HeapSize> allowed(std::string_view notation, HeapSize limit) {
  return HeapRule::parse(notation).subtraction()->allowed_up_to(limit);
}

TEST(AllowedUpTo, FirstNumbersOfEachSet) {
  EXPECT_THAT(allowed("S{1,2,5}", 4), ElementsAre(1, 2));
  EXPECT_THAT(allowed("S{1,2,5}", 5), ElementsAre(1, 2, 5));
  EXPECT_THAT(allowed("AllBut{2,4}", 6), ElementsAre(1, 3, 5, 6));
  EXPECT_THAT(allowed("AllBut{}", 3), ElementsAre(1, 2, 3));
  EXPECT_THAT(allowed("S{squares}", 25), ElementsAre(1, 4, 9, 16, 25));
  EXPECT_THAT(allowed("S{primes}", 29), ElementsAre(2, 3, 5, 7, 11, 13, 17, 19, 23, 29));
  EXPECT_THAT(allowed("S{factorials}", 119), ElementsAre(1, 2, 6, 24));
  EXPECT_THAT(allowed("S{factorials}", 120), ElementsAre(1, 2, 6, 24, 120));
  EXPECT_THAT(allowed("S{fibonacci}", 21), ElementsAre(1, 2, 3, 5, 8, 13, 21));
  EXPECT_THAT(allowed("S{powers of 2}", 16), ElementsAre(1, 2, 4, 8, 16));
}

TEST(AllowedUpTo, NothingBelowTheLeast) {
  for (const auto* set :
       {"S{3}", "AllBut{1}", "S{squares}", "S{primes}", "S{factorials}", "S{fibonacci}"}) {
    EXPECT_THAT(allowed(set, 0), IsEmpty()) << set;
  }
  EXPECT_THAT(allowed("S{primes}", 1), IsEmpty());
  EXPECT_THAT(allowed("S{primes}", 2), ElementsAre(2));
}

TEST(AllowedUpTo, PrimesByTrialDivision) {
  std::vector<HeapSize> primes;
  for (HeapSize n = 2; n <= 5000; ++n) {
    bool prime = true;
    for (HeapSize d = 2; d * d <= n; ++d) prime = prime && n % d != 0;
    if (prime) primes.push_back(n);
  }
  EXPECT_EQ(allowed("S{primes}", 5000), primes);
  EXPECT_EQ(allowed("S{primes}", 1'000'000).size(), 78498u);  // pi(10^6)
}

TEST(AllowedUpTo, ReachesTheEndOf64Bits) {
  constexpr HeapSize kEnd = std::numeric_limits<HeapSize>::max();
  EXPECT_EQ(allowed("S{factorials}", kEnd).back(), 2432902008176640000u);  // 20!
  EXPECT_EQ(allowed("S{factorials}", kEnd).size(), 20u);
  EXPECT_EQ(allowed("S{fibonacci}", kEnd).back(), 12200160415121876738u);  // F(93)
  EXPECT_EQ(allowed("S{powers of 2}", kEnd).size(), 64u);
  EXPECT_EQ(allowed("S{18446744073709551615}", kEnd).back(), kEnd);
}

TEST(AsSubtraction, CodesOfZerosAndThrees) {
  const auto set_of = [](std::string_view code) -> std::string {
    const auto rule = HeapRule::parse(code).as_subtraction();
    return rule ? HeapRule(*rule).canonical() : "none";
  };
  EXPECT_EQ(set_of("0.33003"), "S{1,2,5}");
  EXPECT_EQ(set_of("0.[3]"), "AllBut{}");
  EXPECT_EQ(set_of("0.303[3]"), "AllBut{2}");
  EXPECT_EQ(set_of("0.0030[3]"), "AllBut{1,2,4}");
  EXPECT_EQ(set_of("S{2,3}"), "S{2,3}");
  EXPECT_EQ(set_of("S{squares}"), "S{squares}");
  for (const auto* code : {"0.0", "0.[03]", "0.1", "0.32", "0.37", "4.3", "0.*", "0.3[7]"}) {
    EXPECT_EQ(set_of(code), "none") << code;
  }
}

TEST(AsSubtraction, FormulasThatTakeNumbers) {
  const auto set_of = [](std::string_view text) -> std::string {
    const auto rule = HeapRule::parse(text).as_subtraction();
    return rule ? HeapRule(*rule).canonical() : "none";
  };
  EXPECT_EQ(set_of("n -> n - 2, n - 1"), "S{1,2}");
  EXPECT_EQ(set_of("n -> n - 7; n - 3, n - 7"), "S{3,7}");
  EXPECT_EQ(set_of("n -> n - d : d in squares"), "S{squares}");
  EXPECT_EQ(set_of("n -> n - k : k in {0, 2..4, 9}"), "S{2,3,4,9}");
  EXPECT_EQ(HeapRule::parse("n -> n - 1, n - 4").largest_take(), 4U);
  for (const auto* text :
       {"n -> n - 1, floor(n/2)", "n -> n - 1 : n mod 2 = 0; n - 2",
        "n -> n - 2; n - 1 : n mod 2 = 0", "n -> n - d : not d in squares",
        "n -> n - d : d in squares, d < n", "n -> n - d, 0 : d in squares", "n -> n - d : d = 2",
        "n -> n - d : d mod 4 in {1,3}", "n -> d : d in squares, d < n", "n -> n - d : d in {0}",
        "n -> n - d : d in squares; n - 2"}) {
    EXPECT_EQ(set_of(text), "none") << text;
  }
}

RC_GTEST_PROP(AsSubtraction, AgreesWithTheDigits, ()) {
  TakeBreakRule code{.digits = {Digit{}}, .period = 0};
  const Digit take = {.heaps = {0b11}};
  for (const bool taken : *rc::gen::container<std::vector<bool>>(12, rc::gen::arbitrary<bool>())) {
    code.digits.push_back(taken ? take : Digit{});
  }
  code.period = *rc::gen::inRange<std::size_t>(0, 2);
  const auto rule = HeapRule(code).as_subtraction();
  if (!rule) {
    RC_ASSERT(HeapRule(code).canonical() == "0.0");
    return;
  }
  std::vector<HeapSize> expected;
  for (HeapSize s = 1; s <= 40; ++s) {
    if (code.digit(s) == take) expected.push_back(s);
  }
  RC_ASSERT(rule->allowed_up_to(40) == expected);
}

TEST(SubtractionRule, RefusesSetsThatMakeNoGame) {
  using Kind = SubtractionRule::Kind;
  EXPECT_THROW(HeapRule(SubtractionRule{Kind::kFinite, {}}), Error);
  EXPECT_THROW(HeapRule(SubtractionRule{Kind::kAllBut, {0}}), Error);
  EXPECT_THROW(HeapRule(SubtractionRule{Kind::kSquares, {1}}), Error);
}

}  // namespace
}  // namespace grundy
