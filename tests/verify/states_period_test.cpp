/// @file
/// Periods of runs that keep no table are proved again from the sealed files of the run, by one of
/// several parts, and false ones are refused.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <grundy/compute.hpp>
#include <grundy/error.hpp>
#include <grundy/statistics.hpp>

#include "run/run_directory.hpp"
#include "session/run_state.hpp"
#include "support/arguments.hpp"
#include "support/files.hpp"
#include "support/progress_record.hpp"
#include "support/team.hpp"
#include "theory/analysis_testing.hpp"
#include "verify/forged_state.hpp"
#include "verify/verify_testing.hpp"

namespace grundy::verify_test {
namespace {

using ::testing::HasSubstr;

constexpr HeapSize kPreperiod = 105'351;
constexpr HeapSize kPeriod = 149'459;

class StatesPeriodTest : public testing::Test {
 protected:
  static constexpr HeapSize kLast = 8'000'000;

  /// The values of 0.16 return while all of them are there. A life that has let them go finds the
  /// preperiod from the seals.
  static void SetUpTestSuite() {
    made = std::make_unique<TemporaryDirectory>();
    Request request{.game = HeapGame{.rule = HeapRule::parse("0.16"),
                                     .last = kLast,
                                     .at_period = AtPeriod::kCompute,
                                     .stats_only = true}};
    request.output.path = *made / "s.h5";
    request.output.checkpoint.time = std::chrono::milliseconds(8);
    std::stop_source stop;
    Hooks hooks{.stop = stop.get_token()};
    hooks.values = [&](const Stretch& block) {
      if (block.end() >= 7'200'000) stop.request_stop();
      return Flow::kContinue;
    };
    EXPECT_FALSE(compute(request, hooks).complete);
    const Report report = compute(request);
    EXPECT_TRUE(report.complete);
    EXPECT_EQ(report.info.period.preperiod, kPreperiod);
    EXPECT_EQ(report.info.period.period, kPeriod);
  }
  static void TearDownTestSuite() { made.reset(); }

  StatesPeriodTest() {
    std::filesystem::copy(*made / "s.h5", file);
    std::filesystem::copy(*made / "s.h5.run", run);
  }

  VerifyReport check(ProofKind proof, EntryRange range = {}, const Hooks& hooks = {}) {
    return verify({.table = run,
                   .proof = proof,
                   .seconds = 0,
                   .range = range,
                   .machine = {.backend = "threads", .threads = 1}},
                  hooks);
  }

  /// The sentence by which a changed file of statistics is refused; empty if it is not.
  std::string refusal(const std::function<void(StatisticsFile&)>& change) {
    StatisticsFile told = read_statistics(*made / "s.h5");
    change(told);
    write_statistics(file, told, true, true);
    EXPECT_EQ(run_of_statistics(file), run);
    const VerifyReport report = check(ProofKind::kSamples);
    EXPECT_TRUE(report.period_proof.empty() || !report.wrong);
    return report.wrong ? report.wrong->sentence : std::string();
  }

  void forge_state(const std::function<void(RunState&)>& change) const {
    testing_support::forge_state(run, [&](auto&, RunState& state) { change(state); });
  }

