/// @file
/// Tables of two heaps that ranks have begun: one process goes on with them, and random values are
/// computed again before the file is made.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>

#include <grundy/compute.hpp>
#include <grundy/error.hpp>
#include <grundy/team.hpp>

#include "session/sealed_stripes.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/small_files.hpp"
#include "support/stops_half_way.hpp"
#include "support/team.hpp"
#include "table/table_of_parts.hpp"

namespace grundy::testing {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using ::testing::HasSubstr;
using testing_support::error_of;
using testing_support::on_all_ranks;
using testing_support::StopsHalfWay;
using testing_support::TemporaryDirectory;

class StripesSessionTest : public ::testing::Test {
 protected:
  StripesSessionTest() {
    request_.output.path = place_ / "t.h5";
    request_.machine.backend = "threads";
    request_.machine.threads = 1;
    request_.machine.block = 16;
    request_.output.checkpoint.bytes = 1000;
  }

  /// Ranks begin the table and are stopped.
  void begin(std::uint64_t ranks) {
    const auto reports = on_all_ranks(ranks, [&](Team& rank) {
      Request request = request_;
      request.team = &rank;
      StopsHalfWay half;
      return compute(request, {.stop = half.token(), .progress = &half});
    });
    for (const Report& report : reports) ASSERT_FALSE(report.complete);
    ASSERT_GT(reports.front().sealed, 0U);
    ASSERT_TRUE(fs::is_directory(stripes()));
  }
  /// One process begins the table and is stopped.
  void begin_alone() {
    StopsHalfWay half;
    const Report report = compute(request_, {.stop = half.token(), .progress = &half});
    ASSERT_FALSE(report.complete);
    ASSERT_GT(sealed_ = report.sealed, 0U);
    ASSERT_TRUE(fs::is_directory(run()));
  }
  /// The digest of the table as one process makes it.
  [[nodiscard]] Digest128 expected() const {
    Request alone = request_;
    alone.output.path = place_ / "alone.h5";
    alone.output.in_parts = false;
    return compute(alone).info.stats.digest;
  }
  [[nodiscard]] fs::path stripes() const { return place_ / "t.h5.stripes"; }
  [[nodiscard]] fs::path run() const { return place_ / "t.h5.run"; }

  const TemporaryDirectory place_;
  std::uint64_t sealed_ = 0;  ///< by begin_alone()
  Request request_{.game = LatticeGame{LatticeRule::parse("2: sym (1,0)* + (1,1)*"),
                                       LatticeShape::cube(2, 400, true)}};
};

TEST_F(StripesSessionTest, OneProcessGoesOnWithWhatRanksHaveBegun) {
  for (const std::uint64_t ranks : {1, 3}) {
    begin(ranks);
    const Report report = compute(request_);
    EXPECT_TRUE(report.complete);
    EXPECT_GT(report.resumed_at, 0U);
    EXPECT_EQ(report.info.stats.digest, expected());
    EXPECT_THAT(report.info.provenance_json, HasSubstr("\"begun\":\"20"));
    EXPECT_FALSE(fs::exists(stripes()));
    EXPECT_FALSE(fs::exists(run()));
    fs::remove(place_ / "t.h5");
    fs::remove(place_ / "alone.h5");
  }
}

TEST_F(StripesSessionTest, TheirDirectoryTellsTheRequest) {
  for (const bool in_parts : {false, true}) {
    request_.output.in_parts = in_parts;
    begin(2);
    const Request again = request_of_run(stripes() / "");
    EXPECT_EQ(again.output.path, request_.output.path);
    EXPECT_EQ(again.output.in_parts, in_parts);
    const Report report = compute(again);
    EXPECT_TRUE(report.complete);
    EXPECT_GT(report.resumed_at, 0U);
    EXPECT_EQ(is_table_of_parts(request_.output.path), in_parts);
    EXPECT_EQ(report.info.stats.digest, expected());
    fs::remove(request_.output.path);
    fs::remove(place_ / "alone.h5");
  }
}

/// Asks for a seal, and stops once values are sealed.
class StopsOnceSealed final : public ProgressSink {
 public:
  explicit StopsOnceSealed(CheckpointControl& control) : control_(control) {}
  void report(const Progress&) noexcept override {
    if (control_.sealed() > 0) stop_.request_stop();
    control_.request_seal();
  }
  [[nodiscard]] std::stop_token token() const { return stop_.get_token(); }

