/// @file
/// Parts of a fast phase by themselves: the stages of a round, and the codes that taps leave open.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <grundy/machine.hpp>

#include "engines/heap/sparse/open_codes.hpp"
#include "engines/heap/sparse/phase_stages.hpp"
#include "kernels/kernels.hpp"

namespace grundy::sparse {
namespace {

// Over many slides: kept entries are there, new ones are filled, and pointers stay valid in
// between.
TEST(SlidingWindow, KeepsTheNewestAndFillsWhatComesIntoReach) {
  constexpr HeapIndex kKeep = 100, kRoom = 16;
  constexpr std::uint16_t kFill = 7;
  SlidingWindow<std::uint16_t> window(-30, kKeep, kRoom, kFill);
  for (HeapIndex n = -30 - kKeep; n < -30 + kRoom; ++n) ASSERT_EQ(*window.at(n), kFill);
  unsigned slides = 0;
  for (HeapIndex end = -30; end < 2000; end += 8) {
    const std::uint16_t* const before = window.at(end);
    window.advance(end);
    slides += window.at(end) == before ? 0 : 1;
    for (HeapIndex n = std::max(HeapIndex{-30}, end - kKeep); n < end; ++n) {
      ASSERT_EQ(*window.at(n), static_cast<std::uint16_t>(n)) << end;
    }
    for (HeapIndex n = end; n < end + 8; ++n) *window.at(n) = static_cast<std::uint16_t>(n);
  }
  EXPECT_GT(slides, 10U);
}

TEST(Round, RunsEveryTaskOfEveryStageOnce) {
  for (const std::size_t threads : {1, 4}) {
    const auto executor = make_executor(threads);
    std::vector<std::vector<std::atomic<int>>> runs;
    for (const std::size_t tasks : {1, 0, 5, 0, 3}) runs.emplace_back(tasks);
    Round round;
    for (auto& stage : runs) {
      round.add(stage.size(), [&stage](std::size_t i) { ++stage.at(i); });
    }
    round.run(*executor);
    for (const auto& stage : runs) {
      for (const auto& count : stage) EXPECT_EQ(count, 1);
    }
    Round().run(*executor);  // no stage, no task
  }
}

TEST(OpenCodes, AreThoseThatNoTapReaches) {
  constexpr HeapIndex kBegin = 1024;
  constexpr std::size_t kKeep = 512;
  constexpr Nimber kLimit = 150;
  std::mt19937 random(5);
  SlidingWindow<std::uint16_t> codes(kBegin, kKeep, 64, kNoCode<std::uint16_t>);
  for (HeapIndex n = kBegin - static_cast<HeapIndex>(kKeep); n < kBegin; ++n) {
    if (random() % 10 != 0) *codes.at(n) = static_cast<std::uint16_t>(random() % 256);
  }
  std::vector<Tap> taps;
  for (int t = 0; t < 200; ++t) {
    taps.push_back({64 + random() % (kKeep - 64), static_cast<Nimber>(random() % 256)});
  }
  OpenCodes open(available_kernels().front().taps, codes, taps, kLimit, 2);
  EXPECT_EQ(open.limit(), 192u);
  EXPECT_EQ(open.words(), 3u);
  for (const HeapIndex n : {kBegin, kBegin + 32}) {  // twice: marks are clear again
    const std::uint64_t* const bits = open.find(n, 1);
    std::size_t count = 0;
    for (std::size_t j = 0; j < kMarkHeaps; ++j) {
      std::vector<bool> reached(std::size_t{1} << 16);
      for (const Tap& tap : taps) {
        const HeapIndex partner =
            n + static_cast<HeapIndex>(j) - static_cast<HeapIndex>(tap.offset);
        reached[*codes.at(partner) ^ tap.code] = true;
      }
      for (Nimber code = 0; code < open.limit(); ++code) {
        const bool is_open = (bits[j * open.words() + code / 64] >> code % 64 & 1) != 0;
        EXPECT_EQ(is_open, !reached[code]) << "heap " << n + static_cast<HeapIndex>(j);
        count += is_open ? 1 : 0;
      }
    }
    EXPECT_GT(count, 0u);
  }
}

}  // namespace
}  // namespace grundy::sparse
