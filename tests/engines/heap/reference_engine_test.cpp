/// @file
/// The reference engine against an even plainer reading of the rules: all ordered splits, checked
/// one by one against the digit's text. Slow, and independent of how the engine enumerates.
// SPDX-License-Identifier: MIT
#include "engines/heap/reference_engine.hpp"

#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <grundy/error.hpp>

#include "heap_testing.hpp"
#include "support/errors.hpp"

namespace grundy {
namespace {

using testing_support::CollectSink;
using testing_support::error_of;
using testing_support::single_thread;
using testing_support::values_by;

bool fits(const std::vector<HeapSize>& heaps, SplitConstraint constraint) {
  const std::set<HeapSize> sizes(heaps.begin(), heaps.end());
  switch (constraint) {
    case SplitConstraint::kAny:
      return true;
    case SplitConstraint::kPairwiseUnequal:
      return sizes.size() == heaps.size();
    case SplitConstraint::kNotAllEqual:
      return sizes.size() > 1;
    case SplitConstraint::kAllEqual:
      return sizes.size() <= 1;
  }
  return false;
}

/// Adds the values of all ways to split `rest` further, `heaps` being those already there.
void add_splits(const Digit& digit, HeapSize rest, std::vector<HeapSize>& heaps,
                const std::vector<Nimber>& values, std::set<Nimber>& out) {
  if (rest == 0) {
    const auto constraint = digit.constraint(heaps.size());
    if (!constraint || !fits(heaps, *constraint)) return;
    Nimber sum = 0;
    for (const HeapSize heap : heaps) sum ^= values[heap];
    out.insert(sum);
    return;
  }
  for (HeapSize heap = 1; heap <= rest; ++heap) {
    heaps.push_back(heap);
    add_splits(digit, rest - heap, heaps, values, out);
    heaps.pop_back();
  }
}

std::vector<Nimber> by_ordered_splits(const TakeBreakRule& rule, HeapSize count) {
  std::vector<Nimber> values;
  for (HeapSize n = 0; n < count; ++n) {
    std::set<Nimber> options;
    for (HeapSize removed = 0; removed <= n; ++removed) {
      std::vector<HeapSize> heaps;
      add_splits(rule.digit(removed), n - removed, heaps, values, options);
    }
    Nimber mex = 0;
    while (options.contains(mex)) ++mex;
    values.push_back(mex);
  }
  return values;
}

class ReferenceCodes : public testing::TestWithParam<const char*> {};

TEST_P(ReferenceCodes, EqualAllOrderedSplits) {
  constexpr HeapSize kCount = 15;
  const HeapRule rule = HeapRule::parse(GetParam());
  EXPECT_EQ(values_by(ReferenceEngine(), rule, kCount),
            by_ordered_splits(*rule.take_break(), kCount));
}

INSTANTIATE_TEST_SUITE_P(Notations, ReferenceCodes,
                         testing::Values("0.77", "0.6", "0.007", "0.137", "4.0", "4.007", "0.0",
                                         "0.3", "4!.0", "4?.0", "4=.0", "0.4!3", "0.[3]", "4.[3]",
                                         "0.[7]", "0.1[25]", "0.3F", "hex:0.8", "0.C!3", "0.0C?",
                                         "0.0C=", "hex:8!.0", "hex:8?.2", "hex:8=.3", "0.0G!",
                                         "0.0G?", "0.0V", "0.*", "0.0*!", "0.1*?", "0.1*=",
                                         "0.{2!,3?}", "0.0{2,3=+}", "0.{0,2+}", "0.{3+}?"));

TEST(Reference, SubtractionGames) {
  const auto check = [](std::string_view notation, const std::vector<HeapSize>& set) {
    constexpr HeapSize kCount = 60;
    std::vector<Nimber> values;
    for (HeapSize n = 0; n < kCount; ++n) {
      std::set<Nimber> options;
      for (const HeapSize s : set) {
        if (s <= n) options.insert(values[n - s]);
      }
      Nimber mex = 0;
      while (options.contains(mex)) ++mex;
      values.push_back(mex);
    }
    EXPECT_EQ(values_by(ReferenceEngine(), HeapRule::parse(notation), kCount), values) << notation;
  };
  check("S{2,5,7}", {2, 5, 7});
  check("S{squares}", {1, 4, 9, 16, 25, 36, 49});
  check("S{primes}", {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59});
  check("S{factorials}", {1, 2, 6, 24});
  check("S{fibonacci}", {1, 2, 3, 5, 8, 13, 21, 34, 55});
  std::vector<HeapSize> all_but;
  for (HeapSize s = 1; s < 60; ++s) {
    if (s != 2 && s != 7) all_but.push_back(s);
  }
  check("AllBut{2,7}", all_but);
}

TEST(Reference, BlocksDoNotMatter) {
  const HeapRule rule = HeapRule::parse("0.77");
  const auto whole = values_by(ReferenceEngine(), rule, 3000);
  for (const HeapSize block : {1, 7, 1000, 5000}) {
    CollectSink sink;
    const HeapTask task{.rule = rule,
                        .count = 3000,
                        .kernels = select_kernels("auto"),
                        .executor = single_thread(),
                        .stop = {},
                        .block = block};
    EXPECT_EQ(ReferenceEngine().run(task, sink), RunStatus::kComplete);
    EXPECT_EQ(sink.values(), whole);
  }
}

// The contract that all engines share, for every engine there is.
class EveryEngine : public testing::TestWithParam<const HeapEngine*> {
 protected:
  [[nodiscard]] HeapRule rule() const {
    for (const char* notation : {"0.77", "S{1,3,4}"}) {
      HeapRule rule = HeapRule::parse(notation);
      if (GetParam()->refusal(rule).empty()) return rule;
    }
    return HeapRule::parse("n -> n - 1, floor(n/2)");
  }
  HeapTask task(const HeapRule& rule, HeapSize count) const {
    return {.rule = rule,
            .count = count,
            .kernels = select_kernels("auto"),
            .executor = single_thread(),
            .stop = {},
            .block = 100};
  }
};

INSTANTIATE_TEST_SUITE_P(Engines, EveryEngine,
                         testing::ValuesIn(heap_engines().begin(), heap_engines().end()),
                         [](const auto& engine) { return std::string(engine.param->name()); });

TEST_P(EveryEngine, AnEmptyTableNeedsNoBlock) {
  const HeapRule game = rule();
  CollectSink sink;
  EXPECT_EQ(GetParam()->run(task(game, 0), sink), RunStatus::kComplete);
  EXPECT_TRUE(sink.values().empty());
}

TEST_P(EveryEngine, StopsWhenTheSinkHasEnough) {
  const HeapRule game = rule();
  CollectSink sink(250);
  EXPECT_EQ(GetParam()->run(task(game, 100000), sink), RunStatus::kStoppedBySink);
  EXPECT_GE(sink.values().size(), 250u);
  EXPECT_LT(sink.values().size(), 100000u);
}

TEST_P(EveryEngine, StopsWhenItIsTold) {
  const HeapRule game = rule();
  std::stop_source source;
  source.request_stop();
  HeapTask stopped = task(game, 100000);
  stopped.stop = source.get_token();
  CollectSink sink;
  EXPECT_EQ(GetParam()->run(stopped, sink), RunStatus::kCancelled);
  EXPECT_LT(sink.values().size(), 100000u);
}

TEST_P(EveryEngine, ReportsRisingProgressUpToTheEnd) {
  struct Watch : ProgressSink {
    void report(const Progress& progress) override {
      EXPECT_GE(progress.done, last.done);
      EXPECT_GE(progress.share(), last.share());
      EXPECT_EQ(progress.total, 1000u);
      last = progress;
    }
    Progress last;
  } watch;
  const HeapRule game = rule();
  HeapTask watched = task(game, 1000);
  watched.progress = &watch;
  CollectSink sink;
  EXPECT_EQ(GetParam()->run(watched, sink), RunStatus::kComplete);
  EXPECT_EQ(watch.last.done, 1000u);
  EXPECT_DOUBLE_EQ(watch.last.share(), 1.0);
}

TEST_P(EveryEngine, PassesOnTheErrorOfASink) {
  struct Full : ValueSink {
    Flow put(const Stretch&) override { throw Error(ErrorCode::kFailure, "full"); }
  } sink;
  const HeapRule game = rule();
  EXPECT_THROW(GetParam()->run(task(game, 1000), sink), Error);
}

TEST_P(EveryEngine, HasANameThatSelectsItAndWordsThatDescribeIt) {
  EXPECT_EQ(&select_heap_engine(GetParam()->name(), rule(), 100), GetParam());
  EXPECT_FALSE(GetParam()->summary().empty());
  EXPECT_GE(GetParam()->memory_bytes(rule(), 1000, 9), 1000u);
}

TEST(SelectEngine, AutoAcceptsEveryRule) {
  for (const char* notation :
       {"0.77", "0.3F", "hex:8!.0", "0.1*?", "S{1,2}", "S{primes}", "4!.0", "n -> n - d : d | n"}) {
    const HeapRule rule = HeapRule::parse(notation);
    EXPECT_EQ(select_heap_engine("auto", rule, 100).refusal(rule), "") << notation;
  }
}

TEST(SelectEngine, NoNameLeavesTheChoice) {
  for (const char* notation : {"0.77", "S{1,2}", "n -> n - d : d | n"}) {
    const HeapRule rule = HeapRule::parse(notation);
    EXPECT_EQ(&select_heap_engine("", rule, 10'000), &select_heap_engine("auto", rule, 10'000));
  }
}

TEST(SelectEngine, RefusalsNameTheEnginesThatCan) {
  const HeapRule rule = HeapRule::parse("0.77");
  const Error unknown = error_of([&] { select_heap_engine("fast", rule, 100); });
  EXPECT_EQ(unknown.code(), ErrorCode::kUsage);
  EXPECT_STREQ(unknown.what(),
               "there is no engine for one heap 'fast'; engines for 0.77: auto, sparse, dense, "
               "reference");
  const Error refused = error_of([&] { select_heap_engine("Formula", rule, 100); });
  EXPECT_EQ(refused.code(), ErrorCode::kUsage);
  EXPECT_THAT(refused.what(),
              ::testing::MatchesRegex("engine 'formula' cannot compute 0.77 because .*; engines "
                                      "for 0.77: auto, sparse, dense, reference"));
}

}  // namespace
}  // namespace grundy
