/// @file
/// Tables of several heaps from request to file, against the definition.
// SPDX-License-Identifier: MIT
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include <grundy/compute.hpp>
#include <grundy/error.hpp>
#include <grundy/games.hpp>

#include "run/segment_log.hpp"
#include "support/collect_sink.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/small_files.hpp"
#include "table/h5.hpp"
#include "table/seal.hpp"

namespace grundy::testing {
namespace {

namespace fs = std::filesystem;
using testing_support::code_of;
using testing_support::CollectSink;
using testing_support::into;
using testing_support::TemporaryDirectory;

LatticeGame& lattice(Request& request) {
  return std::get<LatticeGame>(request.game);
}

Request lattice_request(const std::string& game, const LatticeShape& shape) {
  return {.game = LatticeGame{resolve_game(game, GameKind::kLattice).lattice(), shape},
          .about = {.game = game},
          .machine = {.threads = 2}};
}

LatticeShape box(std::vector<std::uint32_t> extent) {
  LatticeShape shape;
  shape.heaps = static_cast<unsigned>(extent.size());
  std::copy(extent.begin(), extent.end(), shape.extent.begin());
  return shape;
}

class LatticeSession : public ::testing::Test {
 protected:
  [[nodiscard]] fs::path path(const std::string& name) const { return directory_ / name; }
  [[nodiscard]] bool empty() const { return directory_.entries() == 0; }

