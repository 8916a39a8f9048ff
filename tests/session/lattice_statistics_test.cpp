/// @file
/// Statistics of several heaps in a file: made in many lives, from states that are whole, and
/// counted again.
// SPDX-License-Identifier: MIT
#include <chrono>
#include <cstring>
#include <filesystem>
#include <random>
#include <stop_token>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include <grundy/compute.hpp>
#include <grundy/error.hpp>
#include <grundy/file_kind.hpp>
#include <grundy/games.hpp>
#include <grundy/statistics.hpp>
#include <grundy/statistics_check.hpp>

#include "kernels/kernels.hpp"
#include "run/run_directory.hpp"
#include "run/segment_writer.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/small_files.hpp"

namespace grundy::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using testing_support::bytes_of;
using testing_support::code_of;
using testing_support::SmallFiles;
using testing_support::TemporaryDirectory;
using testing_support::write_bytes;

struct Counted {
  const char* game;
  LatticeShape shape;
};

const std::vector<Counted> kCounted = {
    {"wythoff", LatticeShape::cube(2, 300, true)},
    {"wythoff", {.heaps = 2, .extent = {150, 90}}},
    {"2: sym (1,0)* + (1,1)* + misere", LatticeShape::cube(2, 200, true)},
    {"2: sym (1,0)* + sym (1,2) + (3,3) + pass", LatticeShape::cube(2, 150, true)},
    {"wythoff-any(3)", LatticeShape::cube(3, 30, true)},
    {"nim-with-a-pass(3)", {.heaps = 3, .extent = {25, 20, 22}}},
    {"chomp(3)", LatticeShape::cube(3, 30, true)}};

Request statistics_of(const Counted& counted) {
  return {.game = LatticeGame{.rule = resolve_game(counted.game, GameKind::kLattice).lattice(),
                              .shape = counted.shape,
                              .stats_only = true},
          .about = {.game = counted.game},
          .machine = {.threads = 1, .block = 16},
          .output = {.checkpoint = {.time = std::chrono::seconds(0)}}};
}

/// Requests a stop when it has heard of so many stages of the work.
class StopsAfter final : public ProgressSink {
 public:
  explicit StopsAfter(unsigned reports) : left_(reports) {}
  void report(const Progress& /*progress*/) override {
    if (left_-- == 0) stop_.request_stop();
  }
  [[nodiscard]] Hooks hooks() { return {.stop = stop_.get_token(), .progress = this}; }

 private:
  unsigned left_;
  std::stop_source stop_;
};

class LatticeStatisticsTest : public ::testing::Test {
 protected:
  [[nodiscard]] fs::path file() const { return directory_ / "s.h5"; }
  [[nodiscard]] fs::path run() const { return directory_ / "s.h5.run"; }
  [[nodiscard]] fs::path state() const { return run() / "seg-0000000000.gseg"; }
  [[nodiscard]] std::size_t entries() const { return directory_.entries(); }

  /// A run that was stopped on its way.
  [[nodiscard]] Request begun(const Counted& counted = kCounted[0], unsigned reports = 12) const {
    Request request = statistics_of(counted);
    request.output.path = file();
    StopsAfter stops(reports);
    EXPECT_FALSE(compute(request, stops.hooks()).complete);
    EXPECT_TRUE(fs::exists(state()));
    return request;
  }

 private:
  TemporaryDirectory directory_;
};

TEST_F(LatticeStatisticsTest, AreThoseOfOneLifeHoweverManyMakeThem) {
  for (const Counted& counted : kCounted) {
    SCOPED_TRACE(counted.game);
    Request request = statistics_of(counted);
    const Report expected = compute(request);
    ASSERT_TRUE(expected.complete);
    request.output.path = file();
    Report report;
    unsigned lives = 0;
    for (std::uint64_t sealed = 0; !report.complete && lives < 1000; ++lives) {
      request.machine.threads = 1 + lives % 3;
      request.machine.kernel = lives % 2 == 0 ? "auto" : "scalar";
      StopsAfter stops(lives % 2);
      report = compute(lives % 4 == 3 ? request_of_run(run()) : request, stops.hooks());
      EXPECT_EQ(report.resumed_at, sealed);
      sealed = report.sealed;
      EXPECT_EQ(fs::exists(file()), report.complete);
    }
    EXPECT_GE(lives, 3u) << "it was made in more lives than one";
    EXPECT_EQ(report.info.stats, expected.info.stats);
    EXPECT_EQ(report.statistics.zeros, expected.statistics.zeros);
    EXPECT_THAT(report.info.kernel, HasSubstr("scalar")) << "all lives are named";
    EXPECT_EQ(kind_of(file()), FileKind::kLatticeStatistics);
    const LatticeStatistics back = read_lattice_statistics(file());
    EXPECT_EQ(back.info, report.info);
    EXPECT_EQ(back.zeros, expected.statistics.zeros);
    EXPECT_EQ(entries(), 1u) << "the state is gone";
    EXPECT_TRUE(check_lattice_statistics({.file = file()}).holds());
    fs::remove(file());
  }
}

