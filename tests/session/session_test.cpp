/// @file
/// The session from request to report, without the command.
// SPDX-License-Identifier: MIT
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <grundy/compute.hpp>
#include <grundy/error.hpp>
#include <grundy/genera.hpp>

#include "run/run_directory.hpp"
#include "run/segment_log.hpp"
#include "session/machine.hpp"
#include "support/collect_sink.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

namespace grundy::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing_support::bytes_of;
using testing_support::code_of;
using testing_support::CollectSink;
using testing_support::into;
using testing_support::TemporaryDirectory;

HeapGame& heaps(Request& request) {
  return std::get<HeapGame>(request.game);
}

Request request_for(const char* game, HeapSize last) {
  return {.game = HeapGame{.rule = HeapRule::parse(game), .last = last}, .machine = {.threads = 2}};
}

/// Breaks the run where another sink would end it.
class BreakingSink final : public CollectSink {
 public:
  using CollectSink::CollectSink;
  Flow put(const Stretch& block) override {
    if (CollectSink::put(block) == Flow::kStop) throw Error(ErrorCode::kFailure, "the sink broke");
    return Flow::kContinue;
  }
};

class SessionTest : public ::testing::Test {
 protected:
  [[nodiscard]] fs::path target() const { return directory_ / "table.h5"; }
  [[nodiscard]] std::vector<fs::path> files() const { return directory_.files(); }

  TemporaryDirectory directory_;
};

TEST_F(SessionTest, ExtensionEqualsComputation) {
  for (const char* game : {"0.77", "0.07", "0.15", "S{1,2,5}", "S{3,7,19}", "AllBut{2,4}"}) {
    for (const HeapSize last : {0u, 1u, 63u, 64u, 255u, 256u, 5000u}) {
      Request request = request_for(game, last);
      CollectSink extended;
      const Report fast = compute(request, into(extended));
      heaps(request).at_period = AtPeriod::kCompute;
      CollectSink computed;
      const Report slow = compute(request, into(computed));
      EXPECT_TRUE(fast.complete && slow.complete);
      EXPECT_EQ(fast.info.stats, slow.info.stats) << game << ' ' << last;
      EXPECT_EQ(extended.values(), computed.values()) << game << ' ' << last;
      EXPECT_EQ(slow.info.computed, last + 1);
      EXPECT_EQ(extended.values().size(), last + 1);
    }
  }
}

TEST_F(SessionTest, ReportSaysWhatWasFound) {
  const Report report = compute(request_for("0.77", 100000));
  EXPECT_EQ(report.info.canonical, "0.77");
  EXPECT_EQ(report.info.title, "0.77");
  EXPECT_EQ(report.info.stats.count, 100001u);
  EXPECT_EQ(report.info.period.status, PeriodStatus::kCertified);
  EXPECT_EQ(report.info.period.period, 12u);
  EXPECT_EQ(report.info.period.preperiod, 71u);
  EXPECT_LT(report.info.computed, 100001u);
  EXPECT_EQ(report.threads, 2u);
  EXPECT_EQ(report.file_bytes, 0u);
}

TEST_F(SessionTest, AStopLeavesNothing) {
  std::stop_source stop;
  stop.request_stop();
  Request request = request_for("0.007", 3000);
  request.output.path = target();
  const Report report = compute(request, {.stop = stop.get_token()});
  EXPECT_FALSE(report.complete);
  EXPECT_THAT(files(), IsEmpty());
}

TEST_F(SessionTest, AStopDuringExtensionLeavesNothing) {
  class StopLate final : public ProgressSink {
   public:
    explicit StopLate(std::stop_source& stop) : stop_(stop) {}
    void report(const Progress& progress) override {
      if (progress.done > 1'000'000) stop_.request_stop();
    }

   private:
    std::stop_source& stop_;
  };
  std::stop_source stop;
  StopLate progress(stop);
  Request request = request_for("0.77", 100'000'000);
  request.output.path = target();
  const Report report = compute(request, {.stop = stop.get_token(), .progress = &progress});
  EXPECT_FALSE(report.complete);
  EXPECT_LT(report.info.stats.count, 100'000'000u);
  EXPECT_EQ(report.sealed, report.info.computed);
  EXPECT_THAT(files(), ElementsAre(report.run_directory));
}

