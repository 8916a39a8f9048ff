/// @file
/// Rules given by formulas: their meaning, compared with written-out loops, their spelling, and
/// refusals.
// SPDX-License-Identifier: MIT
#include <functional>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <grundy/error.hpp>
#include <grundy/heap/options.hpp>
#include <grundy/heap/rule.hpp>

#include "games/heap/naive.hpp"
#include "games/heap/random_formula.hpp"
#include "support/errors.hpp"

namespace grundy {
namespace {

using test::moves_of;
using testing::HasSubstr;

std::set<HeapSize> options_of(std::string_view rule, HeapSize n) {
  std::set<HeapSize> options;
  for (const HeapMove& move : moves_of(HeapRule::parse(rule), n)) options.insert(n - move.taken);
  return options;
}

/// A rule, and the same rule as a question: does n become m with the help of d?
struct Meaning {
  std::string rule;
  std::function<bool(std::int64_t n, std::int64_t m, std::int64_t d)> becomes;
};

bool prime(std::int64_t n) {
  std::int64_t divisors = 0;
  for (std::int64_t d = 1; d <= n; ++d) divisors += n % d == 0 ? 1 : 0;
  return divisors == 2;
}

TEST(Formula, MeansWhatLoopsSay) {
  const std::vector<Meaning> meanings = {
      {"n -> n - d : d | n, d < n",
       [](auto n, auto m, auto d) { return n % d == 0 && d < n && m == n - d; }},
      {"n -> d : d | n, d < n",
       [](auto n, auto m, auto d) { return n % d == 0 && d < n && m == d; }},
      {"n -> n-1, floor(n/2)", [](auto n, auto m, auto) { return m == n - 1 || m == n / 2; }},
      {"n -> n - d : gcd(d,n)=1",
       [](auto n, auto m, auto d) { return std::gcd(d, n) == 1 && m == n - d; }},
      {"n -> d : gcd(d,n) != 1, n > d",
       [](auto n, auto m, auto d) { return std::gcd(d, n) > 1 && d < n && m == d; }},
      {"n -> n - s : not s | n", [](auto n, auto m, auto d) { return n % d != 0 && m == n - d; }},
      {"n -> n - p : p in primes, p | n; n - 1 : n mod 3 in {0,2}",
       [](auto n, auto m, auto d) {
         return (prime(d) && n % d == 0 && m == n - d) || (n % 3 != 1 && m == n - 1);
       }},
      {"n -> n mod d", [](auto n, auto m, auto d) { return m == n % d; }},
      {"n -> n - d*d*d", [](auto n, auto m, auto d) { return m == n - d * d * d; }},
      {"n -> n - 2*d - 1 : 3 < d <= 7",
       [](auto n, auto m, auto d) { return d > 3 && d <= 7 && m == n - 2 * d - 1; }},
      {"n -> floor(n/(d + 1)) : d*d <= n",
       [](auto n, auto m, auto d) { return d * d <= n && m == n / (d + 1); }},
      {"n -> n - d : (d - 3) mod 4 = 2",  // mod rounds down
       [](auto n, auto m, auto d) { return (d + 1) % 4 == 2 && m == n - d; }},
      {"n -> n - d : d | (n - 5)",
       [](auto n, auto m, auto d) { return (n - 5) % d == 0 && m == n - d; }},
      {"n -> n - d : (d - 2) | n",
       [](auto n, auto m, auto d) { return d > 2 && n % (d - 2) == 0 && m == n - d; }},
      {"n -> n - 1 - floor(n/(d - 3))",
       [](auto n, auto m, auto d) { return d > 3 && m == n - 1 - n / (d - 3); }},
      {"n -> n - d : not d in {1..3, 8}",
       [](auto n, auto m, auto d) { return d > 3 && d != 8 && m == n - d; }},
  };
  for (const Meaning& meaning : meanings) {
    for (std::int64_t n = 0; n <= 70; ++n) {
      std::set<HeapSize> expected;
      for (std::int64_t m = 0; m < n; ++m) {
        for (std::int64_t d = 1; d <= n; ++d) {
          if (meaning.becomes(n, m, d)) expected.insert(static_cast<HeapSize>(m));
        }
      }
      ASSERT_EQ(options_of(meaning.rule, static_cast<HeapSize>(n)), expected)
          << meaning.rule << ", heap " << n;
    }
  }
}

TEST(Formula, SetsByNameAreThoseOfSubtractionGames) {
  for (const std::string set : {"squares", "primes", "factorials", "fibonacci", "powers of 2"}) {
    const auto allowed = HeapRule::parse("S{" + set + "}").subtraction()->allowed_up_to(2000);
    std::set<HeapSize> expected;
    for (const HeapSize s : allowed) expected.insert(2000 - s);
    EXPECT_EQ(options_of("n -> n - d : d in " + set, 2000), expected) << set;
  }
}

TEST(Formula, OptionsComeOnceFewestTokensFirst) {
  const auto moves = moves_of(HeapRule::parse("n -> n - d, d - 1 : d | n; n - 1"), 6);
  const std::vector<HeapMove> expected = {{1, {5}}, {2, {4}}, {3, {3}},
                                          {4, {2}}, {5, {1}}, {6, {}}};
  EXPECT_EQ(moves, expected);
}

TEST(Formula, HasACanonicalText) {
  const std::vector<std::pair<std::string, std::string>> spellings = {
      {"n->n-k:k|n,k<n", "n -> n - d : d | n, d < n"},
      {"N -> N - 1 , FLOOR( n / 2 )", "n -> n - 1, floor(n/2)"},
      {"n -> n - d : 1 < d < n, d >= 3, d != 5", "n -> n - d : 1 < d, d < n, 3 <= d, d != 5"},
      {"n -> n - a : gcd(a, n) = 1 ; n - b : not b in {3,1..2}",
       "n -> n - d : gcd(d, n) = 1; n - d : not d in {1,2,3}"},
      {"n -> n - (d - 1) - (2*d) : d in squares", "n -> n - (d - 1) - 2*d : d in squares"},
      {"n -> (n - d) mod (d + 1)", "n -> (n - d) mod (d + 1)"},
      {"n -> n - 1 - n mod (5*1)", "n -> n - 1 - n mod (5*1)"},
  };
  for (const auto& [text, canonical] : spellings) {
    const HeapRule rule = HeapRule::parse(text);
    EXPECT_EQ(rule.canonical(), canonical);
    EXPECT_EQ(HeapRule::parse(canonical), rule) << text;
  }
}

TEST(Formula, CanonicalTextsAreReadAsTheSameRule) {
  std::mt19937 random(5);
  const auto below = [&](std::uint64_t bound) { return random() % bound; };
  for (int i = 0; i < 500; ++i) {
    const std::string text = test::random_formula(below);
    const HeapRule rule = HeapRule::parse(text);
    ASSERT_EQ(HeapRule::parse(rule.canonical()), rule) << text;
    ASSERT_EQ(HeapRule::parse(rule.canonical()).canonical(), rule.canonical()) << text;
  }
}

TEST(Formula, IsDescribed) {
  EXPECT_EQ(HeapRule::parse("n -> n - d : d | n, d < n; floor(n/2) : n mod 2 = 0; 0").describe(),
            "of a heap of n tokens, leave n - d for a d from 1 to n with d | n and d < n; or leave "
            "floor(n/2) if n mod 2 = 0; or leave 0");
}

TEST(Formula, SaysOfItselfWhatOtherKindsDo) {
  const HeapRule rule = HeapRule::parse("n -> n - 1, floor(n/2)");
  EXPECT_NE(rule.formula(), nullptr);
  EXPECT_EQ(rule.take_break(), nullptr);
  EXPECT_EQ(rule.subtraction(), nullptr);
  EXPECT_EQ(rule.as_subtraction(), std::nullopt);
  EXPECT_EQ(rule.largest_take(), std::nullopt);
  EXPECT_EQ(rule.max_heaps(), 1u);
  EXPECT_TRUE(rule.unconstrained());
}

TEST(Formula, RefusesWhatIsNoRule) {
  const std::vector<std::pair<std::string, std::string>> refused = {
      {"n ->", "the text ends where a number, n or a variable is expected"},
      {"n -> d : d | n",
       "by 'd', where d is the variable, heap 1 may become heap 1; a move has to leave fewer "
       "tokens"},
      {"n -> floor(n*n/40)", "by 'floor(n*n/40)' heap 40 may become heap 40"},
      {"n -> 3", "by '3' heap 1 may become heap 3"},
      {"n -> n - d : k | n", "character 14: a clause has one variable, and 'k' is another one"},
      {"n -> n - d : d", "the text ends where a relation such as '<=', '|' or 'in' is expected"},
      {"n -> n - d : not d < 3", "character 14: 'not' stands before a condition with '|' or 'in'"},
      {"n -> n - d : d in cubes", "'c' stands where a set such as {1,2} or one of squares"},
      {"n -> n - d : d in {}", "'}' stands where a whole number is expected"},
      {"n -> n - d : d in {5..3}", "the range ends before it begins"},
      {"n -> n/2", "a quotient is written floor(a/b)"},
      {"n -> floor(n)", "')' stands where '/' (as in floor(n/2)) is expected"},
      {"n -> sqrt(n)", "'sqrt' is neither n nor a variable of one letter"},
      {"n -> n - 99999999999999999999", "the number is larger than 18446744073709551615"},
      {"n -> n - 9999999999999999999", "'n - 9999999999999999999' may not fit into 64 bits"},
      {"n -> n - d*d*d*d*d*d*d*d*d*d*d", "may not fit into 64 bits in heaps larger than 49"},
      {"n -> " + std::string(40, '(') + "n - 1" + std::string(40, ')'), "nested too deeply"},
  };
  for (const auto& [text, reason] : refused) {
    EXPECT_THAT(
        std::string(testing_support::error_of([&text = text] { HeapRule::parse(text); }).what()),
        HasSubstr(reason))
        << text;
  }
  std::string long_rule = "n -> n - 1";
  for (int i = 0; i < 1100; ++i) long_rule += " - 1";
  EXPECT_THAT(std::string(testing_support::error_of([&] { HeapRule::parse(long_rule); }).what()),
              HasSubstr("too long"));
  EXPECT_EQ(testing_support::code_of([] { HeapRule{FormulaRule{}}; }), ErrorCode::kUsage);
}

TEST(Formula, LargeHeapsAreRefusedWhereNumbersMayNotFit) {
  const HeapRule rule = HeapRule::parse("n -> n - d*d*d : d < 10");
  EXPECT_EQ(moves_of(rule, 100'000).size(), 9u);
  EXPECT_THAT(std::string(testing_support::error_of([&] { moves_of(rule, 10'000'000); }).what()),
              HasSubstr("'n - d*d*d' may not fit into 64 bits in heaps larger than 1664510"));
}

}  // namespace
}  // namespace grundy
