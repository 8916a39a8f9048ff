/// @file
/// Runs that keep no table. They are sealed as states, resumed anywhere, extended, and refused if
/// anything in them is damaged.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <span>
#include <stop_token>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <grundy/compute.hpp>
#include <grundy/error.hpp>
#include <grundy/file_kind.hpp>
#include <grundy/statistics.hpp>

#include "run/run_directory.hpp"
#include "session/milestones.hpp"
#include "session/run_state.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

namespace grundy::testing {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using ::testing::HasSubstr;
using testing_support::bytes_of;
using testing_support::code_of;
using testing_support::error_of;
using testing_support::TemporaryDirectory;
using testing_support::write_bytes;

Request statistics_of(const char* rule, HeapSize last, const fs::path& file = {}) {
  Request request{.game =
                      HeapGame{.rule = HeapRule::parse(rule), .last = last, .stats_only = true}};
  request.output.path = file;
  request.output.checkpoint.time = std::chrono::milliseconds(20);
  return request;
}

/// Runs until about heap `stop_at`.
Report run_to(const Request& request, HeapSize stop_at) {
  std::stop_source stop;
  Hooks hooks{.stop = stop.get_token()};
  hooks.values = [&](const Stretch& block) {
    if (block.end() >= stop_at) stop.request_stop();
    return Flow::kContinue;
  };
  return compute(request, hooks);
}

void expect_same(const Report& a, const Report& b) {
  EXPECT_TRUE(a.complete && b.complete);
  EXPECT_EQ(a.info.stats, b.info.stats);
  EXPECT_EQ(a.statistics.milestones, b.statistics.milestones);
  EXPECT_EQ(a.statistics.zeros, b.statistics.zeros);
  EXPECT_EQ(a.statistics.rare_heaps, b.statistics.rare_heaps);
  EXPECT_EQ(a.statistics.tail, b.statistics.tail);
}

/// From heap 6 * 2^20 on the engine `sparse` lets values go.
constexpr HeapSize kLast = 8'000'000;

TEST(StatisticsRun, LivesGiveWhatOneLifeGives) {
  const TemporaryDirectory directory;
  std::mt19937 random(20);
  for (const char* rule : {"0.106", "0.16"}) {
    Request plain = statistics_of(rule, kLast);
    std::get<HeapGame>(plain.game).at_period = AtPeriod::kCompute;
    const Report expected = compute(plain);
    Request request = plain;
    request.output.path = directory / (std::string(rule) + ".h5");
    Report report;
    for (HeapSize at = 0; !report.complete; at += 2'500'000 + random() % 4'000'000) {
      request.machine.threads = 1 + random() % 3;
      report = run_to(request, at);
      EXPECT_TRUE(report.complete || report.sealed >= std::min(at, kLast));
    }
    expect_same(report, expected);
    const StatisticsFile file = read_statistics(request.output.path);
    EXPECT_EQ(file.info, report.info);
    EXPECT_EQ(file.statistics, report.statistics);
    ASSERT_FALSE(file.statistics.seals.empty());
    EXPECT_EQ(file.statistics.seals.back(), (SealedAt{kLast + 1, expected.info.stats.digest}));
    EXPECT_EQ(kind_of(request.output.path), FileKind::kStatistics);
  }
}

// States can be sealed wherever the blocks of a life end in the sections of the digest.
TEST(StatisticsRun, GoesOnFromAnyHeapInBlocksOfAnySize) {
  const TemporaryDirectory directory;
  Request request = statistics_of("0.106", 10'000'000);
  std::get<HeapGame>(request.game).at_period = AtPeriod::kCompute;
  const Report expected = compute(request);
  std::mt19937 random(29);
  for (const auto& [from, block] : std::initializer_list<std::pair<HeapSize, HeapSize>>{
           {0, 4097}, {256, 0}, {300'000, 0}, {1'000'000, 5000}, {7'000'000, 99'999}}) {
    request.output.path = directory / fmt::format("{}.h5", from);
    Report report;
    if (from > 0) {
      report = run_to(request, from);
      ASSERT_FALSE(report.complete);
    }
    if (block > 0) request.machine.block = block;
    report = compute(request);
    request.machine.block.reset();
    expect_same(report, expected);
    EXPECT_EQ(report.engines.size(), expected.engines.size());
  }
}

TEST(StatisticsRun, StaysWhatItWasIfItsStateIsDamaged) {
  const TemporaryDirectory directory;
  const fs::path file = directory / "d.h5";
  Request request = statistics_of("0.106", kLast, file);
  std::get<HeapGame>(request.game).at_period = AtPeriod::kCompute;
  ASSERT_FALSE(run_to(request, 7'000'000).complete);
  const fs::path run = run_directory_for(file);
  const Segment last = read_run(run).segments.back();
  const std::string whole = bytes_of(last.path);
  std::string damaged = whole;
  damaged.back() = static_cast<char>(damaged.back() ^ 1);  // of the text of the state
  write_bytes(last.path, damaged);
  Request further = request;
  std::get<HeapGame>(further.game).last = kLast + 1'000'000;
  further.output.change_range = true;
  EXPECT_EQ(code_of([&] { compute(further); }), ErrorCode::kCorrupt);
  write_bytes(last.path, whole);
  EXPECT_TRUE(compute(request).complete);
}

// A run of weeks has tens of thousands of seals, and each lists those before it.
TEST(StatisticsRun, ListsSoManySealsAtMost) {
  Milestones milestones;
  for (HeapSize heap = 1; heap <= 50'000; ++heap) milestones.note_seal({.heap = heap});
  const std::vector<SealedAt>& seals = milestones.found().seals;
  EXPECT_LE(seals.size(), kMilestoneSeals);
  EXPECT_GT(seals.size(), kMilestoneSeals / 2);
  EXPECT_TRUE(std::ranges::is_sorted(seals, {}, &SealedAt::heap));
  EXPECT_EQ(seals.back().heap, 50'000u);
  EXPECT_EQ(seals[seals.size() - kMilestoneSeals / 2].heap, 50'000u - kMilestoneSeals / 2 + 1);
}

TEST(StatisticsRun, GoesOnBehindItsEnd) {
  const TemporaryDirectory directory;
  const fs::path file = directory / "further.h5";
  EXPECT_TRUE(compute(statistics_of("0.106", kLast, file)).complete);
  // The same once more: nothing is computed.
  const Report again = compute(statistics_of("0.106", kLast, file));
  EXPECT_TRUE(again.complete);
  EXPECT_EQ(again.info.stats.count, kLast + 1);
  Request further = statistics_of("0.106", kLast + 1'000'000, file);
  EXPECT_EQ(code_of([&] { compute(further); }), ErrorCode::kUsage) << "another range";
  further.output.change_range = true;
  expect_same(compute(further), compute(statistics_of("0.106", kLast + 1'000'000)));
  Request shorter = statistics_of("0.106", kLast, file);
  shorter.output.change_range = true;
  EXPECT_EQ(code_of([&] { compute(shorter); }), ErrorCode::kUsage);
}

// The directory of a run may be gone: its file says what later heaps depend on.
TEST(StatisticsRun, GoesOnFromItsFileAlone) {
  const TemporaryDirectory directory;
  const HeapSize further = kLast + 1'000'000;
  for (const char* rule : {"0.106", "0.167"}) {
    const auto heaps = [&](HeapSize last, const fs::path& file) {
      Request request = statistics_of(rule, last, file);
      std::get<HeapGame>(request.game).at_period = AtPeriod::kCompute;
      return request;
    };
    const fs::path file = directory / (std::string(rule) + ".h5");
    EXPECT_TRUE(compute(heaps(kLast, file)).complete);
    fs::remove_all(run_directory_for(file));
    const fs::path other = directory / (std::string(rule) + "-further.h5");
    Request request = heaps(further, other);
    request.output.base = file;
    EXPECT_TRUE(run_to(request, kLast + 1).sealed > kLast);
    const Report report = compute(request);
    EXPECT_GE(report.engines.front().from, kLast - 2 * 4096) << "nothing anew";
    expect_same(report, compute(heaps(further, {})));
    const SealedAt end_of_base = read_statistics(file).statistics.seals.back();
    EXPECT_EQ(end_of_base.heap, kLast + 1);
    EXPECT_THAT(report.statistics.seals, ::testing::Contains(end_of_base));
    // In its place, and on from there.
    request = heaps(further, file);
    request.output.base = file;
    const Report same = compute(request);
    EXPECT_EQ(same.info.stats, report.info.stats);
    EXPECT_EQ(read_statistics(file).statistics, same.statistics);
    EXPECT_FALSE(read_statistics(file).extension_state.empty());
  }
}

// The first seconds of a run have all values in memory. What it leaves then says how deep witnesses
// lie; a later life could only guess, and would keep many more values.
TEST(StatisticsRun, AnEarlyEndLeavesAStateWithTheValues) {
  const TemporaryDirectory directory;
  const Request request = statistics_of("0.404", 400'000, directory / "t.h5");
  EXPECT_FALSE(run_to(request, 150'000).complete);
  const fs::path run = run_directory_for(request.output.path);
  const std::vector<Segment> segments = RunDirectory(run, false).segments();
  ASSERT_FALSE(segments.empty());
  EXPECT_TRUE(segments.back().header.is_state());
  EXPECT_TRUE(segments.back().header.has_values());
  EXPECT_EQ(request_of_run(run).output.checkpoint, request.output.checkpoint);
  const Report report = compute(request);
  EXPECT_THAT(report.engines.front().reason, HasSubstr("it goes on from a sealed state"));
  const Report undisturbed = compute(statistics_of("0.404", 400'000));
  expect_same(report, undisturbed);
  EXPECT_EQ(report.statistics.sparse->depth, undisturbed.statistics.sparse->depth);
}

TEST(StatisticsRun, AFileWithoutAStateOrOfAnotherGameIsNoBase) {
  const TemporaryDirectory directory;
  const auto refusal = [&](Request of_file, const char* rule) {
    of_file.output.path = directory / "base.h5";
    of_file.output.overwrite = true;
    EXPECT_TRUE(compute(of_file).complete);
    fs::remove_all(run_directory_for(of_file.output.path));
    Request request = statistics_of(rule, kLast + 10, directory / "t.h5");
    request.output.base = of_file.output.path;
    return error_of([&] { compute(request); });
  };
  Request dense = statistics_of("0.106", 10'000);
  dense.machine.engine = "dense";
  const Error none = refusal(dense, "0.106");
  EXPECT_EQ(none.code(), ErrorCode::kUsage);
  EXPECT_THAT(none.what(), HasSubstr("tells no state"));
  Request reproducible = statistics_of("0.106", kLast);
  reproducible.output.reproducible = true;
  EXPECT_THAT(refusal(reproducible, "0.106").what(), HasSubstr("tells no state"));
  const Error other = refusal(statistics_of("0.106", kLast), "0.16");
  EXPECT_EQ(other.code(), ErrorCode::kCorrupt);
  EXPECT_THAT(other.what(), HasSubstr("is of 0.106, not of 0.16"));

  // Nothing is left of a run that could not begin.
  Request request = statistics_of("0.106", kLast + 10, directory / "t.h5");
  request.output.base = directory / "base.h5";
  request.machine.engine = "dense";
  EXPECT_THAT(error_of([&] { compute(request); }).what(), HasSubstr("take the engine sparse"));
  EXPECT_FALSE(fs::exists(run_directory_for(request.output.path)));
  request.machine.engine = "auto";
  std::get<HeapGame>(request.game).stats_only = false;
  EXPECT_THAT(error_of([&] { compute(request); }).what(), HasSubstr("no table can be made"));
  std::get<HeapGame>(request.game).stats_only = true;
  EXPECT_TRUE(compute(request).complete);
}

/// The values as older programs wrote them into the text of a state.
std::string digits_of(Values values) {
  std::string digits;
  for (HeapSize i = 0; i < values.size(); ++i) digits += fmt::format("{:02x}", values[i]);
  return digits;
}

/// Rewrites the last state as older programs did: with raw values.
void make_older(const fs::path& run) {
  const Segment last = read_run(run).segments.back();
  std::string text = read_state_text(last);
  const RunState state = parse_run_state(text, last.header.end());
  std::vector<Nimber> newest(last.header.newest);
  read_segment(last, last.header.first(), newest);
  Json json = Json::parse(text.substr(0, text.find('\n')));
  json["returns"]["remembered"] = {1, digits_of(state.returns->remembered.view())};
  const auto watched = std::span<const Nimber>(newest).last(state.returns->newest);
  json["returns"]["newest"] = {1, digits_of(watched)};
  text = json.dump() + "\n";
  SegmentHeader header = last.header;
  header.chunk = 0;
  header.text_bytes = text.size();
  header.text = hash128(std::as_bytes(std::span(text)));
  SegmentDigest digest(header);
  digest.update(Values(std::span<const Nimber>(newest)));
  header.values = digest.value();
  std::string content(newest.begin(), newest.end());  // a byte each
  content += text;
  const SegmentHeaderBytes bytes = header_bytes(header, kSegmentHeaderSize + content.size());
  std::ofstream(last.path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), bytes.size())
      .write(content.data(), static_cast<std::streamsize>(content.size()));
}

TEST(StatisticsRun, StatesAreSmallAndOlderOnesAreTakenUp) {
  const TemporaryDirectory directory;
  const Report expected = compute(statistics_of("0.106", kLast + 1'000'000));
  for (const bool older : {false, true}) {
    const fs::path file = directory / (older ? "older.h5" : "small.h5");
    Request request = statistics_of("0.106", kLast, file);
    EXPECT_TRUE(compute(request).complete);
    const fs::path run = run_directory_for(file);
    const Segment last = read_run(run).segments.back();
    const RunState small = parse_run_state(read_state_text(last), kLast + 1);
    EXPECT_GT(last.header.newest, 600'000u);
    EXPECT_LT(fs::file_size(last.path), last.header.newest * 6 / 10);
    if (older) {
      make_older(run);
      const Segment raw = read_run(run).segments.back();
      EXPECT_GT(fs::file_size(raw.path), raw.header.newest);
      EXPECT_TRUE(raw.header.is_raw());
      EXPECT_EQ(raw.header.newest, last.header.newest);
      EXPECT_EQ(parse_run_state(read_state_text(raw), kLast + 1), small);
    }
    request.output.change_range = true;
    std::get<HeapGame>(request.game).last = kLast + 1'000'000;
    expect_same(compute(request), expected);
  }
}

// As long as all values are there, a period is proved from them, and the statistics go on by it.
TEST(StatisticsRun, IsExtendedByAPeriodThatIsFoundEarly) {
  const TemporaryDirectory directory;
  const Report report = compute(statistics_of("0.16", 3'000'000, directory / "early.h5"));
  expect_same(report, compute(statistics_of("0.16", 3'000'000)));
  EXPECT_EQ(report.info.period.preperiod, 105351u);
  EXPECT_EQ(report.info.period.period, 149459u);
  EXPECT_EQ(report.info.stats.count, 3'000'001u);
}

// Without an output, too, a run that lets values go looks for a return of them; who takes all
// values gets all of them.
TEST(StatisticsRun, LooksForAPeriodWithoutAnOutput) {
  const TemporaryDirectory directory;
  Request request = statistics_of("0.16", 10'000'000);
  std::get<HeapGame>(request.game).at_period = AtPeriod::kCompute;
  const auto report_to = [&](const fs::path& file, const Hooks& hooks = {}) {
    request.output.path = file;
    return compute(request, hooks);
  };
  const Report report = report_to({});
  EXPECT_EQ(report.info.period, report_to(directory / "t.h5").info.period);
  EXPECT_EQ(report.info.period.period, 149459u);
  EXPECT_TRUE(report.run_directory.empty());
  EXPECT_EQ(report.sealed, 0u);
  HeapSize taken = 0;
  const Hooks hooks{.values = [&taken](const Stretch& block) {
    taken += block.values.size();
    return Flow::kContinue;
  }};
  // As long as the engine needs all values, a proof is looked for in them.
  for (const HeapSize last : {kLast, kLast + 2'000'000}) {
    std::get<HeapGame>(request.game) = {HeapRule::parse("0.106"), last, AtPeriod::kCompute, true};
    const Report none = report_to({});
    EXPECT_EQ(none.info.period.verified_to, last + 1);
    expect_same(none, report_to({}, hooks));
  }
  EXPECT_EQ(taken, 2 * kLast + 2'000'002);
}

/// Begins such a run and stops it with a state that knows a return: the first one of 0.16 comes
/// while all values are there, and a later life has no table to prove the period from.
Request stopped_behind_a_return(const fs::path& file) {
  Request request = statistics_of("0.16", kLast, file);
  std::get<HeapGame>(request.game).at_period = AtPeriod::kCompute;
  EXPECT_FALSE(run_to(request, 7'200'000).complete);
  const Segment last = read_run(run_directory_for(file)).segments.back();
  const RunState state = parse_run_state(read_state_text(last), last.header.end());
  EXPECT_TRUE(state.returns && state.returns->found);
  return request;
}

TEST(StatisticsRun, AReturnIsRememberedWhileTheRestIsComputed) {
  const TemporaryDirectory directory;
  const Request request = stopped_behind_a_return(directory / "all.h5");
  Request in_one_life = request;
  in_one_life.output.path = directory / "one.h5";
  const Report report = compute(request);
  const Report expected = compute(in_one_life);
  expect_same(report, expected);
  EXPECT_EQ(report.info.stats.count, kLast + 1);
  EXPECT_EQ(report.info.period.status, PeriodStatus::kCertified);
  EXPECT_EQ(report.info.period.preperiod, expected.info.period.preperiod);
  EXPECT_EQ(report.info.period.period, 149459u);
}

TEST(StatisticsRun, ASearchThatWasStoppedBeforeItsPreperiodGoesOnThere) {
  const TemporaryDirectory directory;
  const Request request = stopped_behind_a_return(directory / "t.h5");
  std::stop_source stop;
  Hooks hooks{.stop = stop.get_token()};
  hooks.narrate = [&](const std::string& sentence) {
    if (sentence.find("looking for its preperiod") != std::string::npos) stop.request_stop();
  };
  const Report stopped = search_period(request, hooks);
  EXPECT_FALSE(stopped.complete);
  EXPECT_TRUE(stop.stop_requested());
  EXPECT_EQ(stopped.info.period.status, PeriodStatus::kCandidate);
  EXPECT_EQ(stopped.info.period.period, 149459u);
  EXPECT_FALSE(fs::exists(request.output.path));
  HeapSize computed = 0;
  const Report found = search_period(request, {.values = [&](const Stretch& block) {
                                       computed += block.values.size();
                                       return Flow::kContinue;
                                     }});
  EXPECT_TRUE(found.complete);
  EXPECT_EQ(computed, 0u) << "all is sealed, and the search was over";
  EXPECT_EQ(found.info.period.status, PeriodStatus::kCertified);
  EXPECT_EQ(found.info.period.preperiod, 105351u);
  EXPECT_EQ(found.info.stats.count, stopped.sealed);
  EXPECT_EQ(read_statistics(request.output.path).info, found.info);
}

TEST(StatisticsRun, ASearchGoesOnToALaterEnd) {
  const TemporaryDirectory directory;
  Request request = statistics_of("0.106", kLast, directory / "t.h5");
  std::string told;
  const Report none =
      search_period(request, {.narrate = [&](const std::string& text) { told = text; }});
  EXPECT_THAT(told, ::testing::ContainsRegex("^no period up to [0-9 ]+ begins at heap"))
      << "the report says the rest";
  EXPECT_TRUE(none.complete);
  EXPECT_EQ(none.info.period.status, PeriodStatus::kNone);
  EXPECT_EQ(none.info.period.verified_to, kLast + 1);
  Request further = request_of_run(run_directory_for(request.output.path));
  EXPECT_EQ(std::get<HeapGame>(further.game).at_period, AtPeriod::kEnd);
  std::get<HeapGame>(further.game).last = kLast + 1'000'000;
  further.output.change_range = true;
  EXPECT_EQ(compute(further).info.period.verified_to, kLast + 1'000'001);
}

TEST(StatisticsRun, ASearchThatHasFoundItsPeriodIsOver) {
  const TemporaryDirectory directory;
  Request request = statistics_of("0.16", kLast, directory / "t.h5");
  const Report found = search_period(request);
  EXPECT_TRUE(found.complete);
  EXPECT_EQ(found.info.period.period, 149459u);
  EXPECT_LT(found.info.stats.count, 1'000'000u);
  request.output.change_range = true;
  std::get<HeapGame>(request.game).last = 2 * kLast;
  const Hooks refuses{.values = [](const Stretch&) {
    ADD_FAILURE() << "nothing is computed again";
    return Flow::kStop;
  }};
  const Report again = search_period(request, refuses);
  EXPECT_EQ(again.info, found.info);
  EXPECT_EQ(again.statistics, found.statistics);
  EXPECT_EQ(again.last_zero, found.last_zero);
  EXPECT_EQ(again.last_zero, 837u);
}

// What is sealed ends where the period was found. It is found there again.
TEST(StatisticsRun, ThatEndedAtItsPeriodHasTheSameProofWhenItGoesOn) {
  const TemporaryDirectory directory;
  const fs::path file = directory / "further.h5";
  EXPECT_TRUE(compute(statistics_of("0.FF", 100, file)).complete);
  Request further = statistics_of("0.FF", 5000, file);
  further.output.change_range = true;
  const PeriodReport period = compute(further).info.period;
  EXPECT_EQ(period.status, PeriodStatus::kCertified);
  EXPECT_EQ(period, compute(statistics_of("0.FF", 5000, directory / "whole.h5")).info.period);
}

TEST(StatisticsRun, ASearchWithoutAnOutputLeavesNothing) {
  const TemporaryDirectory directory;
  const char* const usual = std::getenv("TMPDIR");
  const std::string before = usual != nullptr ? usual : "";
  ::setenv("TMPDIR", directory.path().c_str(), 1);
  for (const bool stops : {false, true}) {
    std::stop_source stop;
    std::size_t most = 0;
    const Hooks hooks{.stop = stop.get_token(), .values = [&](const Stretch& block) {
                        most = std::max(most, directory.entries());
                        if (stops && block.end() > 7'000'000) stop.request_stop();
                        return Flow::kContinue;
                      }};
    const Report report = search_period(statistics_of("0.106", 9'000'000), hooks);
    EXPECT_EQ(report.complete, !stops);
    EXPECT_EQ(report.info.period.verified_to, report.info.stats.count);
    EXPECT_EQ(report.statistics.sparse.value().last_rare, 1103u);
    EXPECT_EQ(report.sealed, 0u);
    EXPECT_TRUE(report.run_directory.empty());
    EXPECT_EQ(most, 1u);
    EXPECT_EQ(directory.entries(), 0u);
  }
  EXPECT_EQ(search_period(statistics_of("0.16", 600'000)).info.period.preperiod, 105351u);
  if (usual != nullptr) {
    ::setenv("TMPDIR", before.c_str(), 1);
  } else {
    ::unsetenv("TMPDIR");
  }
}

TEST(StatisticsRun, OfAnEngineThatKeepsAllValuesIsSealedAsValues) {
  const TemporaryDirectory directory;
  const fs::path file = directory / "dense.h5";
  const Request request = statistics_of("0.06", 20000, file);
  const Report part = run_to(request, 9000);
  EXPECT_FALSE(part.complete);
  EXPECT_GE(part.sealed, 9000u);
  const Report unsealed = run_to(statistics_of("0.06", 20000), 9000);
  EXPECT_EQ(part.info.period, unsealed.info.period) << "what was looked through is one thing";
  EXPECT_GT(part.info.period.verified_to, 7000u);
  EXPECT_LE(part.info.period.verified_to, part.info.stats.count);
  expect_same(compute(request), compute(statistics_of("0.06", 20000)));
}

TEST(StatisticsRun, IsRefusedWhereItDoesNotFit) {
  const TemporaryDirectory directory;
  const fs::path file = directory / "refused.h5";
  Request request = statistics_of("0.106", kLast, file);
  EXPECT_FALSE(run_to(request, 7'200'000).complete);
  Request table = request;
  std::get<HeapGame>(table.game).stats_only = false;
  EXPECT_THAT(error_of([&] { compute(table); }).what(), HasSubstr("statistics only"));
  Request dense = request;
  dense.machine.engine = "dense";
  EXPECT_EQ(code_of([&] { compute(dense); }), ErrorCode::kUsage);
}

// Every byte of a state counts: header, values, text.
TEST(StatisticsRun, DamageIsFound) {
  const TemporaryDirectory directory;
  const fs::path file = directory / "damage.h5";
  const Request request = statistics_of("0.106", kLast, file);
  EXPECT_FALSE(run_to(request, 7'200'000).complete);
  const RunContents run = read_run(run_directory_for(file));
  const Segment& last = run.segments.back();
  ASSERT_TRUE(last.header.is_state());
  const std::string whole = bytes_of(last.path);
  const RunState state = parse_run_state(read_state_text(last), last.header.end());
  EXPECT_EQ(state.stats.count, last.header.end());
  std::mt19937 random(7);
  std::vector<std::size_t> places = {0, 100, 180, 255, 256, whole.size() - 1};
  for (int i = 0; i < 12; ++i) places.push_back(random() % whole.size());
  const std::uint64_t text = last.header.text_bytes;
  for (int i = 0; i < 6; ++i) places.push_back(whole.size() - 1 - random() % text);
  for (const std::size_t at : places) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 4);
    write_bytes(last.path, damaged);
    EXPECT_EQ(code_of([&] { compute(request); }), ErrorCode::kCorrupt) << "byte " << at;
  }
  write_bytes(last.path, whole.substr(0, whole.size() - 1));
  EXPECT_EQ(code_of([&] { compute(request); }), ErrorCode::kCorrupt);
  write_bytes(last.path, whole);
  expect_same(compute(request), compute(statistics_of("0.106", kLast)));
}

}  // namespace
}  // namespace grundy::testing
