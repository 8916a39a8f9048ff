/// @file
/// Values of runs that kept none, recomputed from sealed states.
// SPDX-License-Identifier: MIT
#include "session/sealed_recomputation.hpp"

#include <algorithm>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <grundy/compute.hpp>

#include "run/run_directory.hpp"
#include "support/files.hpp"

namespace grundy {
namespace {

/// Keeps values and says where they begin; stops after `most`.
class Excerpts final : public ValueSink {
 public:
  explicit Excerpts(std::size_t most) : most_(most) {}
  Flow put(const Stretch& block) override {
    if (values.empty()) begin = block.begin;
    EXPECT_EQ(block.begin, begin + values.size());
    block.values.visit(
        [this](auto from) { values.insert(values.end(), from.begin(), from.end()); });
    return values.size() >= most_ ? Flow::kStop : Flow::kContinue;
  }

  HeapSize begin = 0;
  std::vector<Nimber> values;

 private:
  std::size_t most_;
};

TEST(SealedRecomputation, GivesTheValuesOfTheRun) {
  constexpr HeapSize kCount = 9'000'000;  // states are sealed from heap 6 * 2^20 on
  const testing_support::TemporaryDirectory directory;
  Request request{
      .game = HeapGame{.rule = HeapRule::parse("0.106"), .last = kCount - 1, .stats_only = true}};
  request.output.path = directory / "t.h5";
  request.output.checkpoint.time = std::chrono::milliseconds(4);
  std::vector<std::uint8_t> right;
  Hooks hooks;
  hooks.values = [&](const Stretch& block) {
    block.values.visit([&](auto from) { right.insert(right.end(), from.begin(), from.end()); });
    return Flow::kContinue;
  };
  ASSERT_TRUE(compute(request, hooks).complete);
  ASSERT_EQ(right.size(), kCount);

  const HeapSetup setup(request);
  const Hooks quiet;
  SealedRecomputation again(setup, read_run(run_directory_for(request.output.path)).segments,
                            quiet);
  const std::vector<HeapSize> seals = again.seals();
  ASSERT_GE(seals.size(), 3u);
  ASSERT_EQ(seals.back(), kCount);
  std::mt19937_64 random(9);
  std::vector<std::pair<HeapSize, HeapSize>> ranges = {{0, 1000}, {kCount - 1000, kCount}};
  for (int i = 0; i < 6; ++i) {
    const HeapSize begin = random() % (kCount - 300'000);
    ranges.emplace_back(begin, begin + 1 + random() % 300'000);
    const HeapSize seal = seals[random() % (seals.size() - 1)];
    ranges.emplace_back(seal - std::min<HeapSize>(seal, random() % 2),
                        std::min(seal + 10'000, kCount));
  }
  for (const auto& [begin, end] : ranges) {
    Excerpts all(end - begin);
    EXPECT_NE(again.compute(begin, end, all, nullptr), RunStatus::kCancelled);
    EXPECT_EQ(all.begin, begin);
    EXPECT_TRUE(std::ranges::equal(all.values, std::span(right).subspan(begin, end - begin)))
        << begin << " to " << end;
  }
  Excerpts some(1);
  EXPECT_EQ(again.compute(kCount - 500'000, kCount, some, nullptr), RunStatus::kStoppedBySink);
  std::stop_source stop;
  stop.request_stop();
  const Hooks stopped{.stop = stop.get_token()};
  SealedRecomputation cancelled(setup, read_run(run_directory_for(request.output.path)).segments,
                                stopped);
  Excerpts none(1);
  EXPECT_EQ(cancelled.compute(kCount - 500'000, kCount, none, nullptr), RunStatus::kCancelled);
}

}  // namespace
}  // namespace grundy
