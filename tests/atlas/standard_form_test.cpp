// SPDX-License-Identifier: MIT
#include "atlas/standard_form.hpp"

#include <random>

#include <gtest/gtest.h>

#include <grundy/heap/engine.hpp>
#include <grundy/machine.hpp>

#include "atlas/classes.hpp"
#include "kernels/kernels.hpp"
#include "support/collect_sink.hpp"

namespace grundy::atlas {
namespace {

/// The first values by the definition.
std::vector<Nimber> values_of(const HeapRule& rule, HeapSize count) {
  testing_support::CollectSink sink;
  const auto executor = make_executor(1, "threads");
  select_heap_engine("reference", rule, count)
      .run({.rule = rule,
            .count = count,
            .kernels = select_kernels("auto"),
            .executor = *executor,
            .stop = {}},
           sink);
  return sink.values();
}

StandardForm form_of(const std::string& text) {
  return standard_form(HeapRule::parse(text)).value();
}

TEST(StandardForm, IsThatOfTheLiterature) {
  const auto expect = [](const std::string& code, const std::string& form, HeapSize shift) {
    EXPECT_EQ(notation(form_of(code).code), form) << code;
    EXPECT_EQ(form_of(code).shift, shift) << code;
  };
  expect("0.77", "0.77", 0);
  expect("0.07", "0.137", 1);     // Dawson's Kayles; OEIS A002187
  expect("4.0", "0.7", 1);        // take nothing, split: Nim-like .7
  expect("0.007", "0.11337", 2);  // Treblecross; OEIS A071426
  expect("0.04", "0.11337", 3);
  expect("0.6", "0.37", 1);  // Officers
  expect("S{2,3}", "0.133", 1);
}

TEST(StandardForm, HasNoneWhereDigitsDoNotTellTheRule) {
  for (const char* text : {"4!.0", "0.[3]", "S{squares}", "AllBut{2}", "S{1,300}", "0.0"}) {
    EXPECT_FALSE(standard_form(HeapRule::parse(text))) << text;
  }
}

/// Codes of up to three heaps; about half of them cannot take a heap of one.
std::vector<HeapRule> random_codes(unsigned digits, unsigned count) {
  std::mt19937 random(7);
  std::vector<HeapRule> rules;
  while (rules.size() < count) {
    TakeBreakRule rule;
    for (unsigned i = 0; i <= digits; ++i) {
      Digit digit;
      digit.heaps[0] = random() % 16 & random() % 16;
      if (i == 0) digit.heaps[0] &= 12;
      rule.digits.push_back(digit);
    }
    if (HeapRule made(rule); standard_form(made)) rules.push_back(std::move(made));
  }
  return rules;
}

TEST(StandardForm, ShiftsValues) {
  constexpr HeapSize kCount = 120;
  for (const HeapRule& rule : random_codes(4, 60)) {
    const StandardForm form = standard_form(rule).value();
    const auto values = values_of(rule, kCount);
    const auto shifted = values_of(HeapRule::parse(notation(form.code)), kCount - form.shift);
    for (HeapSize n = 0; n < form.shift; ++n) ASSERT_EQ(values[n], 0u) << rule.canonical();
    for (HeapSize n = 0; n + form.shift < kCount; ++n) {
      ASSERT_EQ(values[n + form.shift], shifted[n]) << rule.canonical() << " heap " << n;
    }
    EXPECT_EQ(shifted[1], 1u);
  }
}

TEST(StandardForm, RedundantMovesChangeNoValue) {
  constexpr HeapSize kCount = 140;
  std::size_t added = 0;
  for (const HeapRule& rule : random_codes(3, 60)) {
    const StandardForm form = standard_form(rule).value();
    const auto values = values_of(rule, kCount);
    const auto more = with_redundant_moves(form, std::span<const Nimber>(values));
    ASSERT_TRUE(more) << rule.canonical();
    const auto again = values_of(HeapRule::parse(notation(*more)), kCount - form.shift);
    for (HeapSize n = 0; n + form.shift < kCount; ++n) {
      ASSERT_EQ(values[n + form.shift], again[n]) << rule.canonical() << " heap " << n;
    }
    PlainCode padded = form.code;
    padded.resize(more->size());
    added += padded != *more;
  }
  EXPECT_GT(added, 30u);
}

TEST(StandardForm, RedundantMovesNeedEnoughValues) {
  const auto values = values_of(HeapRule::parse("0.07"), kReach + 2);
  const StandardForm form = form_of("0.07");
  EXPECT_TRUE(with_redundant_moves(form, std::span<const Nimber>(values)));
  EXPECT_FALSE(with_redundant_moves(form, std::span<const Nimber>(values).first(kReach + 1)));
}

}  // namespace
}  // namespace grundy::atlas
