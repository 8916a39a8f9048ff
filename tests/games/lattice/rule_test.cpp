// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <grundy/error.hpp>
#include <grundy/lattice/rule.hpp>

namespace grundy {
namespace {

using ::testing::HasSubstr;

std::string canonical(std::string_view text) {
  return LatticeRule::parse(text).canonical();
}

std::string fault(std::string_view text) {
  try {
    static_cast<void>(LatticeRule::parse(text));
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    return error.what();
  }
  ADD_FAILURE() << text << " was accepted";
  return {};
}

TEST(LatticeRule, CanonicalFormIsOneForAllSpellings) {
  const std::string wythoff = canonical("2: (1,0)* + (0,1)* + (1,1)*");
  EXPECT_EQ(canonical("2 : SYM(1,0)* + (1,1)* # both"), wythoff);
  EXPECT_EQ(canonical("2:(1,1)*+(1,1)+(1,1)*1..4+sym(0,1)*"), wythoff);
  EXPECT_EQ(canonical("2: (1,2) + (1,2)*{3,2}"), canonical("2: (1,2)*1..3"));
  EXPECT_EQ(canonical("3: box(3,1) + box(2,1) + box(2,3)"), canonical("3: sym box(1,2)"));
  EXPECT_EQ(canonical("2: band(2,1;3)"), canonical("2: band(1,2;3)"));
}

TEST(LatticeRule, CanonicalFormIsReadBack) {
  for (const std::string_view text :
       {"2: sym (1,0)* + (1,1)*", "2: (2,1)*{2,5} + (1,0)*1..7", "4: sym box(1,2) + (1,2,3,4)",
        "3: sym band(1,2;4) + pass", "3: chomp", "2: euclid + euclid0", "6: ends + balanced"}) {
    const LatticeRule rule = LatticeRule::parse(text);
    EXPECT_EQ(LatticeRule::parse(rule.canonical()), rule) << text;
  }
}

TEST(LatticeRule, MisereIsAWordOfTheRule) {
  const LatticeRule rule = LatticeRule::parse("2: Misere + (1,1)* + sym (1,0)*");
  EXPECT_EQ(rule.canonical(), "2: sym (1,0)* + (1,1)* + misere");
  EXPECT_EQ(LatticeRule::parse(rule.canonical()), rule);
  EXPECT_NE(rule, LatticeRule::parse("2: sym (1,0)* + (1,1)*"));
  EXPECT_TRUE(rule.symmetric());
  EXPECT_EQ(rule.terminal_value(), 1u);
  EXPECT_TRUE(rule.describe().ends_with("The player who cannot move wins (misère play)."));
  EXPECT_THROW(LatticeRule::parse("2: misere"), Error);
}

TEST(LatticeRule, SymmetryIsFoundOut) {
  for (const std::string_view text : {"2: (1,0)* + (0,1)*", "3: sym (1,1,0)", "3: (1,1,1)*",
                                      "2: euclid", "4: chomp", "3: sym box(1,3) + balanced"}) {
    EXPECT_TRUE(LatticeRule::parse(text).symmetric()) << text;
  }
  for (const std::string_view text :
       {"2: (1,0)*", "3: (1,1,0) + (1,0,1)", "2: (1,0)* + (0,1)*1..3", "3: ends",
        "4: box(1,2) + box(2,3) + box(3,4) + box(1,4)", "3: band(1,2;2)"}) {
    EXPECT_FALSE(LatticeRule::parse(text).symmetric()) << text;
  }
}

TEST(LatticeRule, FaultsAreNamedWithTheirPlace) {
  EXPECT_THAT(fault("2: (1,0)* + (0,0)"), HasSubstr("character 13: this move takes nothing"));
  EXPECT_THAT(fault("2: (1,0,1)"), HasSubstr("character 4: the step has 3 entries"));
  EXPECT_THAT(fault("2: (1,0)\n+ (1,x)"), HasSubstr("line 2, column 6: 'x' stands where a number"));
  EXPECT_THAT(fault("2: (1,-1)"), HasSubstr("character 7"));
  EXPECT_THAT(fault("2:"), HasSubstr("the text ends where a step"));
  EXPECT_THAT(fault("2: pass"), HasSubstr("no moves"));
  EXPECT_THAT(fault("9: ends"), HasSubstr("2 to 8 heaps, not 9"));
  EXPECT_THAT(fault("3: box(1,4)"), HasSubstr("there is no heap 4"));
  EXPECT_THAT(fault("3: band(1,1;2)"), HasSubstr("two different heaps"));
  EXPECT_THAT(fault("3: sym band(1,1;2)"), HasSubstr("two different heaps"));
  EXPECT_THAT(fault("3: box(1,2,1)"), HasSubstr("twice"));
  EXPECT_THAT(fault("2: (1,0)*1..65536 + (1,0)*65537..65600"), HasSubstr("65600 multiples"));
  EXPECT_THAT(fault("2: (1,0)*0..3"), HasSubstr("takes nothing"));
  EXPECT_THAT(fault("2: (1,0)*3..1"), HasSubstr("from the least to the largest"));
  EXPECT_THAT(fault("3: euclid"), HasSubstr("need 2 heaps"));
  EXPECT_THAT(fault("2: (99999999999,0)"), HasSubstr("larger than"));
  EXPECT_THAT(fault("2: (1,0)* (0,1)*"), HasSubstr("'+' or the end"));
  EXPECT_THAT(fault("2: sym chomp"), HasSubstr("after 'sym'"));
}

TEST(LatticeRule, TheEndsOfTwoHeapsAreBoth) {
  EXPECT_EQ(canonical("2: ends"), canonical("2: sym (1,0)*"));
  EXPECT_TRUE(LatticeRule::parse("2: ends + sym (1,1)").symmetric());
  EXPECT_FALSE(LatticeRule::parse("2: ends + (1,2)").symmetric());
}

// The text says what was written; engines read the ray.
TEST(LatticeRule, AsManyTokensFromTwoHeapsAreARay) {
  const LatticeMoves wythoff = LatticeRule::parse("2: sym (1,0)* + (1,1)*").moves();
  for (const char* text : {"2: sym (1,0)* + balanced", "2: sym (1,0)* + band(1,2;1)",
                           "2: sym (1,0)* + (1,1)*{1,5} "
                           "+ band(1,2;1) + balanced"}) {
    const LatticeRule rule = LatticeRule::parse(text);
    EXPECT_EQ(rule.moves(), wythoff) << text;
    EXPECT_EQ(LatticeRule::parse(rule.canonical()), rule) << text;
  }
  EXPECT_EQ(canonical("2: balanced + sym (1,0)*"), "2: sym (1,0)* + balanced");
  EXPECT_FALSE(LatticeRule::parse("2: balanced") == LatticeRule::parse("2: (1,1)*"));
  const LatticeRule three = LatticeRule::parse("3: balanced + band(1,3;1) + band(1,2;2)");
  EXPECT_EQ(three.moves().families, std::vector{LatticeFamily::kBalanced});
  EXPECT_EQ(three.moves().rays, LatticeRule::parse("3: (1,0,1)*").moves().rays);
  EXPECT_EQ(three.moves().bands.size(), 1U);
  EXPECT_EQ(three.written().bands.size(), 2U);
  EXPECT_TRUE(
      LatticeRule::parse("3: sym (1,0,0)* + band(1,2;1) + (1,0,1)* + (0,1,1)*").symmetric());
}

TEST(LatticeRule, WordsTellTheMoves) {
  EXPECT_EQ(LatticeRule::parse("2: sym (1,0)* + (1,1)* + pass").describe(),
            "Position: 2 heaps. A move: take any number of tokens from one heap; or take the same "
            "number of tokens, any, from each of the 2 heaps. Once in the game, from a position "
            "that has another move, a player may pass. The player who cannot move loses.");
  EXPECT_THAT(LatticeRule::parse("3: (1,0,1)*1..4").describe(),
              HasSubstr("take 1 to 4 tokens, the same number, from each of heaps 1 and 3"));
  EXPECT_THAT(LatticeRule::parse("3: sym box(1) + sym box(1,2)").describe(),
              HasSubstr("reduce one heap by any number of tokens; or reduce any 2 heaps, each by"));
  EXPECT_THAT(LatticeRule::parse("3: box(2) + box(1,2)").describe(),
              HasSubstr("reduce heap 2 by any number of tokens; or reduce heaps 1 and 2, each by"));
  EXPECT_THAT(LatticeRule::parse("2: (1,2)*").describe(),
              HasSubstr("take t times (1, 2) tokens from heaps 1 and 2, t >= 1"));
}

}  // namespace
}  // namespace grundy
