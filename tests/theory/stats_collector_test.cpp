// SPDX-License-Identifier: MIT
#include "theory/stats_collector.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <grundy/error.hpp>

namespace grundy {
namespace {

/// The statistics read off their definition.
TableStats expected_stats(const std::vector<Nimber>& values) {
  TableStats stats;
  stats.count = values.size();
  for (HeapSize n = 0; n < values.size(); ++n) {
    if (n == 0 || values[n] > stats.max_value) {
      stats.max_value = values[n];
      stats.argmax = n;
      stats.records.push_back({n, values[n]});
    }
  }
  if (!values.empty()) {
    stats.histogram.resize(
        std::min<std::size_t>(stats.max_value + std::size_t{1}, TableStats::kHistogramLimit));
  }
  for (const Nimber v : values) {
    if (v < TableStats::kHistogramLimit) ++stats.histogram[v];
  }
  ValueDigest digest;
  digest.update(std::span<const Nimber>(values));
  stats.digest = digest.value();
  return stats;
}

TableStats collected(const std::vector<Nimber>& values, std::size_t block) {
  StatsCollector collector(select_kernels("auto"));
  for (std::size_t at = 0; at < values.size(); at += block) {
    const auto run = std::span(values).subspan(at, std::min(block, values.size() - at));
    const Nimber top = *std::max_element(run.begin(), run.end());
    // Each block at the least width that holds it, as engines hand them over.
    if (width_for(top) == ValueWidth::kU8) {
      const std::vector<std::uint8_t> narrow(run.begin(), run.end());
      collector.put({at, std::span(narrow), {}});
    } else {
      collector.put({at, run, {}});
    }
  }
  return collector.stats();
}

TEST(StatsCollector, EmptyTable) {
  EXPECT_EQ(collected({}, 1), expected_stats({}));
}

RC_GTEST_PROP(StatsCollector, EqualsTheDefinition, ()) {
  const auto limit = *rc::gen::element<Nimber>(2, 200, 70000);
  const auto values = *rc::gen::container<std::vector<Nimber>>(rc::gen::inRange<Nimber>(0, limit));
  const auto block = *rc::gen::inRange<std::size_t>(1, 40);
  RC_ASSERT(collected(values, block) == expected_stats(values));
}

TEST(StatsCollector, LongBlocks) {
  std::vector<Nimber> values(100000);
  for (std::size_t n = 0; n < values.size(); ++n) {
    values[n] = static_cast<Nimber>((n * n / 7) % (n / 500 + 1));
  }
  EXPECT_EQ(collected(values, values.size()), expected_stats(values));
  EXPECT_EQ(collected(values, 33333), expected_stats(values));
}

TEST(StatsCollector, TheHistogramIsLimited) {
  constexpr Nimber kLimit = TableStats::kHistogramLimit;
  const std::vector<Nimber> values = {3, kLimit - 1, kLimit, 3, 4294967294u, 0, kLimit - 1};
  EXPECT_EQ(collected(values, 7), expected_stats(values));
  EXPECT_EQ(collected(values, 1), expected_stats(values));
}

TEST(StatsCollector, RecordsAreLimited) {
  std::vector<Nimber> values(TableStats::kRecordLimit + 5);
  for (std::size_t n = 0; n < values.size(); ++n) values[n] = static_cast<Nimber>(n);
  const TableStats stats = collected(values, 1 << 16);
  EXPECT_EQ(stats.records.size(), TableStats::kRecordLimit);
  EXPECT_FALSE(stats.records_complete);
  EXPECT_EQ(stats.max_value, values.back());
  EXPECT_EQ(stats.argmax, values.size() - 1);
}

/// At 400 places, borders of sections and their neighbours among them, a collector is taken up from
/// what another one has told there, and goes on to the next place.
TEST(StatsCollector, IsTakenUpAnywhere) {
  std::mt19937_64 random(3);
  std::vector<std::uint16_t> values(2 * kDigestSection + 5000);
  for (std::size_t n = 0; n < values.size(); ++n) {
    values[n] = static_cast<std::uint16_t>(random() % (n / 3000 + 2));
  }
  std::vector<std::size_t> places = {0, 1, values.size()};
  for (std::size_t border = kDigestSection; border < values.size(); border += kDigestSection) {
    places.insert(places.end(), {border - 1, border, border + 1});
  }
  while (places.size() < 400) places.push_back(random() % values.size());
  std::ranges::sort(places);

  const KernelSet& kernels = select_kernels("auto");
  StatsCollector one_pass(kernels);
  for (std::size_t i = 0; i + 1 < places.size(); ++i) {
    const std::size_t unfinished = places[i] % kDigestSection;
    StatsCollector collector = StatsCollector::resume(
        kernels, one_pass.stats(), one_pass.whole_sections(),
        std::span<const std::uint16_t>(values).subspan(places[i] - unfinished, unfinished));
    const Stretch next{
        places[i],
        std::span<const std::uint16_t>(values).subspan(places[i], places[i + 1] - places[i]),
        {}};
    collector.put(next);
    one_pass.put(next);
    ASSERT_EQ(collector.stats(), one_pass.stats()) << places[i];
    ASSERT_EQ(collector.whole_sections(), one_pass.whole_sections()) << places[i];
  }
  EXPECT_EQ(one_pass.stats(), expected_stats({values.begin(), values.end()}));
}

TEST(StatsCollector, IsNotTakenUpWithOtherValues) {
  const KernelSet& kernels = select_kernels("auto");
  std::vector<std::uint8_t> values = {0, 1, 2, 1};
  StatsCollector collector(kernels);
  collector.put({0, std::span<const std::uint8_t>(values), {}});
  values[3] = 2;
  EXPECT_THROW(
      StatsCollector::resume(kernels, collector.stats(), {}, std::span<const std::uint8_t>(values)),
      Error);
}

TEST(StatsCollector, RefusesGaps) {
  const std::vector<Nimber> values = {0, 1};
  StatsCollector collector(select_kernels("auto"));
  EXPECT_THROW(collector.put({1, std::span(values), {}}), Error);
}

}  // namespace
}  // namespace grundy
