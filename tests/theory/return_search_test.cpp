/// @file
/// The search for a period in constant memory, on sequences whose preperiods and periods are known.
// SPDX-License-Identifier: MIT
#include "theory/return_search.hpp"

#include <gtest/gtest.h>

#include <grundy/error.hpp>

#include "theory/return_testing.hpp"

namespace grundy {
namespace {

using namespace testing_support;  // NOLINT(google-build-using-namespace)

constexpr HeapSize kLongestTake = 2;
constexpr HeapSize kLeast = 64;

/// The values that a search needs to go on from the state.
struct NewestOf {
  NewestOf(const Sequence& sequence, const ReturnState& state) {
    for (HeapSize n = state.end - state.newest; n < state.end; ++n) {
      numbers.push_back(sequence.at(n));
    }
  }
  [[nodiscard]] Values values() const { return std::span<const Nimber>(numbers); }

  std::vector<Nimber> numbers;
};

/// Hands everything to a search.
class Watcher final : public ValueSink {
 public:
  explicit Watcher(ReturnSearch begun) : search(std::move(begun)) {}
  Flow put(const Stretch& block) override {
    return search.observe(block) ? Flow::kStop : Flow::kContinue;
  }

  ReturnSearch search;
};

/// The result for at most `most` values that come in random blocks. The search is resumed from its
/// state where `interrupted` says so.
std::optional<Return> found_in(const Sequence& sequence, const SparseFacts& facts, HeapSize most,
                               HeapSize longest_block, Random& random,
                               const std::function<bool()>& interrupted, HeapSize least = kLeast) {
  Watcher watcher(ReturnSearch(kLongestTake, least));
  for (HeapSize begin = 0; begin < most;) {
    const HeapSize end = std::min(most, begin + 1 + random() % longest_block);
    SparseFacts known = facts;
    known.count = end;
    if (put_values(sequence, begin, end, &known, watcher) == Flow::kStop) break;
    begin = end;
    if (!interrupted()) continue;
    const ReturnState state = watcher.search.state();
    watcher.search = ReturnSearch(kLongestTake, state, NewestOf(sequence, state).values(), least);
    EXPECT_EQ(watcher.search.state(), state);
    begin -= random() % std::min(begin, longest_block);  // these are handed over again
  }
  return watcher.search.found();
}

/// The latest number of values after which a return is noticed.
HeapSize latest(const Sequence& sequence, HeapSize window) {
  return 2 * std::max(sequence.preperiod + window, sequence.period) + sequence.period;
}

/// @return whether all is right
bool is_found(const Sequence& sequence, Random& random) {
  const HeapSize most = latest(sequence, kLeast);
  const SparseFacts facts = facts_of(sequence, random, most);
  const auto at_once = found_in(sequence, facts, most, most, random, [] { return false; });
  if (!at_once) return false;
  EXPECT_EQ(at_once->period, sequence.period);
  EXPECT_GE(at_once->first, sequence.preperiod);
  EXPECT_EQ(at_once->facts.last_rare, facts.last_rare);
  EXPECT_LE(at_once->facts.count, most);
  const auto in_blocks = found_in(sequence, facts, most, 1 + random() % 500, random,
                                  [&] { return random() % 4 == 0; });
  EXPECT_EQ(at_once, in_blocks);
  return !testing::Test::HasFailure();
}

TEST(ReturnSearch, FindsTheLeastPeriodOfRandomSequences) {
  Random random(1);
  for (int i = 0; i < 3000; ++i) {
    const Nimber limit = std::array<Nimber, 6>{2, 3, 9, 250, 300, 70000}[random() % 6];
    const HeapSize most = HeapSize{4} << (random() % 10);
    const Sequence sequence = random_sequence(random, random() % most, 1 + random() % most, limit);
    ASSERT_TRUE(is_found(sequence, random))
        << i << ": " << sequence.preperiod << " + " << sequence.period << ", " << limit;
  }
}

TEST(ReturnSearch, FindsTheLeastPeriodOfRandomRecurrences) {
  Random random(2);
  for (int i = 0; i < 2000; ++i) {
    const Sequence sequence =
        random_recurrence(random, 1 + random() % 6, static_cast<Nimber>(2 + random() % 9));
    ASSERT_TRUE(is_found(sequence, random))
        << i << ": " << sequence.preperiod << " + " << sequence.period;
  }
}

// A short period with a few exceptions in every window.
TEST(ReturnSearch, IsNotDeceivedByNearRepetitions) {
  Random random(3);
  for (int i = 0; i < 500; ++i) {
    const Sequence small = random_sequence(random, 0, 1 + random() % 12, 5);
    Sequence sequence{{}, random() % 300, 100 + random() % 3000};
    const HeapSize count = sequence.preperiod + sequence.period;
    for (HeapSize n = 0; n < count; ++n) sequence.values.push_back(small.at(n));
    for (HeapSize n = 0; n < count; n += 1 + random() % (kLeast / 8)) {
      sequence.values[n] = static_cast<Nimber>(5 + random() % 40);
    }
    sequence.reduce();
    ASSERT_TRUE(is_found(sequence, random))
        << i << ": " << sequence.preperiod << " + " << sequence.period;
  }
}

// The depth grows within the preperiod, so that remembered values become too few.
TEST(ReturnSearch, RemembersMoreWhenTheFactsNeedMore) {
  Random random(4);
  for (int i = 0; i < 300; ++i) {
    const Sequence sequence =
        random_sequence(random, 200 + random() % 2000, 1 + random() % 2000, 200);
    const HeapSize grows = random() % sequence.preperiod;
    Watcher watcher(ReturnSearch(kLongestTake, kLeast));
    SparseFacts facts{.mask = 1, .depth = 10};
    const HeapSize window = 800;
    const HeapSize most = 2 * latest(sequence, window);
    for (HeapSize begin = 0; begin < most;) {
      const HeapSize end = begin + 1 + random() % 100;
      if (begin >= grows) facts.depth = 397;
      facts.count = end;
      if (put_values(sequence, begin, end, &facts, watcher) == Flow::kStop) break;
      begin = end;
    }
    const auto& found = watcher.search.found();
    ASSERT_TRUE(found) << i;
    EXPECT_EQ(found->period, sequence.period);
    EXPECT_GE(found->first, sequence.preperiod);
    EXPECT_GE(found->facts.count - found->period - found->first, HeapSize{400});
  }
}

TEST(ReturnSearch, NeedsTheSparseSpace) {
  Random random(5);
  const Sequence sequence = random_sequence(random, 0, 10, 5);
  Watcher watcher(ReturnSearch(kLongestTake, kLeast));
  put_values(sequence, 0, 5000, nullptr, watcher);
  EXPECT_FALSE(watcher.search.found());
  SparseFacts facts{.mask = 1, .count = 5020};
  put_values(sequence, 5000, 5020, &facts, watcher);  // what was seen before is remembered
  ASSERT_TRUE(watcher.search.found());
  EXPECT_EQ(watcher.search.found()->period, 10u);
  // A rare heap behind the first return contradicts it.
  Watcher other(ReturnSearch(kLongestTake, kLeast));
  facts = {.mask = 1, .last_rare = 4990, .count = 5000};
  put_values(sequence, 0, 5000, &facts, other);
  EXPECT_FALSE(other.search.found());
}

// With windows of the usual length; a value of 300 comes late and widens what is remembered.
TEST(ReturnSearch, LongWindows) {
  Random random(6);
  for (const bool wide : {false, true}) {
    Sequence sequence = random_sequence(random, 50000, 120001, 40);
    if (wide) sequence.values[sequence.preperiod + 77777] = 300;
    const HeapSize most = latest(sequence, ReturnSearch::kLeastWindow);
    const SparseFacts facts{.mask = 1, .last_rare = 12, .depth = 800};
    const auto never = [] { return false; };
    const auto often = [&] { return random() % 3 == 0; };
    const auto at_once =
        found_in(sequence, facts, most, most, random, never, ReturnSearch::kLeastWindow);
    ASSERT_TRUE(at_once);
    EXPECT_EQ(at_once->period, sequence.period);
    EXPECT_EQ(at_once,
              found_in(sequence, facts, most, 100000, random, often, ReturnSearch::kLeastWindow));
  }
}

// Preperiods and periods of octal_periods.csv.
TEST(ReturnSearch, ProvesKnownPeriods) {
  for (const auto& [code, preperiod, period] : {std::tuple{"0.77", 71, 12},
                                                {"0.16", 105351, 149459},
                                                {"0.127", 46578, 4},
                                                {"0.356", 7315, 142}}) {
    const PeriodReport report = period_by_return(code, 800'000);
    EXPECT_EQ(facts(report), certified(preperiod, period)) << code;
    EXPECT_EQ(report.verified_to, report.sparse.value().count) << code;
  }
}

// As a run does that was begun without a search.
TEST(ReturnSearch, BeginsAnywhere) {
  Random random(8);
  const Sequence sequence = random_sequence(random, 900, 1000, 50);
  Watcher watcher(ReturnSearch(kLongestTake, {.end = 700}, {}, kLeast));
  SparseFacts facts{.mask = 1, .last_rare = 20};
  for (HeapSize begin = 650; begin < 6000 && !watcher.search.found(); begin += 37) {
    facts.count = begin + 37;
    put_values(sequence, begin, begin + 37, &facts, watcher);
  }
  ASSERT_TRUE(watcher.search.found());
  EXPECT_EQ(watcher.search.found()->period, sequence.period);
  EXPECT_GE(watcher.search.found()->first, sequence.preperiod);
}

// A window that takes too much memory is not looked for. Once a shorter one is enough, it is looked
// for, also by a search that was interrupted.
TEST(ReturnSearch, GivesUpWhereTheWindowIsTooLong) {
  Random random(9);
  const Sequence sequence = random_sequence(random, 900, 1000, 50);
  std::optional<Return> first;
  for (const bool interrupted : {false, true}) {
    Watcher watcher(ReturnSearch(kLongestTake, kLeast));
    SparseFacts facts{.mask = 1, .last_rare = 20};
    for (HeapSize begin = 0; begin < 9000 && !watcher.search.found(); begin += 100) {
      facts.count = begin + 100;
      facts.depth = begin < 2000 ? 40 : begin < 4000 ? ReturnSearch::kLargestWindow : 30;
      put_values(sequence, begin, facts.count, &facts, watcher);
      const ReturnState state = watcher.search.state();
      const bool gives_up = facts.depth == ReturnSearch::kLargestWindow;
      EXPECT_EQ(watcher.search.has_given_up(), gives_up);
      EXPECT_EQ(!state.found && state.newest == 0 && state.remembered.size() == 0, gives_up);
      EXPECT_EQ(watcher.search.newest().size(), state.newest);
      if (!interrupted) continue;
      watcher.search =
          ReturnSearch(kLongestTake, state, NewestOf(sequence, state).values(), kLeast);
    }
    ASSERT_TRUE(watcher.search.found());
    EXPECT_EQ(watcher.search.found()->period, sequence.period);
    EXPECT_GE(watcher.search.found()->first, HeapSize{4000});
    if (!interrupted) first = watcher.search.found();
    EXPECT_EQ(watcher.search.found(), first);
  }
}

// Two windows, unless these are too short or too long.
TEST(ReturnSearch, WatchesTwiceWhatTheCertificateNeeds) {
  const auto watched = [](const SparseFacts& facts) { return ReturnSearch::watched(facts, 2); };
  EXPECT_EQ(watched({.mask = 0, .last_rare = 20}), 0u);
  EXPECT_EQ(watched({.mask = 1, .last_rare = 20}), ReturnSearch::kLeastWindow);
  EXPECT_EQ(watched({.mask = 1, .last_rare = 49'997, .depth = 100}), 100'000u);
  EXPECT_EQ(watched({.mask = 1, .depth = ReturnSearch::kLargestWindow - 3}),
            ReturnSearch::kLargestWindow);
  EXPECT_EQ(watched({.mask = 1, .depth = ReturnSearch::kLargestWindow}), 0u);
}

TEST(ReturnSearch, RefusesGapsAndStatesThatContradictThemselves) {
  Random random(7);
  const Sequence sequence = random_sequence(random, 0, 1000, 5);
  Watcher watcher(ReturnSearch(kLongestTake, kLeast));
  const SparseFacts facts{.mask = 1, .count = 300};
  put_values(sequence, 0, 300, &facts, watcher);
  EXPECT_THROW(put_values(sequence, 301, 302, &facts, watcher), Error);
  const ReturnState state = watcher.search.state();
  ASSERT_FALSE(state.remembered.size() == 0);
  const auto refuses = [&](auto change) {
    ReturnState bad = state;
    change(bad);
    const NewestOf newest(sequence, state);
    EXPECT_THROW(ReturnSearch(kLongestTake, bad, newest.values(), kLeast), Error);
  };
  refuses([](ReturnState& s) { s.newest = 0; });
  refuses([](ReturnState& s) { s.remembered.move_to(s.end + 1); });
  refuses([](ReturnState& s) { s.remembered.move_to(5); });
  refuses([](ReturnState& s) { s.end = 3; });
  refuses([](ReturnState& s) { s.remembered.keep(3); });
  refuses([](ReturnState& s) { s.found = Return{}; });
}

TEST(ReturnSearch, RemembersWhatItHasFoundAndWhatItHasRuledOut) {
  Random random(9);
  const Sequence sequence = random_sequence(random, 900, 1000, 50);
  Watcher watcher(ReturnSearch(kLongestTake, kLeast));
  SparseFacts facts{.mask = 1, .last_rare = 20};
  EXPECT_FALSE(watcher.search.ruled_out());
  HeapSize begin = 0;
  for (; !watcher.search.found(); begin += 37) {
    facts.count = begin + 37;
    put_values(sequence, begin, begin + 37, &facts, watcher);
    if (const auto ruled_out = watcher.search.ruled_out()) {
      EXPECT_TRUE(sequence.period > ruled_out->longest || sequence.preperiod > ruled_out->first);
      EXPECT_LE(ruled_out->first + ruled_out->longest + kLeast, begin + 37);
      EXPECT_GE(4 * ruled_out->longest + 4 * kLeast, begin) << "it is not less than that for long";
    }
  }
  EXPECT_FALSE(watcher.search.ruled_out());
  const ReturnState state = watcher.search.state();
  EXPECT_TRUE(state.remembered.size() == 0 && state.newest == 0);
  ReturnSearch later(kLongestTake, state, {}, kLeast);
  EXPECT_EQ(later.found(), watcher.search.found());
  EXPECT_EQ(later.state(), state);
  ReturnState changed = state;
  changed.found->facts.depth = 5000;
  EXPECT_THROW(ReturnSearch(kLongestTake, changed, {}, kLeast), Error) << "the window is too short";
  changed = state;
  changed.found->facts.count = state.end + 1;
  EXPECT_THROW(ReturnSearch(kLongestTake, changed, {}, kLeast), Error);
}

}  // namespace
}  // namespace grundy
