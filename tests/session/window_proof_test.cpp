/// @file
/// Window certificates that are found in the values of a table: periods of games with unequal
/// splits, which no theorem covers, against values of the reference engine.
// SPDX-License-Identifier: MIT
#include "session/window_proof.hpp"

#include <optional>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include <grundy/compute.hpp>

#include "engines/heap/heap_testing.hpp"

namespace grundy {
namespace {

using testing_support::values_by;

std::vector<Nimber> defined_values(const HeapRule& rule, HeapSize count) {
  return values_by(*heap_engines().front(), rule, count);
}

PeriodReport period_of_first(const HeapRule& rule, std::span<const Nimber> values, HeapSize count) {
  return period_of_table(rule, values.first(count));
}

struct Game {
  const char* notation;
  HeapSize preperiod;
  HeapSize period;
};

constexpr Game kGames[] = {
    {"0.7!", 0, 2}, {"0.77!", 540, 4}, {"4!.27", 1, 4}, {"4!.46", 3257, 442}};

TEST(WindowProof, ProvesWhatTheReferenceGoesOnToShow) {
  for (const Game& game : kGames) {
    const HeapRule rule = HeapRule::parse(game.notation);
    const std::vector<Nimber> values = defined_values(rule, 12000);
    const PeriodReport found = period_of_first(rule, values, 10000);
    EXPECT_EQ(found.status, PeriodStatus::kCertified) << game.notation;
    EXPECT_EQ(found.preperiod, game.preperiod) << game.notation;
    EXPECT_EQ(found.period, game.period) << game.notation;
    ASSERT_TRUE(found.sparse) << game.notation;
    EXPECT_EQ(found.sparse->count, found.verified_to) << game.notation;
    for (HeapSize n = found.preperiod; n + found.period < values.size(); ++n) {
      ASSERT_EQ(values[n + found.period], values[n]) << game.notation << ' ' << n;
    }
  }
}

// A table that is too short for the certificate proves nothing, and no table proves anything else.
TEST(WindowProof, NeedsItsValues) {
  for (const Game& game : kGames) {
    const HeapRule rule = HeapRule::parse(game.notation);
    const std::vector<Nimber> values = defined_values(rule, 6000);
    unsigned proofs = 0;
    for (HeapSize count = 10; count <= values.size(); count += 1 + count / 50) {
      const PeriodReport found = period_of_first(rule, values, count);
      if (found.status != PeriodStatus::kCertified) continue;
      ++proofs;
      EXPECT_LE(found.verified_to, count) << game.notation;
      EXPECT_EQ(found.preperiod, game.preperiod) << game.notation << ' ' << count;
      EXPECT_EQ(found.period, game.period) << game.notation << ' ' << count;
    }
    EXPECT_GT(proofs, 0) << game.notation;
  }
}

// Recurring values are no proof if a rare heap, or a witness that lies deep, is too near.
TEST(WindowProof, ALateRareHeapForbidsIt) {
  const HeapRule rule = HeapRule::parse("4!.46");
  std::vector<Nimber> values = defined_values(rule, 6000);
  const PeriodReport before = period_of_first(rule, values, values.size());
  ASSERT_EQ(before.status, PeriodStatus::kCertified);
  for (HeapSize n = 2900; n < values.size(); n += before.period) values[n] ^= 2;
  const PeriodReport after = period_of_first(rule, values, values.size());
  EXPECT_EQ(after.status, PeriodStatus::kCandidate);
  EXPECT_EQ(after.period, before.period);
}

// The proof is the same for every engine and every block size, and for reproducible files.
TEST(WindowProof, RestsOnTheValuesAlone) {
  std::optional<PeriodReport> first;
  for (const char* engine : {"dense", "sparse", "auto"}) {
    for (const HeapSize block : {100, 4096}) {
      for (const bool reproducible : {false, true}) {
        const Report report =
            compute({.game = HeapGame{.rule = HeapRule::parse("4!.46"), .last = 9999},
                     .machine = {.engine = engine, .threads = 1, .block = block},
                     .output = {.reproducible = reproducible}});
        EXPECT_EQ(report.info.stats.count, 10000) << engine;
        if (!first) first = report.info.period;
        EXPECT_EQ(report.info.period, *first) << engine << ' ' << block;
      }
    }
  }
  EXPECT_EQ(first->status, PeriodStatus::kCertified);
}

TEST(WindowProof, ASearchEndsWithIt) {
  const Report report =
      search_period({.game = HeapGame{.rule = HeapRule::parse("4!.46"), .last = 9999}});
  EXPECT_TRUE(report.complete);
  EXPECT_EQ(report.info.period.status, PeriodStatus::kCertified);
  EXPECT_EQ(report.info.period.preperiod, 3257);
}

}  // namespace
}  // namespace grundy