 private:
  CheckpointControl& control_;
  std::stop_source stop_;
};

TEST_F(StripesSessionTest, SealWhenAsked) {
  request_.output.checkpoint = {};  // ten minutes
  for (const std::uint64_t ranks : {1, 2}) {
    const auto reports = on_all_ranks(ranks, [&](Team& rank) {
      Request request = request_;
      request.team = &rank;
      CheckpointControl control;
      StopsOnceSealed sealed(control);
      return compute(request, {.stop = sealed.token(), .progress = &sealed, .control = &control});
    });
    for (const Report& report : reports) EXPECT_FALSE(report.complete);
    fs::remove_all(stripes());
  }
}

TEST_F(StripesSessionTest, AFullDeviceLeavesWhatIsWritten) {
  request_.output.checkpoint = {};  // ten minutes
  request_.machine.block = {};
  std::get<LatticeGame>(request_.game).shape = LatticeShape::cube(2, 3000, true);
  const auto run_on = [&](std::uint64_t ranks) {
    return on_all_ranks(ranks, [&](Team& rank) {
      Request request = request_;
      request.team = &rank;
      return compute(request);
    });
  };
  for (const std::uint64_t ranks : {1, 2}) {
    {
      const testing_support::SmallFiles small(1 << 20);
      EXPECT_EQ(error_of([&] { run_on(ranks); }).code(), ErrorCode::kFailure);
    }
    const auto reports = run_on(ranks);
    EXPECT_GT(reports.front().resumed_at, 3000000U) << ranks;  // of 4.5 million
    EXPECT_EQ(reports.front().info.stats.digest, expected());
    fs::remove(request_.output.path);
    fs::remove(place_ / "alone.h5");
  }
}

TEST_F(StripesSessionTest, AFileThatHadBeenFinishedIsTaken) {
  begin(2);
  const fs::path kept = place_ / "kept";
  fs::copy(stripes(), kept, fs::copy_options::recursive);
  ASSERT_TRUE(compute(request_).complete);
  fs::rename(kept, stripes());
  const Report report = compute(request_);
  EXPECT_TRUE(report.complete);
  EXPECT_EQ(report.resumed_at, report.info.stats.count);
  EXPECT_FALSE(fs::exists(stripes()));
}

TEST_F(StripesSessionTest, OnlyPartsMakePlaceForParts) {
  request_.output.in_parts = request_.output.overwrite = true;
  const fs::path parts = place_ / "t.parts";
  const auto refusal = [this] {
    const Error error = error_of([this] { compute(request_); });
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    EXPECT_FALSE(fs::exists(stripes()));
    return std::string(error.what());
  };
  std::ofstream(parts) << "mine";
  EXPECT_THAT(refusal(), HasSubstr("t.parts' is a file, where the directory for the parts"));
  fs::remove(parts);
  ASSERT_TRUE(compute(request_).complete);
  ASSERT_TRUE(compute(request_).complete);
  for (const char* name : {"diary.txt", "part-0400.h5", "part-x.h5"}) {
    std::ofstream(parts / name) << "mine";
    EXPECT_THAT(refusal(), HasSubstr(std::string(name) + "' is no part of a table, and lies"));
    EXPECT_TRUE(fs::remove(parts / name));
  }
  EXPECT_TRUE(is_table_of_parts(request_.output.path));
}

TEST_F(StripesSessionTest, WhatIsNoStripeStays) {
  begin(2);
  std::ofstream(stripes() / "diary.txt") << "mine";
  const Error error = error_of([this] { compute(request_); });
  EXPECT_EQ(error.code(), ErrorCode::kUsage);
  EXPECT_THAT(error.what(), HasSubstr("diary.txt' is nothing that a run has left"));
  EXPECT_TRUE(fs::remove(stripes() / "diary.txt"));
  EXPECT_TRUE(compute(request_).complete);
}

TEST_F(StripesSessionTest, AnotherGameIsRefused) {
  begin(2);
  for (const char* other : {"2: sym (1,0)* + (2,2)*", "2: chomp"}) {
    request_.game = LatticeGame{LatticeRule::parse(other), LatticeShape::cube(2, 400)};
    const Error error = error_of([&] { compute(request_); });
    EXPECT_EQ(error.code(), ErrorCode::kCorrupt);
    EXPECT_THAT(error.what(), HasSubstr("choose another output or remove the directory"));
  }
}

TEST_F(StripesSessionTest, RanksGoOnWithWhatOneProcessHasSealed) {
  const LatticeGame games[] = {
      {LatticeRule::parse("2: sym (1,0)* + (1,1)*"), LatticeShape::cube(2, 400, true)},
      {LatticeRule::parse("2: (1,0)* + (0,1)* + (1,2)*"), {.heaps = 2, .extent = {300, 470}}},
      {LatticeRule::parse("2: (1,0)* + (0,1)* + pass"), LatticeShape::cube(2, 250)}};
  for (const LatticeGame& game : games) {
    request_.game = game;
    for (const std::uint64_t ranks : {2, 3}) {
      SCOPED_TRACE(game.rule.canonical() + ", ranks " + std::to_string(ranks));
      begin_alone();
      const auto reports = on_all_ranks(ranks, [&](Team& rank) {
        Request request = request_;
        request.team = &rank;
        return compute(request);
      });
      EXPECT_TRUE(reports.front().complete);
      EXPECT_GT(reports.front().resumed_at, sealed_ / 2);
      EXPECT_LE(reports.front().resumed_at, sealed_);
      EXPECT_EQ(reports.front().info.stats.digest, expected());
      EXPECT_FALSE(fs::exists(run()));
      EXPECT_FALSE(fs::exists(stripes()));
      fs::remove(request_.output.path);
      fs::remove(place_ / "alone.h5");
    }
  }
}

TEST_F(StripesSessionTest, TheTimeAtWhichOneProcessBeganIsKept) {
  begin_alone();
  const std::string begun = read_run(run()).record->created;
  std::this_thread::sleep_for(1s);  // a later time
  begin(2);
  EXPECT_FALSE(fs::exists(run()));
  EXPECT_THAT(compute(request_).info.provenance_json, HasSubstr(begun));
}

TEST_F(StripesSessionTest, WhatIsNotTakenOverStays) {
  begin_alone();
  std::stop_source stopped;
  stopped.request_stop();
  request_.output.in_parts = true;
  EXPECT_FALSE(compute(request_, {.stop = stopped.get_token()}).complete);
  EXPECT_EQ(read_run(run()).segments.back().header.end(), sealed_);
  EXPECT_GT(compute(request_).resumed_at, sealed_ / 2);
  EXPECT_FALSE(fs::exists(run()));
}

TEST_F(StripesSessionTest, StripesTakeWhatTheyLack) {
  begin_alone();
  const fs::path kept = place_ / "kept";
  fs::rename(run(), kept);
  begin(3);
  const std::uint64_t before = read_stripes(stripes()).sealed;
  fs::rename(kept, run());
  const auto reports = on_all_ranks(2, [&](Team& rank) {
    Request request = request_;
    request.team = &rank;
    return compute(request);
  });
  EXPECT_TRUE(reports.front().complete);
  EXPECT_GT(reports.front().resumed_at, before);
  EXPECT_EQ(reports.front().info.stats.digest, expected());
  EXPECT_FALSE(fs::exists(run()));
}

TEST_F(StripesSessionTest, WhatOneProcessHasSealedOfAnotherTableStays) {
  begin_alone();
  request_.output.in_parts = true;
  Request other = request_;
  other.game =
      LatticeGame{LatticeRule::parse("2: sym (1,0)* + (2,2)*"), LatticeShape::cube(2, 400, true)};
  Error error = error_of([&] { compute(other); });
  EXPECT_EQ(error.code(), ErrorCode::kCorrupt);
  EXPECT_THAT(error.what(), HasSubstr("choose another output or remove the directory"));
  other = request_;
  other.machine.block = 32;
  error = error_of([&] { compute(other); });
  EXPECT_EQ(error.code(), ErrorCode::kCorrupt);
  EXPECT_THAT(error.what(),
              HasSubstr("it goes on with the engine wavefront and the block size 16"));
  EXPECT_FALSE(fs::exists(stripes()));
  EXPECT_EQ(read_run(run()).segments.back().header.end(), sealed_);
  EXPECT_GT(compute(request_).resumed_at, sealed_ / 2);
}

TEST_F(StripesSessionTest, DamagedValuesOfOneProcessAreNotTakenOver) {
  begin_alone();
  request_.output.in_parts = true;
  const fs::path segment = read_run(run()).segments.front().path;
  {
    std::fstream file(segment, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(fs::file_size(segment)) - 100);
    file.put('\x55');
  }
  const Error error = error_of([&] { compute(request_); });
  EXPECT_EQ(error.code(), ErrorCode::kCorrupt);
  EXPECT_THAT(error.what(), HasSubstr(segment.string()));
  EXPECT_TRUE(fs::exists(segment));
}

/// Notes what is reported, and whether the file is begun when nearly all work is done.
class WatchesTheFile final : public ProgressSink {
 public:
  explicit WatchesTheFile(fs::path stripes) : stripes_(std::move(stripes)) {}
  void report(const Progress& progress) override {
    shares.push_back(progress.share());
    if (shares.back() < 0.99) return;
    std::error_code gone;
    for (const auto& entry : fs::directory_iterator(stripes_, gone)) {
      if (entry.path().filename().string().starts_with("t.")) return;
    }
    ++too_early;
  }
  std::vector<double> shares;
  int too_early = 0;

