/// @file
/// Games in which one heap has a pass, by every engine and by the definition in a few lines.
// SPDX-License-Identifier: MIT
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <grundy/error.hpp>
#include <grundy/heap/outcomes.hpp>

#include "engines/heap/auto_engine.hpp"
#include "engines/heap/heap_testing.hpp"
#include "engines/heap/known_values.hpp"
#include "engines/heap/pass_values.hpp"

namespace grundy {
namespace {

using testing_support::CollectSink;
using testing_support::pass_values;

/// The masks of the digits of an octal or hexadecimal code, the one before the point first.
std::string text_of(const std::vector<unsigned>& digits) {
  std::string text = "hex:";
  for (std::size_t i = 0; i < digits.size(); ++i) {
    text += "0123456789ABCDEF"[digits[i]];
    if (i == 0) text += '.';
  }
  return text;
}

std::vector<Nimber> run(const HeapEngine& engine, const HeapRule& rule, HeapSize count,
                        std::size_t threads, const KnownValues* known = nullptr) {
  const auto executor = make_executor(threads, "threads");
  HeapTask task{rule, count, select_kernels("auto"), *executor, {}};
  task.known = known;
  CollectSink sink;
  std::vector<Nimber> values;
  HeapSize begin = known != nullptr ? known->count() : 0;
  SinkOf collect([&](const Stretch& block) {
    EXPECT_EQ(block.begin, begin);
    begin = block.end();
    for (HeapSize i = 0; i < block.values.size(); ++i) values.push_back(block.values[i]);
  });
  EXPECT_EQ(engine.run(task, collect), RunStatus::kComplete);
  return values;
}

TEST(Pass, AllEnginesAgreeWithTheDefinition) {
  std::mt19937 source(18);
  const auto draw = [&source](std::size_t limit) {
    return static_cast<unsigned>(source() % limit);
  };
  for (int game = 0; game < 60; ++game) {
    const bool octal = game % 3 != 0;
    std::vector<unsigned> digits = {draw(2) * 4};
    for (unsigned left = 1 + draw(5); left > 0; --left) {
      digits.push_back(draw(octal ? 8 : 16));
    }
    const HeapSize count = octal ? 900 : 110;
    const HeapSize pass = 1 + draw(game % 2 == 0 ? 12 : octal ? 800 : 100);
    const HeapRule rule = HeapRule::parse(text_of(digits) + " pass " + std::to_string(pass));
    SCOPED_TRACE(rule.canonical());
    const std::vector<Nimber> expected = pass_values(digits, pass, count);
    std::vector<const HeapEngine*> engines(heap_engines().begin(), heap_engines().end());
    const AutoEngine automatic;
    engines.push_back(&automatic);
    for (const HeapEngine* engine : engines) {
      if (!engine->refusal(rule).empty()) continue;
      for (const std::size_t threads : {1, 2}) {
        EXPECT_EQ(run(*engine, rule, count, threads), expected) << engine->name();
      }
      for (const HeapSize known : {HeapSize{320}, HeapSize{640}}) {
        if (known >= count) continue;
        const HeldValues held(std::span<const Nimber>(expected).first(known));
        const std::vector<Nimber> rest = run(*engine, rule, count, 1, &held);
        if (rest.size() == count) continue;  // begins at heap 0 all the same
        EXPECT_EQ(rest, std::vector<Nimber>(expected.begin() + static_cast<std::ptrdiff_t>(known),
                                            expected.end()))
            << engine->name();
      }
    }
  }
}

TEST(Pass, EnginesThatKnowNoPassRefuse) {
  const HeapRule rule = HeapRule::parse("0.33 pass 4");
  EXPECT_EQ(select_heap_engine("auto", rule, 10'000).name(), "dense");
  EXPECT_THROW(select_heap_engine("subtraction", rule, 100), Error);
  EXPECT_FALSE(detail::named_heap_engine("dense").is_shared(rule));
  EXPECT_FALSE(outcomes_refusal(rule, false, 100).empty());
  EXPECT_FALSE(outcomes_refusal(rule, true, 100).empty());
}

}  // namespace
}  // namespace grundy