  static inline std::unique_ptr<TemporaryDirectory> made;  ///< with a run that is finished
  TemporaryDirectory dir;
  std::filesystem::path file = dir / "s.h5";
  std::filesystem::path run = dir / "s.h5.run";
};

TEST_F(StatesPeriodTest, IsProvedAgain) {
  testing_support::ProgressRecord record;
  const VerifyReport full = check(ProofKind::kFull, {}, {.progress = &record});
  EXPECT_FALSE(full.wrong);
  EXPECT_TRUE(full.complete);
  record.expect_to_rise_to_the_end();
  EXPECT_THAT(full.period_proof, HasSubstr("G(n+149 459) = G(n)"));
  EXPECT_THAT(full.period_proof, HasSubstr("not for heap 105 350"));
  EXPECT_EQ(full.info.period.preperiod, kPreperiod);
  EXPECT_TRUE(certificate_of(full).complete());
  EXPECT_EQ(check(ProofKind::kSamples).period_proof, full.period_proof);
}

// Nobody types absolute paths.
TEST_F(StatesPeriodTest, IsFoundBesideADirectoryWithARelativeName) {
  run = std::filesystem::relative(run);
  EXPECT_EQ(check(ProofKind::kSamples).info.period.preperiod, kPreperiod);
}

TEST_F(StatesPeriodTest, IsProvedWithoutTheStatistics) {
  std::filesystem::remove(file);
  const VerifyReport report = check(ProofKind::kSamples);
  EXPECT_FALSE(report.wrong);
  EXPECT_EQ(report.info.period.period, kPeriod);
  EXPECT_GE(report.info.period.preperiod, kPreperiod);
  EXPECT_THAT(report.period_proof, HasSubstr("may be less"));
  EXPECT_THAT(period_sentence(report.info.period),
              HasSubstr(" or earlier; the preperiod was not found, proved for all heaps"));
  const auto path = dir / "certificate.json";
  testing_support::write_bytes(path, certificate_of(report).to_json());
  EXPECT_EQ(Certificate::read(path).period.last_exception(), std::nullopt);
}

TEST_F(StatesPeriodTest, IsProvedByOnePartOfSeveral) {
  std::vector<Certificate> without, with;
  for (std::uint64_t part = 1; part <= 3; ++part) {
    const VerifyReport report = check(ProofKind::kRange, share_of_proof(run, {part, 3}));
    EXPECT_TRUE(report.complete && !report.wrong);
    (report.period_proof.empty() ? without : with).push_back(certificate_of(report));
  }
  ASSERT_EQ(with.size(), 1u);
  EXPECT_TRUE(merge(without).lacks_period());
  std::vector<Certificate> all = without;
  all.insert(all.begin(), with.begin(), with.end());
  EXPECT_TRUE(merge(all).complete());
  testing_support::write_bytes(dir / "c.json", merge(all).to_json());
  EXPECT_EQ(Certificate::read(dir / "c.json"), merge(all));
}

TEST_F(StatesPeriodTest, IsProvedByRanksTogether) {
  testing_support::on_all_ranks(2, [&](Team& team) {
    VerifyRequest request{.table = run, .proof = ProofKind::kRange, .range = {0, kLast}};
    request.machine = {.backend = "threads", .threads = 1};
    request.team = &team;
    const VerifyReport report = verify(request);
    EXPECT_FALSE(report.wrong);
    if (team.rank() == 0) {
      EXPECT_FALSE(report.period_proof.empty());
    }
    return report;
  });
}

TEST_F(StatesPeriodTest, FalseStatisticsAreRefused) {
  EXPECT_EQ(refusal([](StatisticsFile&) {}), "");
  const auto longer = [](StatisticsFile& told, HeapSize preperiod, HeapSize period) {
    PeriodReport& report = told.info.period;
    report.preperiod += preperiod;
    report.period += period;
    report.verified_to += preperiod + period;
    report.sparse->count = report.verified_to;
    told.statistics.last_exception.reset();
  };
  EXPECT_NE(refusal([&](StatisticsFile& told) { longer(told, 0, kPeriod); }), "");
  EXPECT_NE(refusal([&](StatisticsFile& told) { longer(told, 0, 1); }), "");
  EXPECT_THAT(refusal([&](StatisticsFile& told) { longer(told, 1, 0); }),
              HasSubstr("preperiod 105352 is not the least"));
  EXPECT_THAT(refusal([&](StatisticsFile& told) { longer(told, HeapSize{0} - 1, 0); }),
              HasSubstr("but the period 149459 gives"));
  EXPECT_THAT(refusal([](StatisticsFile& told) { told.statistics.last_exception->value ^= 1; }),
              HasSubstr("last exception is told"));
  EXPECT_THAT(refusal([](StatisticsFile& told) { --told.info.period.verified_to; }),
              HasSubstr("not enough for a proof"));
  EXPECT_THAT(refusal([](StatisticsFile& told) {
                told.info.period.verified_to += kLast;
                told.info.period.sparse->count += kLast;
              }),
              HasSubstr("were computed"));
}

// The period of a forged state is twice the right one, and nothing else contradicts it.
TEST_F(StatesPeriodTest, AFalseStateIsRefused) {
  std::filesystem::remove(file);
  forge_state([](RunState& state) {
    Return& found = *state.returns->found;
    found.facts.count += found.period;
    found.period *= 2;
  });
  EXPECT_THAT(check(ProofKind::kSamples).wrong.value().sentence,
              HasSubstr("the period 298918 is not the least"));
}

TEST_F(StatesPeriodTest, AFalseSparseSpaceIsRefused) {
  std::filesystem::remove(file);
  forge_state([](RunState& state) { state.returns->found->facts.mask ^= 3; });
  EXPECT_THAT(check(ProofKind::kFull).wrong.value().sentence, HasSubstr("is rare under mask"));
}

/// A run that ends while all its values are there.
void expect_proof_of_values(const std::string& rule, HeapSize preperiod, HeapSize period) {
  const TemporaryDirectory dir;
  Request request{.game = HeapGame{.rule = HeapRule::parse(rule),
                                   .last = 5 * (preperiod + period) + 100,
                                   .stats_only = true}};
  request.output.path = dir / "s.h5";
  ASSERT_TRUE(compute(request).complete) << rule;
  const auto check = [&] {
    return verify({.table = run_directory_for(request.output.path),
                   .samples = 10,
                   .seconds = 0,
                   .machine = {.backend = "threads", .threads = 1}});
  };
  const VerifyReport report = check();
  EXPECT_FALSE(report.wrong) << rule << ": " << report.wrong->sentence;
  EXPECT_EQ(report.info.period.preperiod, preperiod) << rule;
  EXPECT_EQ(report.info.period.period, period) << rule;
  const auto last = report.info.period.last_exception();
  EXPECT_EQ(last.value_or(~HeapSize{0}) + 1, preperiod) << rule;
  EXPECT_FALSE(report.period_proof.empty()) << rule;
  StatisticsFile told = read_statistics(request.output.path);
  if (told.info.period.sparse) {
    ++told.info.period.sparse->count;
  }
  ++told.info.period.verified_to;
  ++told.info.period.preperiod;
  write_statistics(request.output.path, told, true, true);
  EXPECT_TRUE(check().wrong) << rule;
}

TEST(PeriodsOfValues, OfStatisticsAreProvedAgain) {
  expect_proof_of_values("0.16", kPreperiod, kPeriod);  // by the window certificate
  unsigned games = 0;
  for (const auto& row : testing_support::golden_periods()) {
    const bool is_subtraction = row.code.find('{') != std::string::npos;
    if (!row.known || is_subtraction || row.known->preperiod + row.known->period > 10'000'000) {
      continue;
    }
    // All of them take a minute.
    if (games++ % testing_support::by_effort(10U, 1U) != 0) continue;
    expect_proof_of_values(row.code, row.known->preperiod, row.known->period);
  }
  EXPECT_GT(games, 300u);
}

}  // namespace
}  // namespace grundy::verify_test