 private:
  TemporaryDirectory directory_;
};

/// The counts with `stats_only` are those of the table of the request, as far as they do not depend
/// on the order.
void expect_counted(Request request, const Report& table, const std::vector<Nimber>& values) {
  lattice(request).stats_only = true;
  request.output.path.clear();
  const Report counted = compute(request);
  ASSERT_TRUE(counted.complete);
  TableStats stats = table.info.stats;
  stats.digest = {};
  stats.records.clear();
  stats.records_complete = false;
  EXPECT_EQ(counted.info.stats, stats);
  std::vector<std::uint64_t> zeros;
  for (std::size_t i = 0; i < values.size() && zeros.size() < kMilestoneZeros; ++i) {
    if (values[i] == 0) zeros.push_back(i);
  }
  EXPECT_EQ(counted.statistics.zeros, zeros);
}

/// The engine chosen, in every storage, agrees with the reference engine on the plain box.
TEST_F(LatticeSession, EveryWayToTheTableGivesTheSameValues) {
  const std::vector<std::pair<std::string, std::vector<std::uint32_t>>> games = {
      {"wythoff", {90, 90}},           {"wythoff", {40, 130}},
      {"2: (1,0)* + (1,2)", {70, 50}}, {"a-wythoff(3)", {40, 40}},
      {"chomp(3)", {14, 14, 14}},      {"nim-with-a-pass(3)", {12, 12, 12}},
      {"end-nim(3)", {10, 12, 9}},     {"moore(4,2)", {7, 7, 7, 7}},
      {"wythoff-any(3)", {16, 16, 16}}};
  for (const auto& [game, extent] : games) {
    CollectSink expected;
    Request request = lattice_request(game, box(extent));
    request.machine.engine = "reference";
    request.machine.threads = 1;
    const Report reference = compute(request, into(expected));
    ASSERT_TRUE(reference.complete);
    const Layout layout = reference.info.layout;

    request.machine.engine = "auto";
    request.machine.threads = 3;
    request.output.path = path("box.h5");
    request.output.overwrite = true;
    CollectSink values;
    const Report report = compute(request, into(values));
    EXPECT_EQ(values.values(), expected.values()) << game;
    EXPECT_EQ(report.info.stats, reference.info.stats) << game;
    const auto reader = TableReader::open(request.output.path);
    EXPECT_EQ(reader->info(), report.info);
    expect_counted(request, report, values.values());

    if (!lattice(request).rule.symmetric() || extent.front() != extent.back()) continue;
    lattice(request).shape.sorted = true;
    request.output.path = path("sorted.h5");
    CollectSink of_sorted;
    const Report of_sorted_table = compute(request, into(of_sorted));
    ASSERT_TRUE(of_sorted_table.complete);
    expect_counted(request, of_sorted_table, of_sorted.values());
    const auto sorted = TableReader::open(request.output.path);
    for (std::uint64_t entry = 0; entry < layout.entries(); ++entry) {
      const auto plane = static_cast<unsigned>(entry % layout.planes);
      ASSERT_EQ(sorted->value(layout.position_at(entry), plane), expected.values()[entry]) << game;
    }
  }
}

TEST_F(LatticeSession, TheDigestDoesNotDependOnThreadsTilesOrEngines) {
  Request request = lattice_request("wythoff", box({150, 150}));
  const Digest128 digest = compute(request).info.stats.digest;
  for (const char* engine : {"auto", "reference", "layered"}) {
    request.machine.engine = engine;
    for (const std::size_t threads : {1, 2, 3, 5}) {
      request.machine.threads = threads;
      for (const std::optional<HeapSize> tile : {std::optional<HeapSize>(), {8}, {64}}) {
        request.machine.block = tile;
        EXPECT_EQ(compute(request).info.stats.digest, digest) << engine << ' ' << threads;
      }
    }
  }
}

/// By an independent program (tests/golden/state_spaces_lattice.csv): sum, number of zeros and
/// maximum of the square of 1024.
TEST_F(LatticeSession, WythoffStatistics) {
  Request request = lattice_request("wythoff", box({1024, 1024}));
  const TableStats stats = compute(request).info.stats;
  std::uint64_t sum = 0;
  for (std::size_t v = 0; v < stats.histogram.size(); ++v) sum += v * stats.histogram[v];
  EXPECT_EQ(sum, 669469906U);
  EXPECT_EQ(stats.histogram.front(), 783U);
  EXPECT_EQ(stats.max_value, 1550U);
}

// Values come in another order than that of a table, and none is kept.
TEST_F(LatticeSession, StatisticsHandOnNoValues) {
  Request request = lattice_request("wythoff", box({10, 10}));
  lattice(request).stats_only = true;
  const Hooks hooks{.values = [](const Stretch&) { return Flow::kContinue; }};
  EXPECT_EQ(code_of([&] { compute(request, hooks); }), ErrorCode::kUsage);
}

TEST_F(LatticeSession, StopsWithoutAFile) {
  Request request = lattice_request("wythoff", box({3000, 3000}));
  request.output.path = path("t.h5");
  std::stop_source source;
  source.request_stop();
  EXPECT_FALSE(compute(request, {.stop = source.get_token()}).complete);
  EXPECT_TRUE(empty());
}

/// Asks to stop when a part of the positions is done.
class StopAt final : public ProgressSink {
 public:
  explicit StopAt(double share) : share_(share) {}
  void report(const Progress& progress) override {
    if (progress.share() >= share_) source.request_stop();
  }
  std::stop_source source;

