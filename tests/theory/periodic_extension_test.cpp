// SPDX-License-Identifier: MIT
#include "theory/periodic_extension.hpp"

#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include <grundy/error.hpp>

#include "theory/analysis_testing.hpp"

namespace grundy {
namespace {

using namespace testing_support;  // NOLINT(google-build-using-namespace)

/// Compares every value with periodic_value() and notes the widths that came.
class CheckSink : public ValueSink {
 public:
  CheckSink(const PeriodReport& report, Values table, HeapSize from)
      : next(from), report_(report), table_(table) {}

  Flow put(const Stretch& block) override {
    EXPECT_EQ(block.begin, next);
    EXPECT_FALSE(block.values.empty());
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < block.values.size(); ++i) {
      wrong += block.values[i] != periodic_value(report_, table_, next + i);
    }
    EXPECT_EQ(wrong, 0u) << "in the block of heap " << block.begin;
    next += block.values.size();
    widths.push_back(block.values.width());
    return ++blocks == stop_after ? Flow::kStop : Flow::kContinue;
  }

  HeapSize next;
  std::size_t blocks = 0;
  std::size_t stop_after = 0;
  std::vector<ValueWidth> widths;

 private:
  const PeriodReport& report_;
  Values table_;
};

PeriodReport proved(HeapSize preperiod, HeapSize period, Nimber saltus) {
  return {PeriodStatus::kCertified, preperiod, period, saltus, 0, "assumed"};
}

TEST(PeriodicExtension, ShortPeriodsOfAnyPhase) {
  const auto kayles = values_of("0.77", 83);
  const std::vector<std::uint8_t> bytes(kayles.begin(), kayles.end());
  const PeriodReport report = proved(71, 12, 0);
  for (const HeapSize from : {71, 83, 90, 1000003}) {
    CheckSink sink(report, std::span(bytes), from);
    EXPECT_EQ(extend_periodically(report, std::span(bytes), from, from + 700001, sink),
              Flow::kContinue);
    EXPECT_EQ(sink.next, from + 700001);
    for (const ValueWidth width : sink.widths) EXPECT_EQ(width, ValueWidth::kU8);
  }
}

TEST(PeriodicExtension, PeriodsLongerThanABlock) {
  std::vector<std::uint16_t> values(5 + 300001);
  std::iota(values.begin(), values.end(), std::uint16_t{0});
  const PeriodReport report = proved(5, 300001, 0);
  const Values table = std::span<const std::uint16_t>(values);
  CheckSink sink(report, table, 300006);
  extend_periodically(report, table, 300006, 1000000, sink);
  EXPECT_EQ(sink.next, 1000000u);
}

TEST(PeriodicExtension, SaltusWidensTheValuesExactlyWhenNeeded) {
  const std::vector<std::uint8_t> values = {0, 1, 0, 1};
  const PeriodReport report = proved(0, 4, 2);
  CheckSink sink(report, std::span(values), 4);
  extend_periodically(report, std::span(values), 4, 2000000, sink);
  EXPECT_EQ(sink.next, 2000000u);
  EXPECT_EQ(sink.widths.back(), ValueWidth::kU32);
}

TEST(PeriodicExtension, SaltusBeyond32BitsIsAnError) {
  const std::vector<std::uint8_t> nim = {0};
  const PeriodReport report = proved(0, 1, 1);
  const HeapSize end = HeapSize{1} << 32;
  CheckSink fits(report, std::span(nim), end - 100);
  extend_periodically(report, std::span(nim), end - 100, end - 1, fits);  // up to 2^32 - 2
  EXPECT_EQ(fits.next, end - 1);
  CheckSink late(report, std::span(nim), end - 100);
  EXPECT_THROW(extend_periodically(report, std::span(nim), end - 100, end, late), Error);
}

TEST(PeriodicExtension, StopsWhenTheSinkWantsNoMore) {
  const std::vector<std::uint8_t> values = {0, 1};
  const PeriodReport report = proved(0, 2, 0);
  CheckSink sink(report, std::span(values), 2);
  sink.stop_after = 2;
  EXPECT_EQ(extend_periodically(report, std::span(values), 2, ~HeapSize{0}, sink), Flow::kStop);
  EXPECT_EQ(sink.blocks, 2u);
}

}  // namespace
}  // namespace grundy