TEST_F(LatticeStatisticsTest, AStateWithAFlippedBitIsNamed) {
  const Request request = begun();
  const std::string whole = bytes_of(state());
  std::mt19937 random(1);
  for (int i = 0; i < 300; ++i) {
    std::string damaged = whole;
    const std::size_t at = i < 40 ? static_cast<std::size_t>(7 * i) : random() % whole.size();
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << random() % 8));
    write_bytes(state(), damaged);
    EXPECT_EQ(code_of([&] { compute(request); }), ErrorCode::kCorrupt) << "byte " << at;
    EXPECT_FALSE(fs::exists(file()));
  }
  write_bytes(state(), whole.substr(0, whole.size() - 1));
  EXPECT_EQ(code_of([&] { compute(request); }), ErrorCode::kCorrupt);
  write_bytes(state(), whole);
  EXPECT_TRUE(compute(request).complete);
}

TEST_F(LatticeStatisticsTest, AStateGoesOnWithWhatItIsOf) {
  const Request request = begun();
  Request other = request;
  other.machine.engine = "frontier";
  EXPECT_EQ(code_of([&] { compute(other); }), ErrorCode::kCorrupt) << "another order";
  other = request;
  std::get<LatticeGame>(other.game).stats_only = false;
  EXPECT_EQ(code_of([&] { compute(other); }), ErrorCode::kUsage);
  other = request;
  std::get<LatticeGame>(other.game).shape = LatticeShape::cube(2, 301, true);
  EXPECT_EQ(code_of([&] { compute(other); }), ErrorCode::kCorrupt);
  other.output.in_parts = true;
  EXPECT_EQ(code_of([&] { compute(other); }), ErrorCode::kUsage);
  EXPECT_TRUE(compute(request).complete);
}

TEST_F(LatticeStatisticsTest, AnEngineWithoutStatesLeavesThem) {
  Request request = begun(kCounted[4], 1);
  request.machine.engine = "reference";
  EXPECT_EQ(code_of([&] { compute(request); }), ErrorCode::kUsage)
      << "it would leave the run behind";
  request.output.path = file().parent_path() / "other.h5";
  std::string said;
  EXPECT_TRUE(
      compute(request, {.narrate = [&](const std::string& line) { said += line; }}).complete);
  EXPECT_THAT(said, HasSubstr("nothing is sealed before the end"));
}

TEST_F(LatticeStatisticsTest, AFullDeviceLeavesTheLastState) {
  const Request request = begun();
  const HeapSize sealed = read_run(run()).segments.back().header.end();
  {
    const SmallFiles small(fs::file_size(state()) / 4);
    EXPECT_EQ(code_of([&] { compute(request); }), ErrorCode::kFailure);
  }
  EXPECT_EQ(read_run(run()).segments.back().header.end(), sealed);
  const Report report = compute(request);
  EXPECT_TRUE(report.complete);
  EXPECT_GT(report.resumed_at, 0u);
}

TEST_F(LatticeStatisticsTest, AFinishedRunIsNotBegunAnew) {
  const Request request = begun();
  const fs::path kept = run().parent_path() / "kept";
  fs::copy(run(), kept);
  const Report report = compute(request);
  ASSERT_TRUE(report.complete);
  EXPECT_EQ(code_of([&] { compute(request); }), ErrorCode::kUsage) << "the file is there";
  // Another process died before it removed the directory.
  fs::rename(kept, run());
  const Report again = compute(request);
  EXPECT_TRUE(again.complete);
  EXPECT_EQ(again.info, report.info);
  EXPECT_EQ(again.statistics.zeros, report.statistics.zeros);
}

