/// @file
/// Runs that keep no table: every interval between seals is proved separately, and damage and wrong
/// values are distinguished.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <grundy/compute.hpp>
#include <grundy/error.hpp>
#include <grundy/statistics.hpp>

#include "session/run_state.hpp"
#include "support/progress_record.hpp"
#include "support/team.hpp"
#include "verify/damaged_segments.hpp"
#include "verify/forged_state.hpp"
#include "verify/heap/seal_comparison.hpp"
#include "verify/verify_testing.hpp"

namespace grundy::verify_test {
namespace {

using ::testing::HasSubstr;

class StatesVerifyTest : public testing::Test {
 protected:
  static constexpr HeapSize kLast = 20'000'000;

  static void SetUpTestSuite() {
    made = std::make_unique<TemporaryDirectory>();
    Request request{
        .game = HeapGame{.rule = HeapRule::parse("0.106"), .last = kLast, .stats_only = true}};
    request.output.path = *made / "s.h5";
    EXPECT_TRUE(compute(request).complete);
  }
  static void TearDownTestSuite() { made.reset(); }

  StatesVerifyTest() {
    std::filesystem::copy(*made / "s.h5.run", run);
    segments = read_run(run).segments;
  }

  VerifyReport check(ProofKind proof, EntryRange range = {}, std::size_t threads = 1) {
    return verify({.table = run,
                   .proof = proof,
                   .seconds = 1,
                   .range = range,
                   .machine = {.backend = "threads", .threads = threads}});
  }

  void forge(const std::function<void(std::vector<Nimber>&, RunState&)>& change) const {
    testing_support::forge_state(run, change);
  }

