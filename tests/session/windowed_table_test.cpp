/// @file
/// Tables whose engine drops values. They are made in any number of lives, and each life goes on
/// from a state that is sealed with the values.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <random>
#include <stop_token>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include <grundy/compute.hpp>
#include <grundy/error.hpp>
#include <grundy/table.hpp>

#include "run/run_directory.hpp"
#include "run/segment_writer.hpp"
#include "run/value_chunks.hpp"
#include "session/run_state.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "table/table_file.hpp"

namespace grundy::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::HasSubstr;
using testing_support::bytes_of;
using testing_support::code_of;
using testing_support::TemporaryDirectory;
using testing_support::write_bytes;

/// From heap 6 * 2^20 on the engine `sparse` drops values.
constexpr HeapSize kLast = 8'000'000;

Request table_of(const char* rule, HeapSize last, const fs::path& file) {
  Request request{.game = HeapGame{.rule = HeapRule::parse(rule), .last = last}};
  request.output.path = file;
  request.output.checkpoint.time = std::chrono::milliseconds(20);
  return request;
}

/// The table in memory, with all values.
TableInfo whole(const char* rule, HeapSize last, AtPeriod at_period = AtPeriod::kExtend) {
  Request request{
      .game = HeapGame{.rule = HeapRule::parse(rule), .last = last, .at_period = at_period}};
  return compute(request).info;
}

/// A life that ends at about heap `stop_at`, and what it said.
struct PartOfRun {
  Report report;
  std::vector<std::string> said;
};

class StopAt final : public ProgressSink {
 public:
  StopAt(HeapSize heap, std::stop_source& stop) : heap_(heap), stop_(stop) {}
  void report(const Progress& progress) override {
    if (progress.done >= heap_) stop_.request_stop();
  }

 private:
  HeapSize heap_;
  std::stop_source& stop_;
};

PartOfRun part_to(const Request& request, HeapSize stop_at) {
  std::stop_source stop;
  StopAt progress(stop_at, stop);
  PartOfRun part;
  const Hooks hooks{.stop = stop.get_token(),
                    .progress = &progress,
                    .narrate = [&](const std::string& sentence) { part.said.push_back(sentence); }};
  part.report = compute(request, hooks);
  return part;
}

TEST(WindowedTable, LivesGiveWhatOneLifeGives) {
  const TemporaryDirectory directory;
  std::mt19937 random(31);
  for (const char* rule : {"0.106", "0.167"}) {
    Request request = table_of(rule, kLast, directory / (std::string(rule) + ".h5"));
    PartOfRun part;
    unsigned lives_from_states = 0;
    for (HeapSize at = 5'000'000; !part.report.complete; at += 400'000 + random() % 600'000) {
      request.machine.threads = 1 + random() % 3;
      part = part_to(request, at);
      const auto from_state = HasSubstr("it goes on from a sealed state");
      if (::testing::Matches(Contains(from_state))(part.said)) ++lives_from_states;
    }
    EXPECT_GE(lives_from_states, 2U) << rule;
    const TableInfo expected = whole(rule, kLast);
    EXPECT_EQ(part.report.info.stats, expected.stats);
    EXPECT_EQ(TableReader::open(request.output.path)->info().stats, expected.stats);
    EXPECT_FALSE(fs::exists(run_directory_for(request.output.path)));
  }
}

// A state says how much of what is sealed before it a life reads: that does not grow with the run.
TEST(WindowedTable, ALifeIsGivenAWindow) {
  const TemporaryDirectory directory;
  const fs::path file = directory / "window.h5";
  const Request request = table_of("0.106", 20'000'000, file);
  for (const HeapSize stop : {9'000'000u, 16'000'000u}) {
    EXPECT_FALSE(part_to(request, stop).report.complete);
    const Segment last = read_run(run_directory_for(file)).segments.back();
    ASSERT_TRUE(last.header.is_state());
    EXPECT_TRUE(last.header.has_values());
    const RunState state = parse_run_state(read_state_text(last), last.header.end());
    EXPECT_EQ(state.stats.count, last.header.end());
    EXPECT_LE(state.end_of_first + state.newest, 8u << 20);
  }
}

/// The table of `file`, extended to heap `last`; whether that went on from the state in it.
bool extends(const fs::path& file, HeapSize last, HeapSize chunk) {
  Request longer = table_of("0.106", last, file);
  longer.output.base = file;
  longer.output.overwrite = true;
  longer.output.chunk = chunk;
  longer.machine.threads = 2;
  const PartOfRun part = part_to(longer, 2 * last);
  EXPECT_TRUE(part.report.complete);
  EXPECT_EQ(part.report.info.stats, whole("0.106", last).stats);
  EXPECT_EQ(TableReader::open(file)->info(), part.report.info);
  return ::testing::Matches(Contains(HasSubstr("it goes on from a sealed state")))(part.said);
}