// A square of a symmetric game is computed for one order of the heaps, and counted for both.
TEST_F(LatticeStatisticsTest, WhatIsToldAtAStopIsWhatWasCounted) {
  Counted square = kCounted[0];
  square.shape.sorted = false;
  const Request request = begun(square);
  StopsAfter stops(2);
  const Report report = compute(request, stops.hooks());
  EXPECT_FALSE(report.complete);
  EXPECT_EQ(report.wanted, 90'000u);
  EXPECT_EQ(report.sealed, report.info.stats.count);
  EXPECT_GT(report.info.stats.count, report.resumed_at);
  EXPECT_LT(report.info.stats.count, report.wanted);
}

TEST_F(LatticeStatisticsTest, AStateOfAnotherVersionIsRefused) {
  for (const Counted& counted : {kCounted[0], kCounted[4]}) {
    Request request = begun(counted, 1);
    const Segment segment = read_run(run()).segments.back();
    std::string text = read_state_text(segment);
    std::uint64_t counts = 0;
    std::memcpy(&counts, text.data(), sizeof counts);
    text[sizeof counts + counts] += 1;  // the version of the engine's bytes
    SegmentHeader start = segment.header;
    start.begin = segment.header.end();
    start.count = 0;
    {
      RunDirectory directory(run(), false);
      SegmentWriter writer(run(), start);
      writer.append_text(text);
      writer.end_state(0);
      directory.seal(writer);
    }
    EXPECT_EQ(code_of([&] { compute(request); }), ErrorCode::kCorrupt) << counted.game;
    fs::remove_all(run());
  }
}

TEST_F(LatticeStatisticsTest, AReproducibleFileIsCountedAgainByOthersThanTheFastest) {
  Request request = statistics_of(kCounted[0]);
  request.output.path = file();
  request.output.reproducible = true;
  ASSERT_TRUE(compute(request).complete);
  const std::string whole = bytes_of(file());
  request.output.overwrite = true;
  request.machine.threads = 2;
  ASSERT_TRUE(compute(request).complete);
  EXPECT_EQ(bytes_of(file()), whole);
  const LatticeStatisticsCheck check = check_lattice_statistics({.file = file()});
  EXPECT_TRUE(check.holds());
  const auto kernels = available_kernels();
  for (const KernelSet& set : kernels) {  // none with the functions of the fastest one
    if (kernels.size() == 1 || &set.lines != &kernels.back().lines) continue;
    EXPECT_THAT(check.methods.front(), ::testing::Not(HasSubstr(std::string(set.name))));
  }
  std::stop_source stop;
  stop.request_stop();
  const LatticeStatisticsCheck stopped =
      check_lattice_statistics({.file = file()}, {.stop = stop.get_token()});
  EXPECT_FALSE(stopped.complete);
  EXPECT_EQ(stopped.proved, 0u);
  EXPECT_FALSE(stopped.proved_range);
}

TEST_F(LatticeStatisticsTest, WhatWasCountedWronglyIsFound) {
  Request request = statistics_of(kCounted[0]);
  request.output.path = file();
  ASSERT_TRUE(compute(request).complete);
  const LatticeStatistics right = read_lattice_statistics(file());
  LatticeStatistics wrong = right;
  ++wrong.info.stats.histogram[3];
  --wrong.info.stats.histogram[5];
  write_lattice_statistics(file(), wrong, true, false);
  LatticeStatisticsCheck check = check_lattice_statistics({.file = file()});
  EXPECT_THAT(check.wrong, HasSubstr("positions have the value 3, and it says"));
  wrong = right;
  ++wrong.info.stats.argmax;
  write_lattice_statistics(file(), wrong, true, false);
  check = check_lattice_statistics({.file = file()});
  EXPECT_THAT(check.wrong, HasSubstr("the largest value is"));
  wrong = right;
  ++wrong.zeros.back();
  write_lattice_statistics(file(), wrong, true, false);
  check = check_lattice_statistics({.file = file()});
  EXPECT_THAT(check.wrong, HasSubstr("the first positions of value 0"));
  EXPECT_EQ(check.proved, 0u);
  // What contradicts itself is not written.
  wrong.zeros.pop_back();
  EXPECT_EQ(code_of([&] { write_lattice_statistics(file(), wrong, true, false); }),
            ErrorCode::kFailure);
}

}  // namespace
}  // namespace grundy::testing