  static inline std::unique_ptr<TemporaryDirectory> made;  ///< with a run that is finished
  TemporaryDirectory dir;
  std::filesystem::path run = dir / "s.h5.run";
  std::vector<Segment> segments;
};

TEST_F(StatesVerifyTest, AStoppedProofStatesWhatTheNextOneNeedNotProve) {
  const HeapSize second = std::ranges::find_if(segments, [](const Segment& s) {
                            return s.header.is_state();
                          })->header.end();
  class StopBehind final : public ProgressSink {
   public:
    explicit StopBehind(HeapSize heaps) : heaps_(heaps) {}
    void report(const Progress& progress) noexcept override {
      if (progress.done > heaps_) stop.request_stop();
    }
    std::stop_source stop;

   private:
    HeapSize heaps_;
  };
  StopBehind progress(second);
  const VerifyRequest request{.table = run,
                              .proof = ProofKind::kRange,
                              .range = {0, kLast},
                              .machine = {.backend = "threads", .threads = 1}};
  const VerifyReport begun =
      verify(request, {.stop = progress.stop.get_token(), .progress = &progress});
  ASSERT_FALSE(begun.complete);
  EXPECT_EQ(begun.proved, (EntryRange{0, second - 1}));
  const VerifyReport rest = check(ProofKind::kRange, {second, kLast});
  EXPECT_EQ(rest.proved, (EntryRange{second, kLast}));
  EXPECT_TRUE(merge({certificate_of(begun), certificate_of(rest)}).complete());
}

TEST_F(StatesVerifyTest, EveryIntervalIsProved) {
  ASSERT_GE(std::ranges::count_if(segments,
                                  [](const Segment& segment) { return segment.header.is_state(); }),
            2);
  const VerifyReport report = check(ProofKind::kFull, {}, 2);
  EXPECT_TRUE(report.complete);
  EXPECT_FALSE(report.wrong);
  EXPECT_EQ(report.proved, (EntryRange{0, kLast}));
  EXPECT_EQ(report.info.stats.count, kLast + 1);
  EXPECT_GT(check(ProofKind::kSamples).random, 0u);
}

// The time is that of intervals that nobody asked for, and one is proved at least.
TEST_F(StatesVerifyTest, AsManyIntervalsAsAskedForAreProved) {
  VerifyRequest request{
      .table = run, .seconds = 0, .machine = {.backend = "threads", .threads = 1}};
  EXPECT_GT(verify(request).random, 0u);
  HeapSize proved = 0;
  for (const std::uint64_t samples : {1, 1000}) {
    request.samples = samples;
    testing_support::ProgressRecord record;
    const VerifyReport report = verify(request, {.progress = &record});
    record.expect_to_rise_to_the_end();
    EXPECT_LT(record.largest_step(), 0.25);  // an interval does not begin half done
    EXPECT_TRUE(report.complete && !report.wrong);
    EXPECT_GT(report.random, proved);
    proved = report.random;
  }
  EXPECT_EQ(proved, kLast + 1);
}

TEST_F(StatesVerifyTest, PartsProveTheWholeTogether) {
  std::vector<Certificate> certificates;
  for (HeapSize first = 0; first <= kLast; first += 2'500'000) {
    const VerifyReport report =
        check(ProofKind::kRange, {first, std::min(kLast, first + 2'499'999)});
    EXPECT_TRUE(report.complete);
    EXPECT_FALSE(report.wrong);
    if (report.proved) certificates.push_back(certificate_of(report));
  }
  ASSERT_GE(certificates.size(), 2u);
  EXPECT_TRUE(merge(certificates).complete());
  certificates.pop_back();
  EXPECT_FALSE(merge(certificates).complete());
}

TEST_F(StatesVerifyTest, MorePartsThanIntervalsProveTheWholeTogether) {
  const auto intervals = static_cast<std::uint64_t>(std::ranges::count_if(
      segments, [](const Segment& segment) { return segment.header.is_state(); }));
  for (const std::uint64_t parts : {std::uint64_t{3}, 2 * intervals}) {
    std::vector<Certificate> certificates;
    std::uint64_t empty = 0;
    for (std::uint64_t part = 1; part <= parts; ++part) {
      const VerifyReport report = check(ProofKind::kRange, share_of_proof(run, {part, parts}));
      EXPECT_TRUE(report.complete);
      if (!report.proved) ++empty;
      certificates.push_back(certificate_of(report));
    }
    const Certificate all = merge(certificates);
    EXPECT_TRUE(all.complete());
    EXPECT_EQ(all.methods.size(), 1u);
    if (parts > intervals) {
      EXPECT_GE(empty, parts - intervals);
    }
  }
}

TEST_F(StatesVerifyTest, RankZeroTellsHowFarAllRanksAre) {
  for (const std::uint64_t ranks : {1, 2}) {
    testing_support::ProgressRecord record;
    testing_support::on_all_ranks(ranks, [&](Team& team) {
      VerifyRequest request{.table = run, .proof = ProofKind::kRange, .range = {0, kLast}};
      request.machine = {.backend = "threads", .threads = 1};
      if (ranks > 1) request.team = &team;
      return verify(request, {.progress = team.rank() == 0 ? &record : nullptr});
    });
    record.expect_to_rise_to_the_end();
  }
}

// Time is compared with the real one by hand: a machine of tests is busy.
TEST_F(StatesVerifyTest, WhatAProofNeedsIsForetold) {
  VerifyRequest request{
      .table = run, .proof = ProofKind::kFull, .machine = {.backend = "threads", .threads = 1}};
  const double long_time = GRUNDY_SANITIZED ? 600 : 60;
  const Prediction full = predict(request).value();
  EXPECT_THAT(full.engine, HasSubstr("from seal to seal"));
  EXPECT_GT(full.seconds.value(), 0);
  EXPECT_LT(full.seconds.value(), long_time);
  EXPECT_LT(full.memory_bytes.value(), 100u << 20);
  EXPECT_FALSE(full.traffic_bytes);
  request.proof = ProofKind::kSamples;
  request.seconds = 2 * long_time;
  EXPECT_LT(predict(request).value().seconds.value(), long_time);  // so few intervals take less
  std::stop_source stopped;
  stopped.request_stop();
  request.proof = ProofKind::kFull;
  EXPECT_FALSE(predict(request, {.stop = stopped.get_token()}));
  const auto of_ranks = testing_support::on_all_ranks(2, [&](Team& team) {
    VerifyRequest shared = request;
    shared.team = &team;
    return predict(shared).value();
  });
  EXPECT_GT(of_ranks.front().traffic_bytes.value(), 0u);
}

TEST_F(StatesVerifyTest, AnEngineThatCannotGoOnFromAStateIsRefused) {
  const auto with = [this](const char* engine) {
    return verify({.table = run,
                   .proof = ProofKind::kFull,
                   .machine = {.engine = engine, .backend = "threads", .threads = 1}});
  };
  EXPECT_THROW(static_cast<void>(with("dense")), Error);
  EXPECT_TRUE(with("sparse").complete);
}

TEST_F(StatesVerifyTest, StatisticsAreComparedWithTheirRun) {
  const std::filesystem::path file = dir / "s.h5";
  std::filesystem::copy(*made / "s.h5", file);
  EXPECT_EQ(run_of_statistics(file), run);
  StatisticsFile told = read_statistics(file);
  const auto refusal = [&](const StatisticsFile& other) {
    write_statistics(file, other, true, true);
    try {
      static_cast<void>(run_of_statistics(file));
    } catch (const Error& error) {
      return error.code();
    }
    return ErrorCode::kFailure;
  };
  StatisticsFile wrong = told;
  ++wrong.info.stats.digest[3];
  EXPECT_EQ(refusal(wrong), ErrorCode::kMismatch);
  wrong = told;
  ++wrong.statistics.milestones.at(12).digest[3];
  EXPECT_EQ(refusal(wrong), ErrorCode::kMismatch);
  wrong = told;
  ++wrong.statistics.seals.at(0).digest[3];
  EXPECT_EQ(refusal(wrong), ErrorCode::kMismatch);
  std::filesystem::remove_all(run);
  EXPECT_EQ(refusal(told), ErrorCode::kUsage);
}

TEST_F(StatesVerifyTest, AWrongValueUnderRightDigestsIsNamed) {
  HeapSize at = 0;
  forge([&](std::vector<Nimber>& newest, RunState&) {
    newest[newest.size() - 1000] ^= 1;
    at = segments.back().header.end() - 1000;
  });
  const VerifyReport report = check(ProofKind::kFull);
  ASSERT_TRUE(report.wrong);
  EXPECT_EQ(report.wrong->entry, at);
}

// Long before those that a later life computes again.
TEST_F(StatesVerifyTest, AWrongOldValueOfAStateIsNamed) {
  HeapSize at = 0;
  forge([&](std::vector<Nimber>& newest, RunState&) {
    ASSERT_GT(newest.size(), 250'000u);
    at = segments.back().header.end() - 13'192;
    newest[newest.size() - 13'192] ^= 1;
  });
  const VerifyReport report = check(ProofKind::kFull);
  ASSERT_TRUE(report.wrong);
  EXPECT_EQ(report.wrong->entry, at);
}

TEST_F(StatesVerifyTest, WrongStatisticsAreNamed) {
  forge([](std::vector<Nimber>&, RunState& state) { --state.stats.argmax; });
  EXPECT_THAT(check(ProofKind::kFull).wrong.value().sentence, HasSubstr("other statistics"));
  segments = read_run(run).segments;
  forge([](std::vector<Nimber>&, RunState& state) {
    ++state.stats.argmax;
    state.stats.digest[3] ^= 1;
  });
  EXPECT_THAT(check(ProofKind::kFull).wrong.value().sentence, HasSubstr("has the digest"));
  segments = read_run(run).segments;
  forge([](std::vector<Nimber>&, RunState& state) {
    state.stats.digest[3] ^= 1;
    state.rare.front() += 1;
  });
  EXPECT_THAT(check(ProofKind::kFull).wrong.value().sentence, HasSubstr("rare heaps"));
}

// The first heaps of a run are those of another engine where many of them are rare.
TEST_F(StatesVerifyTest, TheFirstIntervalIsComputedLikeARun) {
  EXPECT_THAT(check(ProofKind::kFull).method,
              HasSubstr("the engine sparse from seal to seal and auto to the first"));
}

// An engine that knows no sparse space tells no rare heaps.
TEST_F(StatesVerifyTest, TheRareHeapsOfAStateAreFoundInTheValues) {
  constexpr HeapSize kHeaps = 5000;
  const HeapRule rule = HeapRule::parse("0.106");
  const PairMoves moves = PairMoves::from(rule, kHeaps).value();
  const Segment& last = segments.back();
  const RunState whole = parse_run_state(read_state_text(last), last.header.end());
  const auto agrees = [&](const std::function<void(std::vector<HeapSize>&)>& change) {
    RunState state = whole;
    std::erase_if(state.rare, [](HeapSize heap) { return heap >= kHeaps; });
    change(state.rare);
    RareComparison comparison(moves, state);
    compute({.game = HeapGame{.rule = rule, .last = kHeaps - 1}},
            {.values = [&](const Stretch& block) {
              comparison.put(block);
              return Flow::kContinue;
            }});
    return comparison.same();
  };
  EXPECT_TRUE(agrees([](auto&) {}));
  EXPECT_FALSE(agrees([](auto& rare) { rare.erase(rare.begin() + 1); }));
  EXPECT_FALSE(agrees([](auto& rare) { rare.pop_back(); }));
  EXPECT_FALSE(agrees([](auto& rare) { rare.push_back(kHeaps - 1); }));
  EXPECT_FALSE(agrees([](auto& rare) { ++rare.front(); }));
}

TEST_F(StatesVerifyTest, FlippedBitsAreDamage) {
  expect_flipped_bits_of_segments_are_damage(run, 5, 25);
}

// A run that makes a table has all values, and no value depends on what its states say. But the
// next life does.
TEST(StatesOfTables, DamageIsFound) {
  const TemporaryDirectory dir;
  Request request{.game = HeapGame{.rule = HeapRule::parse("0.106"), .last = 8'000'000}};
  request.output.path = dir / "t.h5";
  request.output.checkpoint.time = std::chrono::milliseconds(8);
  class StopLate final : public ProgressSink {
   public:
    explicit StopLate(std::stop_source& stop) : stop_(stop) {}
    void report(const Progress& progress) override {
      if (progress.done >= 7'000'000) stop_.request_stop();
    }

   private:
    std::stop_source& stop_;
  };
  std::stop_source stop;
  StopLate progress(stop);
  EXPECT_FALSE(compute(request, {.stop = stop.get_token(), .progress = &progress}).complete);
  const std::filesystem::path run = dir / "t.h5.run";
  ASSERT_TRUE(read_run(run).segments.back().header.is_state());
  const VerifyReport report =
      verify({.table = run, .proof = ProofKind::kSamples, .seconds = 1, .machine = {.threads = 1}});
  EXPECT_FALSE(report.wrong);
  expect_flipped_bits_of_segments_are_damage(run, 6, 15);
}

}  // namespace
}  // namespace grundy::verify_test