 private:
  fs::path stripes_;
};

TEST_F(StripesSessionTest, AFileIsNotCompleteWithTheLastValue) {
  request_.game =
      LatticeGame{LatticeRule::parse("2: sym (1,0)* + (1,1)*"), LatticeShape::cube(2, 3000, true)};
  request_.machine.block = {};
  request_.output.checkpoint = {};
  for (const bool in_parts : {false, true}) {
    WatchesTheFile sink(stripes());
    const auto reports = on_all_ranks(2, [&](Team& rank) {
      Request request = request_;
      request.output.in_parts = in_parts;
      request.team = &rank;
      return compute(request, {.progress = rank.rank() == 0 ? &sink : nullptr});
    });
    ASSERT_TRUE(reports.front().complete);
    EXPECT_TRUE(std::ranges::is_sorted(sink.shares));
    EXPECT_GT(sink.shares.back(), 0.95);
    EXPECT_EQ(sink.too_early, 0) << "in parts: " << in_parts;
    fs::remove(request_.output.path);
    fs::remove_all(parts_directory(request_.output.path));
  }
}

TEST_F(StripesSessionTest, AFileInThePlaceOfStripesIsNamed) {
  std::ofstream(stripes()) << "mine";
  request_.output.in_parts = true;
  const Error error = error_of([this] { compute(request_); });
  EXPECT_EQ(error.code(), ErrorCode::kUsage);
  EXPECT_THAT(error.what(), HasSubstr("t.h5.stripes': File exists"));
}

TEST_F(StripesSessionTest, OneStripeIsNoRun) {
  begin(2);
  const Error error = error_of([&] { request_of_run(stripes() / "0000.run"); });
  EXPECT_EQ(error.code(), ErrorCode::kUsage);
  EXPECT_THAT(error.what(), HasSubstr("holds one stripe of a table; name '"));
}

/// Values that no position can have, sealed where the engine does not come again: only the samples
/// see them.
TEST_F(StripesSessionTest, WrongSealedValuesAreNotPublished) {
  constexpr Nimber kWrong = 7;  // of three options
  constexpr std::uint64_t kAgain = 6000;
  request_.game =
      LatticeGame{LatticeRule::parse("2: sym (1,2) + (3,3)"), {.heaps = 2, .extent = {1000, 1500}}};
  const auto team = make_thread_team(1);
  Request shared = request_;
  shared.team = team.front().get();
  {
    const LatticeSetup setup(shared);
    const NumberedStripes game(setup);
    std::vector<Nimber> values;
    for (std::size_t i = 0; i < setup.stripes.count(); ++i) {
      for (std::uint64_t n = game.begin(i); n < game.begin(i + 1); ++n) {
        if (n + kAgain < game.begin(i + 1)) {
          values.push_back(kWrong);
          continue;
        }
        std::vector<bool> reached(8);
        game.for_each_option_value(
            n, [&](HeapSize option) { return values[option]; },
            [&](Nimber value) {
              reached[value] = true;
              return Flow::kContinue;
            });
        const auto mex = std::ranges::find(reached, false) - reached.begin();
        values.push_back(static_cast<Nimber>(mex));
      }
    }
    // A busy machine may take the time of all samples but one.
    ASSERT_GT(std::ranges::count(values, kWrong),
              static_cast<std::ptrdiff_t>(values.size() * 4 / 5));
    fs::create_directory(stripes());
    CheckpointControl control;
    SealedStripes sealed(setup, setup.own_stripes(), control, nullptr);
    SinkOf nobody([](const Stretch&) { return Flow::kContinue; });
    const std::vector<ValueSink*> sums(setup.stripes.count(), &nobody);
    std::size_t stripe = 0;
    for (const LatticeStripe& own : sealed.stripes(sums)) {
      std::span<const Nimber> rest = values;
      rest = rest.subspan(game.begin(stripe), game.begin(stripe + 1) - game.begin(stripe));
      std::uint64_t begin = 0;
      order_of_stripe(setup, stripe++).for_each_tile([&](const TileArea& area) {
        own.sink->put({.begin = begin, .values = rest.first(area.size()), .table = {}});
        begin += area.size();
        rest = rest.subspan(area.size());
        return true;
      });
    }
    sealed.seal();
  }
  // Samples have a share of the time; the test gives them enough of it, also with a sanitizer and
  // on a busy machine.
  const auto wait = GRUNDY_SANITIZED ? 10s : 3s;
  const Hooks slow{.narrate = [wait](const std::string&) { std::this_thread::sleep_for(wait); }};
  const Error error = error_of([&] { compute(request_, slow); });
  EXPECT_EQ(error.code(), ErrorCode::kMismatch);
  EXPECT_THAT(error.what(),
              HasSubstr("was given the value 7, which is not the mex of its options"));
  EXPECT_THAT(error.what(), HasSubstr("remove '"));
  EXPECT_FALSE(fs::exists(request_.output.path));
}

}  // namespace
}  // namespace grundy::testing