 private:
  double share_;
};

/// Several lives, each stopped somewhere, on other threads and kernels.
TEST_F(LatticeSession, AStoppedRunGoesOn) {
  const std::vector<std::pair<std::string, std::vector<std::uint32_t>>> games = {
      {"wythoff", {400, 400}},          {"2: (1,0)* + (1,2)", {300, 150}},
      {"a-wythoff(3)", {200, 200}},     {"2: sym (1,2) + (3,3)", {300, 300}},
      {"chomp(3)", {40, 40, 40}},       {"nim-with-a-pass(3)", {30, 30, 30}},
      {"end-nim(3)", {25, 30, 20}},     {"moore(4,2)", {14, 14, 14, 14}},
      {"wythoff-any(3)", {35, 35, 35}}, {"2: (0,1)* + (1,0)*", {70, 300}}};
  for (const auto& [game, extent] : games) {
    Request request = lattice_request(game, box(extent));
    const Report whole = compute(request);
    request.output.path = path("t.h5");
    request.output.checkpoint.bytes = 1000;
    std::uint64_t sealed = 0;
    std::string scalar;  // if the second life has sealed something
    for (const double share : {0.2, 0.5, 0.8}) {
      StopAt stop(share);
      request.machine.threads = 1 + static_cast<std::size_t>(10 * share) % 4;
      request.machine.kernel = share == 0.5 ? "scalar" : "auto";
      const Report part = compute(request, {.stop = stop.source.get_token(), .progress = &stop});
      ASSERT_FALSE(part.complete) << game;
      EXPECT_GE(part.sealed, sealed) << game;
      // Of a symmetric game in a square the engine computes the sorted positions.
      EXPECT_EQ(part.wanted, game == "wythoff" ? 400 * 401 / 2 : whole.wanted) << game;
      if (share == 0.5 && part.sealed > sealed) scalar = "scalar";
      sealed = part.sealed;
      EXPECT_EQ(part.run_directory, path("t.h5.run"));
    }
    EXPECT_GT(sealed, 1000U) << game;
    Request resumed = request_of_run(path("t.h5.run"));
    EXPECT_EQ(lattice(resumed).rule, lattice(request).rule);
    EXPECT_EQ(lattice(resumed).shape, lattice(request).shape);
    const Report report = compute(resumed);
    ASSERT_TRUE(report.complete) << game;
    EXPECT_EQ(report.info.stats, whole.info.stats) << game;
    EXPECT_THAT(report.info.kernel, ::testing::HasSubstr(scalar)) << game;
    EXPECT_THAT(report.info.kernel, ::testing::HasSubstr(whole.info.kernel));
    EXPECT_EQ(TableReader::open(path("t.h5"))->info(), report.info);
    EXPECT_FALSE(fs::exists(path("t.h5.run"))) << game;
    fs::remove(path("t.h5"));
  }
}

/// Stops half-way, when the device is full: what is left to seal does not fit.
class StopsAtAFullDevice final : public ProgressSink {
 public:
  void report(const Progress& progress) noexcept override {
    if (2 * progress.work_done < progress.work_total || stop_.stop_requested()) return;
    small_.emplace(kBytes);
    stop_.request_stop();
  }
  [[nodiscard]] std::stop_token token() const { return stop_.get_token(); }

