/// @file
/// Turns: any number of threads decides every number in order, and none behind the one where it
/// ends.
// SPDX-License-Identifier: MIT
#include "parallel/turns.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <grundy/machine.hpp>

#include "support/arguments.hpp"

namespace grundy {
namespace {

TEST(Turns, NumbersAreDecidedInOrderAndWhatIsFarIsDecidedBefore) {
  constexpr std::size_t kLength = 3;
  constexpr std::int64_t kFirst = 100, kSecond = 500, kEnd = 1000;
  for (const std::size_t threads : {1, 2, 5}) {
    const auto executor = make_executor(threads, testing_support::arguments().backend);
    for (const std::int64_t stop : {kEnd, std::int64_t{567}, std::int64_t{568}, kFirst}) {
      Turns turns(kLength, threads);
      ASSERT_EQ(turns.apart(), kLength * threads);
      std::vector<std::int64_t> decided(kEnd, 0);  // by number: the one that was decided before it
      std::fill_n(decided.begin(), kFirst, std::int64_t{1});
      std::atomic<int> errors = 0;
      std::vector<std::atomic<bool>> taken(threads);       // by slot
      std::vector<std::int64_t> prepared(turns.places());  // by place
      std::int64_t latest = kFirst - 1;  // only the thread whose turn it is touches it
      // Two ranges, of which the second one follows.
      for (const auto& [first, last] : {std::pair(kFirst, kSecond), std::pair(kSecond, kEnd)}) {
        if (stop < first) break;
        turns.begin(first, last);
        executor->parallel_for(threads, [&](std::size_t) {
          while (const std::optional<Turn> turn = turns.take()) {
            const auto [begin, end, slot, place, place_before] = *turn;
            errors += taken.at(slot).exchange(true);
            const std::int64_t far = end - static_cast<std::int64_t>(turns.apart());
            for (std::int64_t n = 0; n < far; ++n)
              errors += decided[static_cast<std::size_t>(n)] == 0;
            prepared.at(place) = end;
            turns.prepared(*turn);
            errors += place_before.has_value() != (begin != kFirst);
            if (place_before) {
              turns.wait_for_prepared(*turn);
              errors += prepared.at(*place_before) != begin;
            }
            if (!turns.wait_for(*turn)) return;
            const std::int64_t to = std::min(end, std::max(begin, stop));
            for (std::int64_t n = begin; n < to; ++n) {
              decided[static_cast<std::size_t>(n)] = std::exchange(latest, n);
            }
            taken[slot] = false;
            turns.decided(*turn, to);
          }
        });
      }
      EXPECT_EQ(errors, 0);
      EXPECT_EQ(turns.end(), stop);
      for (std::int64_t n = kFirst; n < kEnd; ++n) {
        ASSERT_EQ(decided[static_cast<std::size_t>(n)], n < stop ? n - 1 : 0);
      }
    }
  }
}

// What the last turn has prepared serves the first one of the range that follows, and of no other.
TEST(Turns, ARangeThatFollowsHasATurnBefore) {
  Turns turns(4, 2);
  const auto decide_all = [&](std::int64_t first, std::int64_t end, std::int64_t stop) {
    turns.begin(first, end);
    std::vector<Turn> taken;
    while (const std::optional<Turn> turn = turns.take()) {
      taken.push_back(*turn);
      turns.prepared(*turn);
      if (turn->place_before) turns.wait_for_prepared(*turn);
      turns.decided(*turn, std::min(turn->end, stop));
    }
    return taken;
  };
  const std::vector<Turn> first = decide_all(0, 10, 10);
  ASSERT_EQ(first.size(), 3U);
  EXPECT_FALSE(first.front().place_before.has_value());
  const std::vector<Turn> next = decide_all(10, 14, 12);  // it ends early
  ASSERT_EQ(next.size(), 1U);
  EXPECT_EQ(next.front().place_before, first.back().place);
  EXPECT_NE(next.front().place, first.back().place);
  EXPECT_FALSE(decide_all(14, 18, 18).front().place_before.has_value());
  EXPECT_FALSE(decide_all(14, 18, 18).front().place_before.has_value());
  EXPECT_TRUE(decide_all(18, 22, 22).front().place_before.has_value());
}

}  // namespace
}  // namespace grundy
