/// @file
/// Games with a pass from the command to the file: computed in several lives, proved, and periods
/// certified; forged tables are refused.
// SPDX-License-Identifier: MIT
#include <stop_token>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <grundy/compute.hpp>
#include <grundy/genera.hpp>

#include "engines/heap/pass_values.hpp"
#include "support/errors.hpp"
#include "theory/sparse_certificate.hpp"
#include "verify/heap/window_check.hpp"
#include "verify/verify_testing.hpp"

namespace grundy::verify_test {
namespace {

using testing_support::error_of;
using testing_support::pass_values;

class PassTest : public testing::Test {
 protected:
  VerifyReport prove(ProofKind proof) {
    return verify({.table = table, .proof = proof, .machine = {.backend = "threads"}});
  }
  std::vector<Nimber> stored() {
    const auto reader = TableReader::open(table);
    std::vector<Nimber> values(reader->info().stats.count);
    reader->read(0, values);
    return values;
  }

  TemporaryDirectory dir;
  std::filesystem::path table = dir / "t.h5";
};

TEST_F(PassTest, RunsOfSeveralLivesGiveTheTable) {
  const std::vector<Nimber> expected = pass_values({0, 0, 0, 7}, 700, 5000);
  for (const char* engine : {"reference", "dense", "sparse", "auto"}) {
    std::filesystem::remove(table);
    Request request{.game = HeapGame{.rule = HeapRule::parse("0.007 pass 700"), .last = 4999}};
    request.output.path = table;
    request.machine.engine = engine;
    request.machine.threads = 2;
    request.machine.backend = "threads";
    request.machine.block = 100;
    for (const HeapSize end : {300, 1500, 5000}) {
      std::stop_source stop;
      Hooks hooks{.stop = stop.get_token()};
      hooks.values = [&](const Stretch& block) {
        if (block.end() >= end && end < 5000) stop.request_stop();
        return Flow::kContinue;
      };
      EXPECT_EQ(compute(request, hooks).complete, end == 5000) << engine;
    }
    EXPECT_EQ(stored(), expected) << engine;
    EXPECT_TRUE(prove(ProofKind::kFull).complete) << engine;
  }
}

TEST_F(PassTest, ForgedValuesAreFound) {
  for (const char* code : {"0.77 pass 9", "0.1F pass 9", "0.[7] pass 9"}) {
    const HeapRule rule = HeapRule::parse(code);
    std::vector<Nimber> values = reference_values(rule, 200);
    std::filesystem::remove(table);
    write(table, rule, values);
    EXPECT_TRUE(prove(ProofKind::kFull).complete) << code;
    // The values of the game without the pass are right everywhere but at that heap.
    const HeapRule plain =
        HeapRule::parse(std::string(code).substr(0, std::string(code).find(' ')));
    const std::vector<Nimber> others = reference_values(plain, 200);
    ASSERT_NE(others[9], values[9]);
    std::filesystem::remove(table);
    write(table, rule, others);
    const VerifyReport report = prove(ProofKind::kFull);
    ASSERT_TRUE(report.wrong) << code;
    EXPECT_EQ(report.wrong->entry, 9) << code;
    std::filesystem::remove(table);
    write(table, plain, values);
    ASSERT_TRUE(prove(ProofKind::kFull).wrong) << code;
  }
}

TEST_F(PassTest, PeriodsAreCertifiedBehindThePass) {
  struct Row {
    const char* game;
    std::vector<unsigned> digits;
    HeapSize pass;
  };
  for (const Row& row : {Row{"0.77 pass 3", {0, 7, 7}, 3}, Row{"0.77 pass 300", {0, 7, 7}, 300},
                         Row{"0.33 pass 50", {0, 3, 3}, 50}, Row{"4.07 pass 5", {4, 0, 7}, 5}}) {
    const HeapRule rule = HeapRule::parse(row.game);
    const std::vector<Nimber> values = pass_values(row.digits, row.pass, 3000);
    const PeriodReport period = find_period(rule, std::span<const Nimber>(values));
    ASSERT_EQ(period.status, PeriodStatus::kCertified) << row.game;
    for (HeapSize n = period.preperiod; n + period.period < values.size(); ++n) {
      ASSERT_EQ(values[n + period.period], values[n]) << row.game << " heap " << n;
    }
    // The heaps before the pass prove nothing, however often their values repeat.
    if (row.pass > 100) {
      const auto before = std::span<const Nimber>(values).first(row.pass);
      EXPECT_NE(find_period(rule, before).status, PeriodStatus::kCertified) << row.game;
    }
    std::filesystem::remove(table);
    write(table, rule, values, [&](TableInfo& info) { info.period = period; });
    EXPECT_TRUE(prove(ProofKind::kSamples).complete) << row.game;
  }
}

TEST_F(PassTest, APeriodFromBeforeThePassIsRefused) {
  const HeapRule rule = HeapRule::parse("0.77 pass 500");
  const std::vector<Nimber> values = reference_values(rule, 400);
  const PeriodReport plain = find_period(HeapRule::parse("0.77"), std::span<const Nimber>(values));
  ASSERT_EQ(plain.status, PeriodStatus::kCertified);
  write(table, rule, values, [&](TableInfo& info) { info.period = plain; });
  EXPECT_TRUE(prove(ProofKind::kSamples).wrong);
}

TEST_F(PassTest, AWindowCertificateBeginsBehindThePass) {
  SparseFacts facts;
  facts.mask = 2;
  facts.last_rare = 10;
  facts.depth = 20;
  facts.count = 1000;
  const PeriodReport period = sparse_report(facts, 2, 30, 12);
  EXPECT_TRUE(window_certificate_applies(HeapRule::parse("0.77"), period));
  EXPECT_TRUE(window_certificate_applies(HeapRule::parse("0.77 pass 20"), period));
  EXPECT_FALSE(window_certificate_applies(HeapRule::parse("0.77 pass 21"), period));
}

TEST_F(PassTest, WhatKnowsNoPassRefuses) {
  const HeapRule rule = HeapRule::parse("0.77 pass 3");
  const Error error = error_of(
      [&] { compute_genera({.game = HeapGame{.rule = rule, .last = 20, .misere = true}}); });
  EXPECT_EQ(error.code(), ErrorCode::kUsage);
  EXPECT_THAT(error.what(), testing::HasSubstr("0.77 pass 3 has a pass"));
}

}  // namespace
}  // namespace grundy::verify_test