 private:
  static constexpr rlim_t kBytes = 1 << 20;
  std::optional<testing_support::SmallFiles> small_;
  std::stop_source stop_;
};

TEST_F(LatticeSession, AFullDeviceAtAStopLeavesWhatIsWritten) {
  Request request = lattice_request("wythoff", LatticeShape::cube(2, 3000, true));
  const Report whole = compute(request);
  request.output.path = path("t.h5");
  {
    StopsAtAFullDevice stop;
    const Error error = testing_support::error_of(
        [&] { compute(request, {.stop = stop.token(), .progress = &stop}); });
    EXPECT_EQ(error.code(), ErrorCode::kFailure);
    EXPECT_THAT(error.what(), ::testing::HasSubstr("are sealed in"));
  }
  const Report report = compute(request);
  EXPECT_GT(report.resumed_at, 0U);
  EXPECT_EQ(report.info.stats.digest, whole.info.stats.digest);
}

TEST_F(LatticeSession, EnginesOfAllLivesAreNamed) {
  for (const bool reproducible : {false, true}) {
    Request request = lattice_request("nim-with-a-pass(3)", box({30, 30, 30}));
    request.output.path = path("t.h5");
    request.output.checkpoint.bytes = 1000;
    request.output.reproducible = reproducible;
    StopAt stop(0.5);
    ASSERT_FALSE(compute(request, {.stop = stop.source.get_token(), .progress = &stop}).complete);
    Request rest = request;
    rest.machine.engine = "reference";
    const Report report = compute(rest);
    ASSERT_TRUE(report.complete);
    EXPECT_EQ(report.info.engine, "frontier, reference");
    if (reproducible) {
      EXPECT_EQ(report.info.kernel, "auto") << "the machine does not show";
    }
    fs::remove(path("t.h5"));
  }
}

TEST_F(LatticeSession, ARunOfSomethingElseIsRefused) {
  Request request = lattice_request("wythoff", box({300, 300}));
  request.output.path = path("t.h5");
  request.output.checkpoint.bytes = 1000;
  StopAt stop(0.5);
  ASSERT_FALSE(compute(request, {.stop = stop.source.get_token(), .progress = &stop}).complete);
  const auto refused = [&](Request other) {
    other.output.path = request.output.path;
    return code_of([&] { compute(other); });
  };
  EXPECT_EQ(refused(lattice_request("nim(2)", box({300, 300}))), ErrorCode::kCorrupt);
  EXPECT_EQ(refused(lattice_request("wythoff", box({300, 301}))), ErrorCode::kCorrupt);
  Request other = request;
  lattice(other).shape.sorted = true;
  EXPECT_EQ(refused(other), ErrorCode::kCorrupt);
  other = request;
  other.machine.engine = "reference";
  EXPECT_EQ(refused(other), ErrorCode::kCorrupt);
  other = request;
  other.machine.block = 64;
  EXPECT_EQ(refused(other), ErrorCode::kCorrupt);
  EXPECT_TRUE(compute(request).complete);
}

/// Sealed values are compared with recomputed ones before anything is added.
TEST_F(LatticeSession, SealedValuesThatAreWrongEndTheRun) {
  Request request = lattice_request("wythoff", box({300, 300}));
  request.output.path = path("t.h5");
  request.output.checkpoint.bytes = 1000;
  StopAt stop(0.5);
  ASSERT_FALSE(compute(request, {.stop = stop.source.get_token(), .progress = &stop}).complete);
  const RunRecord record = *read_run(path("t.h5.run")).record;
  fs::remove_all(path("t.h5.run"));
  {
    RunDirectory run(path("t.h5.run"), false);
    run.write_record(record);
    const auto executor = make_executor(1, "threads");
    SegmentLog log(run, {}, *executor, "wavefront", "scalar", nullptr);
    const std::vector<Nimber> zeros(20000);
    log.put({0, std::span(zeros), {}});
    log.seal();
  }
  const Error error = testing_support::error_of([&] { compute(request); });
  EXPECT_EQ(error.code(), ErrorCode::kMismatch);
  EXPECT_THAT(error.what(), ::testing::HasSubstr("t.h5.run/seg-0000000000.gseg'"));
  EXPECT_THAT(error.what(), ::testing::HasSubstr("20 000 values are sealed in "));
  EXPECT_THAT(error.what(), ::testing::HasSubstr("and kept, but not proved"));
  EXPECT_THAT(error.what(), ::testing::HasSubstr("resume only after that"));
  EXPECT_THAT(error.what(), ::testing::Not(::testing::HasSubstr("goes on")));
  EXPECT_FALSE(fs::exists(request.output.path));
}

/// More values are sealed than the table has.
TEST_F(LatticeSession, ARunBeyondItsTableIsRefused) {
  Request request = lattice_request("wythoff", box({300, 300}));
  request.output.path = path("t.h5");
  request.output.checkpoint.bytes = 1000;
  StopAt stop(0.5);
  ASSERT_FALSE(compute(request, {.stop = stop.source.get_token(), .progress = &stop}).complete);
  {
    RunDirectory run(path("t.h5.run"), false);
    const auto executor = make_executor(1, "threads");
    SegmentLog log(run, {}, *executor, "wavefront", "scalar", nullptr);
    const std::vector<Nimber> zeros(100000);
    log.put({run.frontier(), std::span(zeros), {}});
    log.seal();
  }
  const Error error = testing_support::error_of([&] { compute(request); });
  EXPECT_EQ(error.code(), ErrorCode::kCorrupt);
  EXPECT_THAT(error.what(), ::testing::HasSubstr("values of a table of"));
}

/// Asks to stop when it sees the first values, which is after the engine has ended.
TEST_F(LatticeSession, StopsWhileItReadsBack) {
  class Stopper final : public ValueSink {
   public:
    Flow put(const Stretch&) override {
      source.request_stop();
      return Flow::kContinue;
    }
    std::stop_source source;
  };
  Request request = lattice_request("wythoff", box({600, 600}));
  request.output.path = path("t.h5");
  Stopper stopper;
  EXPECT_FALSE(
      compute(request, {.stop = stopper.source.get_token(), .values = into(stopper).values})
          .complete);
  EXPECT_FALSE(fs::exists(path("t.h5")));
  EXPECT_THAT(compute(request).info.provenance_json, ::testing::HasSubstr("resumed_at"));
}

TEST_F(LatticeSession, PredictsAndRefuses) {
  Request request = lattice_request("wythoff", box({4096, 4096}));
  request.output.path = path("t.h5");
  const Prediction needs = predict(request);
  EXPECT_EQ(needs.engine, "wavefront");
  EXPECT_GT(needs.seconds.value(), 0);
  EXPECT_GT(needs.memory_bytes.value(), 1u << 20);
  EXPECT_GT(needs.disk_bytes.value(), 4096ULL * 4096);
  request.machine.memory = 1 << 20;
  EXPECT_EQ(code_of([&] { compute(request); }), ErrorCode::kFailure);
  EXPECT_TRUE(empty());
  lattice(request).shape.sorted = true;
  lattice(request).rule = resolve_game("2: (1,0)*").lattice();
  EXPECT_EQ(code_of([&] { compute(request); }), ErrorCode::kUsage);
  lattice(request).shape = box({10, 10, 10});
  EXPECT_EQ(code_of([&] { static_cast<void>(predict(request)); }), ErrorCode::kUsage);
}

/// What is predicted is enough: the disk for what is written.
TEST_F(LatticeSession, PredictedDiskIsABound) {
  for (const char* game : {"wythoff", "nim(2)", "2: sym (1,2) + (1,1)"}) {
    Request request = lattice_request(game, box({1000, 1000}));
    request.output.path = path("t.h5");
    request.output.overwrite = true;
    const std::uint64_t predicted = predict(request).disk_bytes.value();
    const std::uint64_t written = compute(request).file_bytes;
    EXPECT_LE(written, predicted) << game;
  }
}

// Tables of misère play said `normal` once.
TEST_F(LatticeSession, ATableSaysThePlayOfItsRule) {
  const auto stored_play = [](const fs::path& file) {
    const h5::File open = h5::File::open(file);
    return open.root().text("play_convention");
  };
  for (const auto& [game, play] : {std::pair{"2: sym (1,0)* + (1,1)*", "normal"},
                                   std::pair{"2: sym (1,0)* + (1,1)* + misere", "misere"}}) {
    Request request = lattice_request(game, box({9, 9}));
    request.output.path = path(std::string(play) + ".h5");
    compute(request);
    EXPECT_EQ(stored_play(request.output.path), play);
    EXPECT_EQ(TableReader::open(request.output.path)->info().is_misere(),
              play == std::string("misere"));
  }
  reseal_with(path("misere.h5"), {{"play_convention", "normal"}});
  EXPECT_TRUE(TableReader::open(path("misere.h5"))->info().is_misere()) << "an old file";
  reseal_with(path("normal.h5"), {{"play_convention", "misere"}});
  EXPECT_EQ(code_of([&] { TableReader::open(path("normal.h5")); }), ErrorCode::kCorrupt);
}

}  // namespace
}  // namespace grundy::testing