// A finished table says its state, so an extension is given a window, too: of its chunks, which
// are copied, or of its values where the new table has other chunks.
TEST(WindowedTable, IsExtendedFromItsState) {
  constexpr HeapSize kChunk = HeapSize{1} << 17;
  const TemporaryDirectory directory;
  const fs::path file = directory / "extended.h5";
  Request request = table_of("0.106", 7'000'000, file);
  ASSERT_TRUE(compute(request).complete);
  EXPECT_FALSE(TableFile(file).extension_state().empty());
  EXPECT_TRUE(extends(file, 7'500'000, kChunk));
  EXPECT_TRUE(extends(file, 62 * kChunk - 1, kChunk)) << "it ends with a whole chunk";
  EXPECT_TRUE(extends(file, 63 * kChunk, kChunk));
  EXPECT_TRUE(extends(file, 8'500'000, kChunk / 2));

  // A table that is the same whatever the engine says none, nor does one whose engine kept all.
  request.output = {.path = directory / "whole.h5", .reproducible = true};
  ASSERT_TRUE(compute(request).complete);
  EXPECT_TRUE(TableFile(request.output.path).extension_state().empty());
  EXPECT_FALSE(extends(request.output.path, 7'500'000, kChunk));
}

// What is damaged is not extended, and stays what it was.
TEST(WindowedTable, IsNotExtendedIfItIsDamaged) {
  const TemporaryDirectory directory;
  const fs::path file = directory / "damaged.h5";
  Request request = table_of("0.106", 7'000'000, file);
  ASSERT_TRUE(compute(request).complete);
  const std::string sound = bytes_of(file);
  request.output.base = file;
  request.output.overwrite = true;
  std::get<HeapGame>(request.game).last = 7'500'000;
  std::mt19937 random(9);
  for (int i = 0; i < 8; ++i) {
    std::string damaged = sound;
    const std::size_t at = sound.size() / 8 * i + random() % (sound.size() / 8);
    damaged[at] = static_cast<char>(damaged[at] ^ 1 << random() % 8);
    write_bytes(file, damaged);
    EXPECT_EQ(code_of([&] { compute(request); }), ErrorCode::kCorrupt) << "byte " << at;
    EXPECT_EQ(bytes_of(file), damaged);
    fs::remove_all(run_directory_for(file));
  }
}

