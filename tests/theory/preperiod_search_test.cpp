/// @file
/// The least preperiod from seals, on sequences whose preperiods are known.
// SPDX-License-Identifier: MIT
#include "theory/preperiod_search.hpp"

#include <bit>

#include <gtest/gtest.h>

#include <grundy/error.hpp>

#include "theory/return_testing.hpp"
#include "theory/sparse_certificate.hpp"

namespace grundy {
namespace {

using namespace testing_support;  // NOLINT(google-build-using-namespace)

constexpr HeapSize kTake = 2;

/// Hands out values of a sequence and counts what an engine would compute for them.
class Fake final : public Recomputation {
 public:
  Fake(const Sequence& sequence, std::vector<HeapSize> seals, Random& random)
      : sequence_(sequence), seals_(std::move(seals)), random_(random) {}

  RunStatus compute(HeapSize begin, HeapSize end, ValueSink& sink,
                    ProgressSink* progress) override {
    ++calls;
    if (progress != nullptr) progress->report({.done = begin});
    if (calls == cancel_at) return RunStatus::kCancelled;
    const auto after = std::ranges::upper_bound(seals_, begin);
    computed += end - (after == seals_.begin() ? 0 : after[-1]);
    while (begin < end) {
      const HeapSize next = std::min(end, begin + 1 + random_() % longest_block);
      if (put_values(sequence_, begin, next, nullptr, sink) == Flow::kStop) {
        return RunStatus::kStoppedBySink;
      }
      begin = next;
    }
    return RunStatus::kComplete;
  }

  HeapSize computed = 0;
  HeapSize longest_block = 500;
  int calls = 0;
  int cancel_at = 0;

 private:
  const Sequence& sequence_;
  std::vector<HeapSize> seals_;
  Random& random_;
};

/// Hears how far a search is.
class Listener final : public ProgressSink {
 public:
  void report(const Progress& progress) override {
    EXPECT_LE(last.done, progress.done);
    EXPECT_LE(progress.done, progress.total);
    EXPECT_LE(progress.share(), 1);
    if (first == 0) first = progress.total;
    last = progress;
  }

  HeapSize first = 0;  ///< what was foretold at first
  Progress last;
};

Return return_of(const Sequence& sequence, const SparseFacts& facts, Random& random) {
  Return found{sequence.preperiod + random() % 3000, sequence.period, facts};
  found.facts.count = found.first + found.period + sparse_window(facts, kTake) + random() % 100;
  return found;
}

/// Seals up to behind the values that are needed, at random distances of at most `most`.
std::vector<HeapSize> seals_for(const Return& found, HeapSize most, Random& random) {
  std::vector<HeapSize> seals;
  for (HeapSize at = random() % most; at < found.facts.count; at += 1 + random() % most) {
    seals.push_back(at);
  }
  return seals;
}

TEST(PreperiodSearch, FindsTheLastExceptionOfRandomSequences) {
  Random random(1);
  double foretold = 0;
  double computed = 0;
  for (int i = 0; i < 3000; ++i) {
    const Nimber limit = std::array<Nimber, 4>{2, 9, 300, 70000}[random() % 4];
    const HeapSize most = HeapSize{4} << (random() % 11);
    const Sequence sequence =
        i % 4 == 0
            ? random_recurrence(random, 1 + random() % 6, static_cast<Nimber>(2 + random() % 9))
            : random_sequence(random, 1 + random() % most, 1 + random() % most, limit);
    const SparseFacts facts = facts_of(sequence, random, 0);
    const Return found = return_of(sequence, facts, random);
    const HeapSize gap = 1 + random() % 2000;
    const std::vector<HeapSize> seals = seals_for(found, gap, random);
    Fake fake(sequence, seals, random);
    Listener listener;
    const auto right = find_preperiod(found, kTake, seals, fake, &listener);
    EXPECT_EQ(listener.last.done, fake.computed);
    foretold += static_cast<double>(listener.first);
    computed += static_cast<double>(fake.computed);
    Preperiod expected;
    if (const HeapSize e = sequence.preperiod; e > 0) {
      expected = {e, sequence.at(e - 1), sequence.at(e - 1 + sequence.period)};
    }
    ASSERT_TRUE(right);
    ASSERT_EQ(*right, expected) << i << ": " << sequence.preperiod << " + " << sequence.period;
    const HeapSize window = sparse_window(facts, kTake);
    const HeapSize steps = std::bit_width(seals.size());
    ASSERT_LE(fake.computed, steps * 2 * (gap + window) + 8 * gap + 2 * window) << i;
  }
  EXPECT_GT(foretold, computed / 2);
  EXPECT_LT(foretold, computed * 2);
}

// Far more heaps between two seals than are compared one by one.
TEST(PreperiodSearch, LongIntervals) {
  Random random(2);
  for (const HeapSize preperiod :
       {HeapSize{0}, HeapSize{1}, HeapSize{5'000'000}, HeapSize{11'999'999}}) {
    Sequence sequence = random_sequence(random, preperiod, 7919, 200);
    ASSERT_GE(sequence.preperiod + 10, preperiod);
    // From a recurrence on, only every 300000th value is an exception.
    for (HeapSize n = 0; n + 1 < sequence.preperiod; ++n) {
      if (n % 300'000 != 0) {
        sequence.values[n] =
            sequence.values[sequence.preperiod +
                            (sequence.period * 2000 - sequence.preperiod + n) % sequence.period];
      }
    }
    const SparseFacts facts{.mask = 1, .depth = 400'000};
    Return found{12'000'000, sequence.period, facts};
    found.facts.count = 12'600'000;
    const std::vector<HeapSize> seals = {3, 12'100'000};
    Fake fake(sequence, seals, random);
    fake.longest_block = 100'000;
    const auto right = find_preperiod(found, kTake, seals, fake);
    ASSERT_TRUE(right);
    EXPECT_EQ(right->preperiod, sequence.preperiod);
    EXPECT_EQ(right->value == right->later, preperiod == 0);
  }
}

TEST(PreperiodSearch, SaysThatItWasCancelledOrThatValuesContradict) {
  Random random(3);
  const Sequence sequence = random_sequence(random, 5000, 700, 200);
  const Return found = return_of(sequence, {.mask = 1, .depth = 10}, random);
  const std::vector<HeapSize> seals = {1000, 2000, 3000, 4000, 5001};
  Fake whole(sequence, seals, random);
  ASSERT_TRUE(find_preperiod(found, kTake, seals, whole));
  for (int at = 1; at <= whole.calls; ++at) {
    Fake fake(sequence, seals, random);
    fake.cancel_at = at;
    EXPECT_FALSE(find_preperiod(found, kTake, seals, fake));
  }
  // Another sequence, which does not repeat from where it is said to.
  const Sequence other = random_sequence(random, 20000, 700, 200);
  Fake fake(other, seals, random);
  EXPECT_THROW(find_preperiod(found, kTake, seals, fake), Error);
  // The last rare heap is an exception.
  const Sequence none = random_sequence(random, 0, 700, 200);
  Fake pure(none, {}, random);
  EXPECT_EQ(find_preperiod(found, kTake, {}, pure), Preperiod{});
  Return rare = found;
  rare.facts.last_rare = 1;
  EXPECT_THROW(find_preperiod(rare, kTake, {}, pure), Error);
}

}  // namespace
}  // namespace grundy
