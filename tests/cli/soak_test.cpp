/// @file
/// `selftest --soak` ends at the first wrong value.
// SPDX-License-Identifier: MIT
#include "cli/soak.hpp"

#include <tuple>
#include <vector>

#include <gmock/gmock.h>

#include <grundy/error.hpp>

#include "support/errors.hpp"
#include "theory/stats_collector.hpp"

namespace grundy::cli {
namespace {

using namespace std::chrono_literals;

/// Simulates a machine with a fault: one heap gets another value.
class Fault final : public ValueSink {
 public:
  explicit Fault(HeapSize heap) : heap_(heap) {}

  Flow put(const Stretch& block) override {
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
  const auto computation = [this](const Request& request, const std::stop_token& stop) {
    ++computed;
    if (computed < 4) return compute(request, {.stop = stop});
    Fault fault(std::get<HeapGame>(request.game).last / 2);
    Report report = compute(
        request, {.stop = stop, .values = [&fault](const Stretch& b) { return fault.put(b); }});
    report.info.stats = fault.stats();
    return report;
  };
  const Error error = testing_support::error_of([&] { run_soak(console, 10min, computation); });
  EXPECT_EQ(error.code(), ErrorCode::kMismatch);
  EXPECT_THAT(error.what(), ::testing::ContainsRegex("to heap [0-9]+: engine .* gives digest"));
  EXPECT_EQ(computed, 4) << "the second computation of the second game errs";
}

TEST_F(SoakTest, AtLeastOneGameIsComputedInTwoWays) {
  std::vector<Request> requests;
  const auto computation = [&](const Request& request, const std::stop_token& stop) {
    requests.push_back(request);
    return compute(request, {.stop = stop});
  };
  console.json = true;
  EXPECT_EQ(run_soak(console, 0s, computation), 0);
  ASSERT_EQ(requests.size(), 2u);
  EXPECT_NE(requests[0].machine, requests[1].machine);
  EXPECT_EQ(std::get<HeapGame>(requests[0].game).last, std::get<HeapGame>(requests[1].game).last);
}

}  // namespace
}  // namespace grundy::cli
