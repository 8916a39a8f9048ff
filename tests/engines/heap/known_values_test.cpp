/// @file
/// Every engine goes on from known values exactly as if it had computed them.
// SPDX-License-Identifier: MIT
#include <algorithm>

#include "engines/heap/heap_testing.hpp"

namespace grundy {
namespace {

using testing_support::CollectSink;
using testing_support::single_thread;
using testing_support::values_by;

/// The first values of a table, in blocks of several widths.
class Known final : public KnownValues {
 public:
  Known(const std::vector<Nimber>& values, HeapSize count) : values_(values), count_(count) {}

  [[nodiscard]] HeapSize count() const noexcept override { return count_; }
  void replay(ValueSink& sink) const override {
    for (HeapSize begin = 0; begin < count_;) {
      const HeapSize n = std::min<HeapSize>(count_ - begin, 777);
      const auto piece = std::span(values_).subspan(begin, n);
      const std::vector<std::uint16_t> narrow(piece.begin(), piece.end());
      if (std::equal(narrow.begin(), narrow.end(), piece.begin())) {
        sink.put({begin, Values(std::span<const std::uint16_t>(narrow)), {}});
      } else {
        sink.put({begin, Values(piece), {}});
      }
      begin += n;
    }
  }

 private:
  const std::vector<Nimber>& values_;
  HeapSize count_;
};

/// Expects the blocks from some heap on, with the whole table beside them.
class Tail final : public ValueSink {
 public:
  explicit Tail(const std::vector<Nimber>& values) : expected_(values) {}

  Flow put(const Stretch& block) override {
    if (begin_ == kNone) begin_ = end_ = block.begin;
    EXPECT_EQ(block.begin, end_);
    for (std::size_t i = 0; i < block.values.size(); ++i) {
      EXPECT_EQ(block.values[i], expected_[end_ + i]) << "heap " << end_ + i;
    }
    end_ += block.values.size();
    EXPECT_EQ(block.table.size(), end_);
    if (block.sparse != nullptr) {
      EXPECT_GE(block.sparse->depth, begin_ / 2) << "witnesses of known values may lie so deep";
    }
    for (HeapSize n = 0; n < end_; n += 1 + n / 3) EXPECT_EQ(block.table[n], expected_[n]);
    return ::testing::Test::HasFailure() ? Flow::kStop : Flow::kContinue;
  }
  [[nodiscard]] HeapSize begin() const noexcept { return begin_; }
  [[nodiscard]] HeapSize end() const noexcept { return end_; }

 private:
  static constexpr HeapSize kNone = ~HeapSize{0};
  const std::vector<Nimber>& expected_;
  HeapSize begin_ = kNone;
  HeapSize end_ = 0;
};

struct Case {
  const char* game;
  HeapSize count;
};

class KnownValuesTest : public ::testing::TestWithParam<Case> {};

TEST_P(KnownValuesTest, EveryEngineGoesOn) {
  const auto [game, count] = GetParam();
  const HeapRule rule = HeapRule::parse(game);
  const std::vector<Nimber> values =
      values_by(select_heap_engine("auto", rule, count), rule, count);
  for (const HeapEngine* engine : heap_engines()) {
    if (!engine->refusal(rule).empty()) continue;
    if (engine->name() == "reference" && count > 6000) continue;
    for (const HeapSize part : {HeapSize{320}, count / 7, count / 2, count - 1}) {
      const HeapSize begin = part / KnownValues::kUnit * KnownValues::kUnit;
      const Known known(values, begin);
      Tail tail(values);
      const HeapTask task{.rule = rule,
                          .count = count,
                          .kernels = select_kernels("auto"),
                          .executor = single_thread(),
                          .stop = {},
                          .known = &known};
      EXPECT_EQ(engine->run(task, tail), RunStatus::kComplete);
      EXPECT_EQ(tail.end(), count);
      EXPECT_TRUE(tail.begin() == begin || tail.begin() == 0)
          << engine->name() << " began at " << tail.begin() << ", not " << begin;
      ASSERT_FALSE(HasFailure()) << engine->name() << " of " << game << " from " << begin;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Games, KnownValuesTest,
    ::testing::Values(
        Case{"0.77", 5000}, Case{"0.007", 5000}, Case{"4!.0", 5000}, Case{"0.16", 70000},
        Case{"0.45", 40000}, Case{"0.6", 30000}, Case{"0.[3]", 3000}, Case{"0.8F", 700},
        Case{"4.7", 4000}, Case{"0.3F", 1500}, Case{"0.1A3", 1500}, Case{"0.G", 900},
        Case{"0.4[8]", 900}, Case{"0.H", 700}, Case{"S{1,2,5}", 5000}, Case{"S{3,7,19,401}", 90000},
        Case{"S{squares}", 60000}, Case{"S{primes}", 40000}, Case{"AllBut{2,4}", 5000},
        Case{"AllBut{1,5,30}", 70000}, Case{"n -> n - 1, floor(n/2)", 70000},
        Case{"n -> n - d : not d | n", 70000}, Case{"n -> n - d : gcd(d, n) = 1", 70000},
        Case{"n -> d : gcd(d, n) = 1, d < n", 3000}, Case{"n -> d : not d | n", 3000},
        Case{"n -> n - d : not d | n, d > 1", 3000}, Case{"n -> d : d | n, d < n", 5000}),
    [](const auto& instance) { return "Case" + std::to_string(instance.index); });

}  // namespace
}  // namespace grundy
