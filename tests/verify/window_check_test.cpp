/// @file
/// Window certificates in files: proved anew from the values, and refuted if a claim is false.
// SPDX-License-Identifier: MIT
#include "verify/heap/window_check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <grundy/compute.hpp>

#include "verify/window_tables.hpp"

namespace grundy::verify_test {
namespace {

using testing::HasSubstr;

class WindowCheckTest : public testing::Test {
 protected:
  VerifyReport run(ProofKind proof = ProofKind::kSamples) {
    return verify({.table = path,
                   .proof = proof,
                   .samples = 20,
                   .range = {0, table.values.size() - 1},
                   .machine = {.backend = "threads"}});
  }

  WindowTable table;
  TemporaryDirectory dir;
  std::filesystem::path path = dir / "w.h5";
};

TEST_F(WindowCheckTest, EveryKindOfProofTakesIt) {
  table.write(path);
  const auto reader = TableReader::open(path);
  const PeriodReport& period = reader->info().period;
  ASSERT_TRUE(period.sparse);
  EXPECT_EQ(period.sparse->mask, 0x1);
  EXPECT_TRUE(period.sparse->parity);
  EXPECT_EQ(period.sparse->last_rare, 27106);
  EXPECT_LT(period.verified_to, 2 * 46578 + 4 + 3) << "fewer values than Guy and Smith need";
  for (const ProofKind proof : {ProofKind::kSamples, ProofKind::kRange, ProofKind::kFull}) {
    const VerifyReport report = run(proof);
    EXPECT_TRUE(report.complete);
    EXPECT_FALSE(report.wrong) << report.wrong->sentence;
    EXPECT_EQ(report.periodic_from, period.verified_to);
    if (proof != ProofKind::kSamples) {
      EXPECT_TRUE(certificate_of(report).complete());
    }
  }
}

TEST_F(WindowCheckTest, EveryFalseClaimIsFound) {
  const struct {
    std::function<void(TableInfo&)> change;
    const char* says;
  } cases[] = {
      {[](TableInfo& info) { info.period.sparse->mask = 0x3; }, "is rare"},
      {[](TableInfo& info) { info.period.sparse->mask = 0; }, "not enough"},
      {[](TableInfo& info) { info.period.sparse->parity = false; }, "is rare"},
      {[](TableInfo& info) { info.period.sparse->last_rare = 27105; }, "heap 27106 is rare"},
      {[](TableInfo& info) { info.period.sparse->last_rare = 27107; }, "not enough"},
      {[](TableInfo& info) { ++info.period.sparse->rare; }, "says 694"},
      {[](TableInfo& info) { info.period.sparse->depth = 2; }, "at most 2 reach"},
      {[](TableInfo& info) { ++info.period.sparse->depth; }, "not enough"},
      {[](TableInfo& info) { info.period.sparse->depth = ~HeapSize{0}; }, "not enough"},
      {[](TableInfo& info) { --info.period.sparse->count; }, "not enough"},
      {[](TableInfo& info) { --info.period.verified_to; }, "not enough"},
      {[](TableInfo& info) { info.period.sparse.reset(); }, "not enough"},
  };
  for (const auto& [change, says] : cases) {
    std::filesystem::remove(path);
    table.write(path, change);
    const VerifyReport report = run();
    ASSERT_TRUE(report.wrong) << says;
    EXPECT_THAT(report.wrong->sentence, HasSubstr(says));
  }
}

// Of a game that no theorem covers, in the table of an engine that knows no sparse space.
TEST_F(WindowCheckTest, ACertificateThatWasFoundInTheValuesHolds) {
  for (const char* notation : {"0.7!", "4!.46"}) {
    Request request{.game = HeapGame{.rule = HeapRule::parse(notation), .last = 9999},
                    .machine = {.engine = "dense", .backend = "threads"}};
    request.output = {.path = path, .overwrite = true};
    ASSERT_EQ(compute(request).info.period.status, PeriodStatus::kCertified) << notation;
    for (const ProofKind proof : {ProofKind::kSamples, ProofKind::kRange}) {
      const VerifyReport report = verify({.table = path,
                                          .proof = proof,
                                          .samples = 20,
                                          .range = {0, 9999},
                                          .machine = {.backend = "threads"}});
      EXPECT_FALSE(report.wrong) << report.wrong->sentence;
      EXPECT_LT(report.periodic_from, 9999) << notation;
    }
  }
}

// Rare heaps after the last that is claimed, values that have no witness: not by numbers alone.
TEST_F(WindowCheckTest, OtherValuesAreNotProved) {
  const HeapSize late = table.values.size() - 1;
  table.values[late] ^= 1;
  table.write(path);
  const VerifyReport report = run();
  ASSERT_TRUE(report.wrong);
  EXPECT_EQ(report.wrong->entry, late);
}

TEST_F(WindowCheckTest, RulesWithoutASparseSpaceHaveNone) {
  const PeriodReport report = [&] {
    PeriodReport period{PeriodStatus::kCertified, 7315, 142, 0, 9000, {}, SparseFacts{}};
    *period.sparse = {.mask = 0x1b, .rare = 6, .last_rare = 43, .depth = 500, .count = 9000};
    return period;
  }();
  EXPECT_TRUE(window_certificate_applies(HeapRule::parse("0.356"), report));
  EXPECT_FALSE(window_certificate_applies(HeapRule::parse("0.33"), report)) << "no split";
  EXPECT_FALSE(window_certificate_applies(HeapRule::parse("4=.0"), report)) << "equal heaps";
  PeriodReport raised = report;
  raised.saltus = 1;
  EXPECT_FALSE(window_certificate_applies(HeapRule::parse("0.356"), raised));
}

}  // namespace
}  // namespace grundy::verify_test
