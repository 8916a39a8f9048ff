/// @file
/// Sequences that are partly periodic and partly arithmetic periodic: found, proved, and never
/// contradicted by longer tables.
// SPDX-License-Identifier: MIT
#include "theory/mixed_saltus.hpp"

#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/heap/pass_values.hpp"
#include "theory/analysis_testing.hpp"

namespace grundy {
namespace {

using testing_support::pass_values;

std::optional<MixedPattern> pattern_in(const char* game, const std::vector<Nimber>& values,
                                       HeapSize size) {
  return find_mixed_pattern(HeapRule::parse(game), std::span<const Nimber>(values).first(size));
}

void expect_pattern(const std::vector<Nimber>& values, const MixedPattern& pattern) {
  for (HeapSize n = pattern.preperiod; n + pattern.period < values.size(); ++n) {
    ASSERT_EQ(values[n + pattern.period], values[n] + pattern.saltus[n % pattern.period]) << n;
  }
}

TEST(MixedSaltus, IsProvedOfTwoGamesWithAPass) {
  const auto values = pass_values({4, 3, 6, 4, 6}, 4, 1500);
  const auto pattern = pattern_in("4.3646 pass 4", values, 400);
  ASSERT_TRUE(pattern);
  EXPECT_TRUE(pattern->proved);
  EXPECT_EQ(pattern->period, 24);
  for (HeapSize r = 0; r < 24; ++r) EXPECT_EQ(pattern->saltus[r], r % 4 == 3 ? 16 : 0) << r;
  expect_pattern(values, *pattern);

  const auto others = pass_values({0, 1, 1, 1, 2, 6}, 2, 1500);
  const auto other = pattern_in("0.11126 pass 2", others, 400);
  ASSERT_TRUE(other);
  EXPECT_TRUE(other->proved);
  EXPECT_EQ(other->period, 14);
  expect_pattern(others, *other);
}

TEST(MixedSaltus, IsNotProvedBeforeThePassOrOfOtherValues) {
  auto values = pass_values({4, 3, 6, 4, 6}, 4, 400);
  const auto later = pattern_in("4.3646 pass 450", values, 400);
  ASSERT_TRUE(later);
  EXPECT_FALSE(later->proved) << "the heap with the pass is not among the values";
  // The same values are not those of this game, which splits in another way.
  const auto splits = pattern_in("4.7646 pass 4", values, 400);
  ASSERT_TRUE(splits);
  EXPECT_FALSE(splits->proved);
  const auto unequal = pattern_in("4!.3646 pass 4", values, 400);
  ASSERT_TRUE(unequal);
  EXPECT_FALSE(unequal->proved);
}

TEST(MixedSaltus, ProofsHoldInLongerTables) {
  std::mt19937 source(3);
  const auto draw = [&source](std::size_t limit) {
    return static_cast<unsigned>(source() % limit);
  };
  int found = 0;
  for (int game = 0; game < 3000; ++game) {
    std::string code = draw(2) == 0 ? "0." : "4.";
    std::vector<unsigned> digits = {code[0] == '4' ? 4u : 0u};
    for (unsigned left = 1 + draw(5); left > 0; --left) {
      digits.push_back(draw(8));
      code += static_cast<char>('0' + digits.back());
    }
    const HeapSize pass = 1 + draw(12);
    const auto rule = HeapRule::parse(code + " pass " + std::to_string(pass));
    const auto values =
        testing_support::values_by(select_heap_engine("dense", rule, 160), rule, 160);
    const auto pattern = find_mixed_pattern(rule, values);
    if (!pattern || !pattern->proved) continue;
    ++found;
    expect_pattern(pass_values(digits, pass, 640), *pattern);
  }
  EXPECT_GT(found, 0);
}

}  // namespace
}  // namespace grundy
