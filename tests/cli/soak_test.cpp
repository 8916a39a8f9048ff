/// @file
/// `selftest --soak` ends at the first wrong value.
// SPDX-License-Identifier: MIT
#include "cli/soak.hpp"

#include <tuple>
#include <vector>

#include <gmock/gmock.h>

#include <grundy/error.hpp>

#include "theory/stats_collector.hpp"
#include "support/errors.hpp"

namespace grundy::cli {
namespace {

using namespace std::chrono_literals;

/// Counts what a machine with a fault would: one heap gets another value.
class Fault final : public BlockSink {
 public:
  explicit Fault(HeapSize heap) : heap_(heap) {}

  Flow put(const Block& block) override {
    std::vector<Nimber> values;
    block.values.visit([&](auto right) { values.assign(right.begin(), right.end()); });
    if (heap_ >= block.begin && heap_ - block.begin < values.size()) {
      values[heap_ - block.begin] ^= 1;
    }
    return counted_.put({block.begin, std::span<const Nimber>(values), {}});
  }
  [[nodiscard]] TableStats stats() const { return counted_.stats(); }

 private:
  HeapSize heap_;
  StatsCollector counted_{select_kernels("auto")};
};

class SoakTest : public ::testing::Test {
 protected:
  SoakTest() { console.quiet = true; }
  Console console;
  int computed = 0;
};

TEST_F(SoakTest, OneWrongValueEndsItAndIsReported) {
  const auto computation = [this](const ComputeRequest& request, const std::stop_token& stop) {
    ++computed;
    if (computed < 4) return compute(request, stop);
    Fault fault(request.last / 2);
    ComputeReport report = compute(request, stop, nullptr, &fault);
    report.info.stats = fault.stats();
    return report;
  };
  const Error error = testing_support::error_of([&] { run_soak(console, 10min, computation); });
  EXPECT_EQ(error.code(), ErrorCode::kMismatch);
  EXPECT_THAT(error.what(), ::testing::ContainsRegex("to heap [0-9]+: engine .* gives digest"));
  EXPECT_EQ(computed, 4) << "the second computation of the second game errs";
}

TEST_F(SoakTest, AtLeastOneGameIsComputedInTwoWays) {
  const auto way = [](const ComputeRequest& request) {
    return std::tuple(request.engine, request.kernel, request.threads, request.block);
  };
  std::vector<ComputeRequest> requests;
  const auto computation = [&](const ComputeRequest& request, const std::stop_token& stop) {
    requests.push_back(request);
    return compute(request, stop);
  };
  console.json = true;
  EXPECT_EQ(run_soak(console, 0s, computation), 0);
  ASSERT_EQ(requests.size(), 2u);
  EXPECT_NE(way(requests[0]), way(requests[1]));
  EXPECT_EQ(requests[0].last, requests[1].last);
}

}  // namespace
}  // namespace grundy::cli
