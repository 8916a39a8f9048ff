/// @file
/// The online search on made-up tables with a known preperiod and period. The result must not
/// depend on how the values arrive.
// SPDX-License-Identifier: MIT
#include "theory/recurrence.hpp"

#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace grundy {
namespace {

/// `first` values at random, then `period` random ones again and again.
std::vector<std::uint8_t> made_up(HeapSize first, HeapSize period, HeapSize size, unsigned below) {
  std::mt19937 random(7);
  std::vector<std::uint8_t> values(size);
  for (HeapSize n = 0; n < size; ++n) {
    values[n] =
        n < first + period ? static_cast<std::uint8_t>(random() % below) : values[n - period];
  }
  // The last value before the period must not belong to it.
  if (first > 0)
    values[first - 1] = static_cast<std::uint8_t>((values[first - 1 + period] + 1) % below);
  return values;
}

TEST(RecurrenceSearch, FindsPreperiodAndLeastPeriod) {
  for (const auto& [first, period] :
       {std::pair<HeapSize, HeapSize>{0, 4}, {1, 5000}, {5000, 1}, {70001, 12}, {12345, 60000}}) {
    const auto values = made_up(first, period, first + 3 * period + 20000, 7);
    for (const HeapSize step : {HeapSize{1000}, HeapSize{4096}, values.size()}) {
      RecurrenceSearch search;
      std::optional<Recurrence> found;
      for (HeapSize size = step; size < values.size() + step; size += step) {
        const HeapSize shown = std::min<HeapSize>(size, values.size());
        found = search.observe(std::span(values).first(shown));
      }
      ASSERT_TRUE(found) << first << ' ' << period << ' ' << step;
      EXPECT_EQ(found->first, first);
      EXPECT_EQ(found->period, period);
      EXPECT_EQ(found->matched, values.size());
    }
  }
}

TEST(RecurrenceSearch, ForgetsWhatBreaks) {
  auto values = made_up(100, 50, 40000, 9);
  RecurrenceSearch search;
  EXPECT_TRUE(search.observe(std::span<const std::uint8_t>(values).first(30000)));
  values[35000] ^= 1;
  EXPECT_FALSE(search.observe(std::span<const std::uint8_t>(values).first(35200)));
}

TEST(RecurrenceSearch, FindsNothingInRandomValues) {
  std::mt19937 random(1);
  std::vector<std::uint8_t> values(200000);
  for (auto& value : values) value = static_cast<std::uint8_t>(random() % 3);
  EXPECT_FALSE(RecurrenceSearch().observe(std::span<const std::uint8_t>(values)));
}

TEST(LeastPeriod, DividesWhatItCan) {
  const auto values = made_up(10, 12, 4000, 5);
  const Values table = std::span<const std::uint8_t>(values);
  EXPECT_EQ(least_period(table, 10, 12), 12);
  EXPECT_EQ(least_period(table, 10, 24), 12);
  EXPECT_EQ(least_period(table, 10, 12 * 35), 12);
}

}  // namespace
}  // namespace grundy
