/// @file
/// Sequences that are partly periodic and partly arithmetic periodic: found, proved, and never
/// contradicted by longer tables.
// SPDX-License-Identifier: MIT
#include "theory/mixed_saltus.hpp"

#include <random>
#include <stop_token>
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

TEST(MixedSaltus, InWords) {
  MixedPattern pattern{.preperiod = 8, .period = 4, .saltus = {0, 0, 0, 16}};
  EXPECT_EQ(to_words(pattern),
            "period 4 from heap 8 on, with the saltus 16 at n = 3 (modulo 4), and 0 elsewhere");
  pattern.saltus = {2, 2, 2, 16};
  EXPECT_EQ(to_words(pattern),
            "period 4 from heap 8 on, with the saltus 2 at n = 0, 1, 2; 16 at n = 3 (modulo 4)");
  pattern.period = 20;
  pattern.saltus.assign(20, 8);
  pattern.saltus[0] = 0;
  EXPECT_EQ(to_words(pattern),
            "period 20 from heap 8 on, with the saltus 8 at n = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, "
            "12 and 7 more (modulo 20), and 0 elsewhere");
}

TEST(MixedSaltus, IsNotProvedWhereTheSearchIsStopped) {
  const auto values = pass_values({4, 3, 6, 4, 6}, 4, 400);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE(find_mixed_pattern(HeapRule::parse("4.3646 pass 4"), values, stop.get_token()));
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
  struct Head {
    std::vector<unsigned> digits;
    HeapSize pass;
  };
  const std::vector<Head> heads = {
      {{4, 3, 6, 4, 6}, 4}, {{0, 1, 1, 1, 2, 6}, 2}, {{0, 6, 1, 1, 1}, 5}, {{4, 3, 6}, 4}};
  std::mt19937 source(3);
  int found = 0;
  for (int game = 0; game < 600; ++game) {
    Head head = heads[source() % heads.size()];
    for (auto left = source() % 5; left > 0; --left) {
      head.digits.push_back(static_cast<unsigned>(source() % 8));
    }
    std::string code;
    for (const unsigned digit : head.digits) {
      code += static_cast<char>('0' + digit);
      if (code.size() == 1) code += '.';
    }
    const auto rule = HeapRule::parse(code + " pass " + std::to_string(head.pass));
    const auto values =
        testing_support::values_by(select_heap_engine("dense", rule, 200), rule, 200);
    const auto pattern = find_mixed_pattern(rule, values);
    if (!pattern || !pattern->proved) continue;
    ++found;
    SCOPED_TRACE(rule.canonical());
    expect_pattern(pass_values(head.digits, head.pass, 700), *pattern);
  }
  EXPECT_GT(found, 20);
}

}  // namespace
}  // namespace grundy