TEST_F(SessionTest, ALaterLifeGoesOnAndGivesTheSameTable) {
  for (const char* game : {"0.007", "0.77", "0.45", "S{1,2,5}", "S{squares}", "AllBut{2,4}"}) {
    Request request = request_for(game, 30'000);
    heaps(request).at_period = AtPeriod::kCompute;
    CollectSink whole;
    const Report undisturbed = compute(request, into(whole));
    request.output.path = target();
    for (const HeapSize end : {5'000u, 11'000u, 12'000u}) {
      CollectSink enough(end);
      const Report life = compute(request, into(enough));
      EXPECT_FALSE(life.complete);
      EXPECT_GE(life.sealed, end);
      EXPECT_THAT(files(), ElementsAre(life.run_directory));
    }
    request.machine.threads = 1;
    request.machine.kernel = "scalar";
    request.machine.block = 100;
    CollectSink all;
    const Report last = compute(request, into(all));
    EXPECT_TRUE(last.complete);
    EXPECT_EQ(last.info.stats, undisturbed.info.stats) << game;
    EXPECT_EQ(all.values(), whole.values()) << game;
    EXPECT_THAT(files(), ElementsAre(target()));
    EXPECT_NE(last.info.kernel.find("scalar"), std::string::npos);
    EXPECT_NE(last.info.kernel.find(", "), std::string::npos) << "both kernels are named";
    fs::remove(target());
  }
}

// The first 80 000 values of Grundy's game favour `sparse`. A run that has left it because it was
// slow must not find that out again in every life.
TEST_F(SessionTest, ALaterLifeKnowsHowFastEnginesWere) {
  for (const bool was_slow : {false, true}) {
    Request request = request_for("4!.0", 82'000);
    request.output.path = target();
    CollectSink enough(80'000);
    const Report first = compute(request, into(enough));
    ASSERT_FALSE(first.complete);
    ASSERT_EQ(first.engines.back().engine, "sparse");
    if (was_slow) {
      RunDirectory directory(first.run_directory, false);
      RunRecord record = *directory.record();
      record.slowness = {{"sparse", 100}};
      directory.write_record(record);
    }
    CollectSink more(81'000);
    const Report second = compute(request, into(more));
    EXPECT_EQ(second.engines.front().engine, was_slow ? "dense" : "sparse");
    const auto kept = read_run(first.run_directory).record->slowness;
    EXPECT_EQ(kept.contains("sparse"), was_slow) << "the third life knows it too";
    const Report last = compute(request);
    EXPECT_EQ(last.info.stats, compute(request_for("4!.0", 82'000)).info.stats);
    fs::remove(target());
  }
}

TEST_F(SessionTest, ATableOfCopiedChunksIsTheOneOfValuesThatAreEncodedAnew) {
  // Values below 255 until a move of 102000 tokens makes one that no byte may hold.
  std::string widens = "S{102000";
  for (int take = 1; take < 255; ++take) widens += "," + std::to_string(take);
  struct Case {
    std::string game;
    HeapSize last;
  };
  for (const Case& c : {Case{"0.007", 9999}, Case{"0.77", 300000}, Case{"0.16", 200000},
                        Case{widens + "}", 150000}}) {
    Request request = request_for(c.game.c_str(), c.last);
    request.output.reproducible = true;
    request.output.chunk = 1024;
    request.output.path = directory_ / "copied.h5";
    ASSERT_TRUE(compute(request).complete);
    request.output.path = target();
    request.output.checkpoint.bytes = 700;  // so hardly any chunk is sealed in one piece
    request.machine.block = 300;
    ASSERT_TRUE(compute(request).complete);
    EXPECT_EQ(bytes_of(target()), bytes_of(directory_ / "copied.h5")) << c.game;
    fs::remove(target());
    fs::remove(directory_ / "copied.h5");
  }
}

TEST_F(SessionTest, AWrongSealedValueStopsTheRun) {
  Request request = request_for("0.007", 30'000);
  request.output.path = target();
  {
    RunDirectory directory(run_directory_for(target()), false);
    directory.write_record({.rule = "0.007", .count = 30'001});
    const auto executor = make_executor(1, "threads");
    SegmentLog log(directory, {}, *executor, "dense", "scalar", nullptr);
    CollectSink right;
    compute(request_for("0.007", 9'999), into(right));
    std::vector<Nimber> wrong = right.values();
    wrong[9'900] ^= 1;
    log.put({0, Values(std::span(wrong)), {}});
    log.seal();
  }
  EXPECT_EQ(code_of([&] { compute(request); }), ErrorCode::kMismatch);
  EXPECT_FALSE(fs::exists(target()));
}

TEST_F(SessionTest, TheCallersSinkMayEndOrBreakTheRun) {
  for (const char* game : {"0.007", "0.77"}) {
    Request request = request_for(game, 100'000);
    request.output.path = target();
    CollectSink enough(20'000);
    const Report report = compute(request, into(enough));
    EXPECT_FALSE(report.complete);
    EXPECT_THAT(files(), ElementsAre(report.run_directory));
    fs::remove_all(report.run_directory);
    BreakingSink broken(20'000);
    EXPECT_EQ(code_of([&] { compute(request, into(broken)); }), ErrorCode::kFailure);
    EXPECT_FALSE(fs::exists(target()));
    fs::remove_all(report.run_directory);  // what needed another width was sealed
  }
}

TEST_F(SessionTest, AbsurdRequestsAreUsageErrors) {
  const auto code_for = [](const std::function<void(Request&)>& change) {
    Request request = request_for("0.77", 100);
    change(request);
    return code_of([&] { compute(request); });
  };
  EXPECT_EQ(code_for([](auto& r) { heaps(r).last = ~HeapSize{0}; }), ErrorCode::kUsage);
  EXPECT_EQ(code_for([](auto& r) { heaps(r).last = HeapSize{1} << 48; }), ErrorCode::kUsage);
  EXPECT_EQ(code_for([](auto& r) { r.output.chunk = 0; }), ErrorCode::kUsage);
  EXPECT_EQ(code_for([](auto& r) { r.output.chunk = 1000; }), ErrorCode::kUsage);
  EXPECT_EQ(code_for([](auto& r) { r.machine.engine = "warp"; }), ErrorCode::kUsage);
  EXPECT_EQ(code_for([](auto& r) { r.machine.kernel = "warp"; }), ErrorCode::kUsage);
  EXPECT_EQ(code_for([](auto& r) { r.machine.backend = "warp"; }), ErrorCode::kUsage);
  EXPECT_EQ(code_for([](auto& r) { r.machine.threads = 5000; }), ErrorCode::kUsage);
}

TEST_F(SessionTest, EmptyNamesLeaveTheChoice) {
  Request request = request_for("0.77", 100);
  const auto digest = compute(request).info.stats.digest;
  request.machine.engine = request.machine.kernel = request.machine.backend = "";
  EXPECT_EQ(compute(request).info.stats.digest, digest);
}

TEST_F(SessionTest, AdmissionComparesWithTheLimit) {
  Request request = request_for("S{squares}", 200'000);
  request.output.path = target();
  request.machine.memory = 1000;
  EXPECT_EQ(code_of([&] { compute(request); }), ErrorCode::kFailure);
  EXPECT_THAT(files(), IsEmpty());
  request.force = true;
  EXPECT_TRUE(compute(request).complete);
}

TEST_F(SessionTest, PredictionOfAPeriodicGameIsConstantInMemory) {
  Request request = request_for("0.77", 1'000'000);
  request.output.path = target();
  const Prediction small = predict(request);
  heaps(request).last = 1'000'000'000'000;
  const Prediction large = predict(request);
  EXPECT_EQ(*small.memory_bytes, *large.memory_bytes);
  EXPECT_GT(*large.disk_bytes, 10'000 * *small.disk_bytes);  // most of a small file is metadata
  EXPECT_EQ(small.period.period, 12u);
  EXPECT_GT(small.disk_available.value(), 0u);
  EXPECT_THAT(files(), IsEmpty());
}

TEST_F(SessionTest, PredictionCountsValuesThatTheHookKeeps) {
  for (const auto& [game, last] : {std::pair{"0.77", HeapSize{1} << 36}, {"0.007", 100'000}}) {
    Request request = request_for(game, last);
    const Prediction without = predict(request);
    request.keeps_values = true;
    const std::uint64_t kept = (last + 1) * byte_count(width_for(*without.max_value));
    EXPECT_EQ(*predict(request).memory_bytes, *without.memory_bytes + kept) << game;
    request.machine.memory = last;
    EXPECT_EQ(code_of([&] { compute(request); }), ErrorCode::kFailure) << game;
  }
  Request outcomes = request_for("S{squares}", 8'000'000);
  outcomes.machine.memory = 36'000'000;
  EXPECT_TRUE(compute_outcomes(outcomes).complete);
  outcomes.keeps_values = true;
  EXPECT_EQ(code_of([&] { compute_outcomes(outcomes); }), ErrorCode::kFailure);
}

TEST_F(SessionTest, PredictionBoundsTheRealFile) {
  for (const char* game : {"0.77", "0.007", "S{squares}", "0.[3]"}) {
    Request request = request_for(game, 150'000);
    request.output.path = target();
    request.output.overwrite = true;
    const Prediction prediction = predict(request);
    const Report report = compute(request);
    EXPECT_LT(report.file_bytes, *prediction.disk_bytes * 3 / 2) << game;
    EXPECT_GT(report.file_bytes, *prediction.disk_bytes / 20) << game;
  }
}

TEST_F(SessionTest, PeriodSearchKeepsNothing) {
  const Report kayles = search_period(request_for("0.77", 100'000));
  EXPECT_TRUE(kayles.complete);
  EXPECT_EQ(kayles.info.period.period, 12u);
  EXPECT_EQ(kayles.info.stats.count, kayles.info.period.verified_to) << "it ends there";
  const Report unsolved = search_period(request_for("0.007", 1000));
  EXPECT_TRUE(unsolved.complete);
  EXPECT_EQ(unsolved.info.period.status, PeriodStatus::kNone);
  std::stop_source stop;
  stop.request_stop();
  const Report stopped = search_period(request_for("0.007", 1000), {.stop = stop.get_token()});
  EXPECT_FALSE(stopped.complete);
  EXPECT_EQ(stopped.info.period.verified_to, stopped.info.stats.count);
  Request table = request_for("0.77", 1000);
  heaps(table).at_period = AtPeriod::kEnd;
  table.output.path = target();
  EXPECT_EQ(code_of([&] { compute(table); }), ErrorCode::kUsage);
}

TEST_F(SessionTest, ProvenanceIsCompleteOrReproducible) {
  Request request = request_for("0.77", 10);
  request.output.command_line =
      "grundy compute \"caf\xe9\"";  // not UTF-8: must not break the metadata
  const auto full = nlohmann::json::parse(compute(request).info.provenance_json);
  for (const char* key : {"program", "version", "compiler", "libraries", "command", "threads",
                          "host", "cpu", "started", "ended", "seconds"}) {
    EXPECT_TRUE(full.contains(key)) << key;
  }
  request.output.reproducible = true;
  ::setenv("SOURCE_DATE_EPOCH", "86400", 1);
  const auto first = compute(request).info.provenance_json;
  request.machine.threads = 1;
  EXPECT_EQ(compute(request).info.provenance_json, first);
  const auto reduced = nlohmann::json::parse(first);
  ::unsetenv("SOURCE_DATE_EPOCH");
  EXPECT_EQ(reduced["created"], "1970-01-02T00:00:00Z");
  for (const char* key : {"command", "threads", "host", "cpu", "started", "seconds"}) {
    EXPECT_FALSE(reduced.contains(key)) << key;
  }
}

/// What extends a table is the table that is made in one go, and says who made which part.
TEST_F(SessionTest, AnExtendedTableIsTheOneMadeInOneGo) {
  Request shorter = request_for("0.156", 20000);
  shorter.output.path = directory_ / "shorter.h5";
  ASSERT_TRUE(compute(shorter).complete);
  Request longer = request_for("0.156", 40000);
  longer.output.path = directory_ / "longer.h5";
  const TableInfo whole = compute(longer).info;
  longer.output.path = target();
  longer.output.base = shorter.output.path;
  const TableInfo extended = compute(longer).info;
  EXPECT_EQ(extended.stats.digest, whole.stats.digest);
  EXPECT_EQ(extended.computed, whole.computed);
  EXPECT_EQ(extended.period.verified_to, whole.period.verified_to);

  shorter = request_for("0.16", 20000);
  shorter.machine.engine = "sparse";
  shorter.output = {.path = directory_ / "sparse.h5"};
  ASSERT_TRUE(compute(shorter).complete);
  longer = request_for("0.16", 30000);
  longer.machine.engine = "dense";
  longer.output = {.path = directory_ / "both.h5", .base = shorter.output.path};
  EXPECT_EQ(compute(longer).info.engine, "sparse, dense");
}

TEST_F(SessionTest, ARefusedResumeIsNotAdvised) {
  Request request = request_for("0.007", 300000);
  request.output.path = target();
  request.output.checkpoint.bytes = 1000;
  CollectSink sink(20000);
  EXPECT_FALSE(compute(request, into(sink)).complete);
  request.machine.memory = 1 << 20;
  const Error error = testing_support::error_of([&] { compute(request); });
  EXPECT_EQ(error.code(), ErrorCode::kFailure);
  EXPECT_THAT(error.what(), ::testing::HasSubstr("memory"));
  EXPECT_THAT(error.what(), ::testing::Not(::testing::HasSubstr("can go on from there")));
}

TEST(Machine, TellsPlausibleFigures) {
  EXPECT_GT(memory_available(), std::uint64_t{1} << 20);
  EXPECT_GT(disk_available("file-in-the-current-directory"), 0u);
  EXPECT_EQ(disk_available("/no/such/directory/file"), 0u);
  EXPECT_FALSE(cpu_model().empty());
}

TEST(Session, StatisticsOnlyAreThoseOfTheTable) {
  Request request{.game = HeapGame{.rule = HeapRule::parse("0.6"), .last = 9999}};
  request.machine.engine = "sparse";
  const Report with_table = compute(request);
  heaps(request).stats_only = true;
  const Report report = compute(request);
  EXPECT_EQ(report.info.stats, with_table.info.stats);
  ASSERT_EQ(report.statistics.milestones.size(), 14u) << "1, 2, 4, ..., 8192 heaps";
  EXPECT_EQ(report.statistics.milestones.back().count, 8192u);
  heaps(request).last = 8191;
  EXPECT_EQ(report.statistics.milestones.back(), compute(request).info.stats);
  // All P-positions of Officers below a billion (Grossman 2019).
  EXPECT_EQ(report.statistics.zeros,
            (std::vector<HeapSize>{0, 1, 4, 12, 20, 30, 46, 72, 98, 124, 150, 176, 314, 408}));
  ASSERT_TRUE(report.statistics.sparse);
  EXPECT_EQ(report.statistics.sparse->count, 10000u);
}

TEST_F(SessionTest, RequestsOfAnotherKindAreRefused) {
  const Request heap = request_for("0.77", 100);
  const Request lattice{.game = LatticeGame{.rule = LatticeRule::parse("2: (1,0)* + (0,1)*"),
                                            .shape = LatticeShape::cube(2, 10)}};
  const Request nothing{.game = PositionGame{}};
  const std::vector<std::function<void()>> wrong = {[&] { search_period(lattice); },
                                                    [&] { search_period(nothing); },
                                                    [&] { compute_root(heap); },
                                                    [&] { compute_root(lattice); },
                                                    [&] { compute_root(nothing); },
                                                    [&] { compute(nothing); },
                                                    [&] { predict(nothing); },
                                                    [&] { compute_outcomes(nothing); },
                                                    [&] { compute_p_positions(heap); },
                                                    [&] { compute_p_positions(lattice); },
                                                    [&] { compute_p_positions(nothing); },
                                                    [&] { compute_genera(lattice); },
                                                    [&] { compute_genera(nothing); }};
  for (std::size_t i = 0; i < wrong.size(); ++i)
    EXPECT_EQ(code_of(wrong[i]), ErrorCode::kUsage) << i;
}

}  // namespace
}  // namespace grundy::testing
