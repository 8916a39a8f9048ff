/// @file
/// Games with a pass from the command to the file: computed in several lives, proved, and periods
/// certified; forged tables are refused.
// SPDX-License-Identifier: MIT
#include <stop_token>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <grundy/atlas.hpp>
#include <grundy/compute.hpp>
#include <grundy/genera.hpp>
#include <grundy/team.hpp>

#include "engines/heap/pass_values.hpp"
#include "support/errors.hpp"
#include "support/team.hpp"
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

TEST_F(PassTest, ReportsNameTheEngineOfTheHead) {
  for (const char* engine : {"dense", "sparse", "auto"}) {
    std::filesystem::remove(table);
    Request request{.game = HeapGame{.rule = HeapRule::parse("0.007 pass 700"), .last = 4999}};
    request.output.path = table;
    request.machine.engine = engine;
    request.machine.backend = "threads";
    const std::vector<EngineChoice> engines = compute(request).engines;
    ASSERT_GE(engines.size(), 2u) << engine;
    EXPECT_EQ(engines[0].engine, "reference");
    EXPECT_EQ(engines[0].from, 0u);
    EXPECT_NE(engines[1].engine, "reference");
    EXPECT_GT(engines[1].from, 700u);
    EXPECT_THAT(TableReader::open(table)->info().engine, testing::StartsWith("reference, "));
    const VerifyReport proof = prove(ProofKind::kFull);
    EXPECT_TRUE(proof.complete);
    if (engine != std::string_view("sparse")) continue;
    EXPECT_THAT(proof.method, testing::StartsWith("engine reference, dense"));
    EXPECT_THAT(proof.method, testing::HasSubstr("by the definition on both sides")) << engine;
  }
}

TEST_F(PassTest, AReproducibleTableDoesNotShowWhereItWasInterrupted) {
  std::vector<std::string> engines;
  for (const HeapSize end : {5000, 300, 1500}) {
    std::filesystem::remove(table);
    Request request{.game = HeapGame{.rule = HeapRule::parse("0.007 pass 700"), .last = 4999}};
    request.output = {.path = table, .reproducible = true};
    request.machine = {.engine = "sparse", .backend = "threads", .block = 100};
    std::stop_source stop;
    Hooks hooks{.stop = stop.get_token()};
    hooks.values = [&](const Stretch& block) {
      if (block.end() >= end && end < 5000) stop.request_stop();
      return Flow::kContinue;
    };
    EXPECT_EQ(compute(request, hooks).complete, end == 5000);
    if (end < 5000) compute(request);
    engines.push_back(TableReader::open(table)->info().engine);
  }
  EXPECT_THAT(engines, testing::Each("sparse"));
}

TEST_F(PassTest, AStopInTheHeadHasAReasonThatHolds) {
  std::stop_source stop;
  stop.request_stop();
  const Request request{.game = HeapGame{.rule = HeapRule::parse("0.77 pass 3"), .last = 99999}};
  const Report report = compute(request, {.stop = stop.get_token()});
  EXPECT_FALSE(report.complete);
  ASSERT_EQ(report.engines.size(), 1u);
  EXPECT_EQ(report.engines[0].reason, "a heap with a pass is ahead");
}

TEST_F(PassTest, AMixedPatternIsFoundUnlessTheSearchIsStopped) {
  const Request request{.game = HeapGame{.rule = HeapRule::parse("4.3646 pass 4"), .last = 4999}};
  const Report report = search_period(request);
  const PeriodReport& period = report.info.period;
  EXPECT_EQ(period.status, PeriodStatus::kNone);
  ASSERT_TRUE(period.mixed);
  EXPECT_TRUE(period.mixed->proved);
  EXPECT_EQ(period.mixed->size, 5000u);
  EXPECT_TRUE(period.proved());
  EXPECT_TRUE(period.grows());
  EXPECT_TRUE(period.recurs(1000));   // saltus 0
  EXPECT_FALSE(period.recurs(1003));  // saltus 16
  EXPECT_FALSE(period.recurs(4));
  std::stop_source stop;
  stop.request_stop();
  const Report stopped = search_period(request, {.stop = stop.get_token()});
  EXPECT_FALSE(stopped.complete);
  EXPECT_FALSE(stopped.info.period.mixed);
  EXPECT_FALSE(
      search_period({.game = HeapGame{.rule = HeapRule::parse("0.77 pass 3")}}).info.period.mixed);
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
  const auto refusals = testing_support::on_all_ranks(2, [&rule](Team& team) {
    Request shared{.game = HeapGame{.rule = rule, .last = 20}};
    shared.team = &team;
    return std::string(error_of([&] { compute(shared); }).what());
  });
  for (const std::string& refusal : refusals) {
    EXPECT_EQ(refusal, "0.77 pass 3 has a pass, which a team of ranks does not know");
  }
  for (const std::string pattern : {"0.d pass 3", "0.77 pass d", "hex:0.h-PASS 12"}) {
    EXPECT_EQ(error_of([&] { expand_family(pattern); }).what(),
              "'" + pattern + "' has a pass, which a family does not know");
  }
  EXPECT_FALSE(expand_family("0.dPASS3").empty()) << "these letters are digits";
}

}  // namespace
}  // namespace grundy::verify_test
