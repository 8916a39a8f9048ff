/// @file
/// The window certificate, compared with periods that are proved in another way, and its
/// conditions.
// SPDX-License-Identifier: MIT
#include "theory/sparse_certificate.hpp"

#include <gtest/gtest.h>

#include "engines/heap/sparse/engine.hpp"
#include "theory/analysis_testing.hpp"

namespace grundy {
namespace {

using namespace testing_support;  // NOLINT(google-build-using-namespace)

/// Stops at a certificate of a watch that is online from the start.
class OnlineSink final : public ValueSink {
 public:
  explicit OnlineSink(const HeapRule& rule) : watch_(rule, 0, 0) {}
  Flow put(const Stretch& block) override {
    count_ = block.begin + block.values.size();
    return watch_.observe(block) ? Flow::kStop : Flow::kContinue;
  }
  [[nodiscard]] const PeriodReport& report() const noexcept { return watch_.report(); }
  [[nodiscard]] HeapSize count() const noexcept { return count_; }

 private:
  PeriodWatch watch_;
  HeapSize count_ = 0;
};

struct Game {
  const char* notation;
  HeapSize preperiod;
  HeapSize period;
};

// Preperiods and periods of octal_periods.csv.
TEST(SparseCertificate, ProvesKnownPeriodsWithFewerValues) {
  for (const Game& game : {Game{"0.16", 105351, 149459}, Game{"0.127", 46578, 4},
                           Game{"0.56", 326640, 144}, Game{"0.356", 7315, 142}}) {
    const HeapRule rule = HeapRule::parse(game.notation);
    OnlineSink sink(rule);
    const HeapTask task{rule, 800000, select_kernels("auto"), single_thread(), {}};
    EXPECT_EQ(SparseEngine().run(task, sink), RunStatus::kStoppedBySink) << game.notation;
    const PeriodReport& report = sink.report();
    EXPECT_EQ(report.status, PeriodStatus::kCertified) << game.notation;
    EXPECT_EQ(report.preperiod, game.preperiod) << game.notation;
    EXPECT_EQ(report.period, game.period) << game.notation;
    const HeapSize guy_smith = 2 * game.preperiod + 2 * game.period + 3;
    EXPECT_LE(report.verified_to, guy_smith) << game.notation;
    EXPECT_LE(report.verified_to, sink.count()) << game.notation;
  }
}

TEST(SparseCertificate, NeedsEveryCondition) {
  const SparseFacts facts{
      .mask = 0xd, .parity = true, .rare = 15, .last_rare = 1103, .depth = 200, .count = 100000};
  const HeapSize window = sparse_window(facts, 3);
  EXPECT_EQ(window, 1107);
  const HeapSize size = 5000 + 600 + window;
  EXPECT_TRUE(sparse_certificate_holds(facts, 3, 5000, 600, size));
  EXPECT_FALSE(sparse_certificate_holds(facts, 3, 5000, 600, size - 1)) << "values are missing";
  EXPECT_FALSE(sparse_certificate_holds(facts, 3, 5000, 601, size + 1)) << "an odd period";
  EXPECT_FALSE(sparse_certificate_holds(facts, 3, 5000, 600, 100001)) << "facts of fewer heaps";
  EXPECT_FALSE(sparse_certificate_holds(facts, 3, 500, 600, size)) << "a rare heap in between";
  SparseFacts deep = facts;
  deep.depth = 1104;
  EXPECT_FALSE(sparse_certificate_holds(deep, 3, 5000, 600, size));
  SparseFacts none = facts;
  none.mask = 0;
  EXPECT_FALSE(sparse_certificate_holds(none, 3, 5000, 600, size)) << "no split";
}

}  // namespace
}  // namespace grundy