// A seal of values alone may come behind the last state: of a device that was full, or because
// values became wider. Its heaps are computed again, and compared.
TEST(WindowedTable, ComputesWhatIsSealedBehindTheState) {
  const TemporaryDirectory directory;
  const fs::path file = directory / "behind.h5";
  const Request request = table_of("0.106", kLast, file);
  EXPECT_FALSE(part_to(request, 7'000'000).report.complete);
  const fs::path run = run_directory_for(file);
  const RunContents contents = read_run(run);
  const Segment last = contents.segments.back();
  const HeapSize begin = last.header.end();
  const auto seal_behind = [&](Nimber flipped) {
    std::vector<Nimber> values(10'000);
    Hooks hooks;
    hooks.values = [&](const Stretch& block) {
      for (HeapSize n = std::max(begin, block.begin); n < block.end(); ++n) {
        values[n - begin] = block.values[n - block.begin] ^ flipped;
      }
      return Flow::kContinue;
    };
    compute({.game = HeapGame{.rule = HeapRule::parse("0.106"), .last = begin + 9999}}, hooks);
    RunDirectory open(run, false);
    SegmentHeader start = last.header;
    start.index = open.segments().size();
    start.begin = begin;
    start.count = start.newest = start.text_bytes = 0;
    start.text = {};
    SegmentWriter writer(run, start);
    const auto executor = make_executor(1);
    ValueChunks chunks(*executor, start, [&](const ValueChunk& chunk) { writer.append(chunk); });
    chunks.put(std::span<const Nimber>(values));
    chunks.end();
    open.seal(writer);
  };
  seal_behind(0);
  const PartOfRun part = part_to(request, 2 * kLast);
  EXPECT_TRUE(part.report.complete);
  EXPECT_EQ(part.report.resumed_at, begin + 10'000);
  EXPECT_EQ(part.report.info.stats, whole("0.106", kLast).stats);
  EXPECT_THAT(part.said, Contains(HasSubstr("it goes on from a sealed state")));

  fs::remove(file);
  EXPECT_FALSE(part_to(request, 7'000'000).report.complete);
  const RunContents again = read_run(run);
  if (again.segments.back().header.end() == begin) {
    seal_behind(1);
    EXPECT_EQ(code_of([&] { compute(request); }), ErrorCode::kMismatch);
  }
}

// Engines that keep all values, and callers that want them all, take up the values.
TEST(WindowedTable, TakesUpValuesWhereAStateIsNotEnough) {
  const TemporaryDirectory directory;
  const fs::path file = directory / "values.h5";
  const Request request = table_of("0.167", 6'800'000, file);
  EXPECT_FALSE(part_to(request, 6'600'000).report.complete);
  HeapSize handed = 0;
  Hooks hooks;
  hooks.values = [&](const Stretch& block) {
    EXPECT_EQ(block.begin, handed);
    handed = block.end();
    return Flow::kContinue;
  };
  const Report report = compute(request, hooks);
  EXPECT_TRUE(report.complete);
  EXPECT_GT(report.resumed_at, 6'000'000u);
  EXPECT_EQ(handed, 6'800'001u);
  EXPECT_EQ(report.info.stats, whole("0.167", 6'800'000).stats);
}

// The first stretch of a life may come without all values while those of earlier lives are still
// counted. If the caller has enough then, no state is sealed of heaps that are not counted.
TEST(WindowedTable, SealsNoStateOfHeapsThatAreNotCounted) {
  const TemporaryDirectory directory;
  Request request = table_of("0.106", kLast, directory / "behind.h5");
  EXPECT_FALSE(part_to(request, 7'000'000).report.complete);
  request.machine.block = 100'000;
  request.output.checkpoint.time = std::chrono::milliseconds(0);
  Hooks hooks;
  hooks.values = [](const Stretch& block) {
    return block.end() > 3'000'000 ? Flow::kStop : Flow::kContinue;
  };
  EXPECT_FALSE(compute(request, hooks).complete);
  EXPECT_EQ(compute(request).info.stats, whole("0.106", kLast).stats);
}

// Period 1180 from heap 10 061 916 on: no return is seen up to there, since an older window was
// remembered. So the sealed values are searched as a whole at the end.
TEST(WindowedTable, IsSearchedAsAWholeIfItIsShort) {
  const TemporaryDirectory directory;
  Request request = table_of("0.354", 11'000'000, directory / "short.h5");
  std::get<HeapGame>(request.game).at_period = AtPeriod::kCompute;
  const PeriodReport period = compute(request).info.period;
  EXPECT_EQ(period.status, PeriodStatus::kCertified);
  EXPECT_EQ(period.period, 1180u);
  EXPECT_EQ(period.preperiod, 10'061'916u);
}

// The state is of heaps that are not wanted any more: an earlier one is taken, or none.
TEST(WindowedTable, GoesBackWithForce) {
  const TemporaryDirectory directory;
  const fs::path file = directory / "back.h5";
  EXPECT_FALSE(part_to(table_of("0.106", kLast, file), 7'800'000).report.complete);
  Request shorter = table_of("0.106", 7'000'000, file);
  shorter.output.change_range = true;
  EXPECT_EQ(code_of([&] { compute(shorter); }), ErrorCode::kUsage);
  shorter.force = true;
  const Report report = compute(shorter);
  EXPECT_TRUE(report.complete);
  EXPECT_EQ(report.info.stats, whole("0.106", 7'000'000).stats);
}

// The text of a state decides what later values are: each of its bytes is covered by a digest.
TEST(WindowedTable, DamageOfAStateIsFound) {
  const TemporaryDirectory directory;
  const fs::path file = directory / "damage.h5";
  const Request request = table_of("0.106", kLast, file);
  EXPECT_FALSE(part_to(request, 7'200'000).report.complete);
  const Segment last = read_run(run_directory_for(file)).segments.back();
  ASSERT_TRUE(last.header.is_state());
  const std::string sound = bytes_of(last.path);
  std::mt19937 random(5);
  for (int i = 0; i < 12; ++i) {
    std::string damaged = sound;
    const std::size_t at = sound.size() - 1 - random() % last.header.text_bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 1 << random() % 8);
    write_bytes(last.path, damaged);
    EXPECT_EQ(code_of([&] { compute(request); }), ErrorCode::kCorrupt) << "byte " << at;
  }
  write_bytes(last.path, sound);
  EXPECT_EQ(compute(request).info.stats, whole("0.106", kLast).stats);
}

}  // namespace
}  // namespace grundy::testing
