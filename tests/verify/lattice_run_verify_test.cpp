// Run directories of several heaps: sealed values are proved, and damage is distinguished from
// wrong values.
// SPDX-License-Identifier: MIT
#include <functional>
#include <iterator>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <grundy/compute.hpp>

#include "core/digest.hpp"
#include "engines/lattice/value_order.hpp"
#include "run/segment_log.hpp"
#include "session/setup.hpp"
#include "support/collect_sink.hpp"
#include "verify/damaged_segments.hpp"
#include "verify/verify_testing.hpp"

namespace grundy::verify_test {
namespace {

using testing_support::CollectSink;

struct Run {
  const char* rule;
  LatticePoint extent;
  bool sorted;
  const char* engine;
  std::optional<HeapSize> tile;
};

class LatticeRunVerifyTest : public testing::TestWithParam<Run> {
 protected:
  LatticeRunVerifyTest() {
    const LatticeRule rule = LatticeRule::parse(GetParam().rule);
    const LatticeShape shape{
        .heaps = rule.heaps(), .extent = GetParam().extent, .sorted = GetParam().sorted};
    Request request{.game = LatticeGame{rule, shape}};
    request.machine.engine = GetParam().engine;
    request.machine.block = GetParam().tile;
    request.machine.backend = "threads";
    request.output.path = dir / "t.h5";
    request.output.checkpoint.bytes = 300;
    // Stops after some tiles, by which time something is sealed.
    class StopAtHalf final : public ProgressSink {
     public:
      void report(const Progress& progress) override {
        if (progress.share() >= 0.5) source.request_stop();
      }
      std::stop_source source;
    } half;
    const Report report = compute(request, {.stop = half.source.get_token(), .progress = &half});
    EXPECT_FALSE(report.complete);
    const RunContents contents = read_run(run);
    record_ = *contents.record;
    const LatticeSetup setup(request);
    order_.emplace(Layout::of(setup.computed, rule.planes()), setup.tile_order());
    CollectSink sealed;
    replay(contents.segments, 0, report.sealed, sealed);
    values = sealed.values();
    EXPECT_GT(contents.segments.size(), 1U);
    EXPECT_EQ(values.size(), report.sealed);
  }

  /// Makes the run anew, with these values.
  void seal(const std::vector<Nimber>& sealed, const std::function<void(RunRecord&)>& change = {}) {
    std::filesystem::remove_all(run);
    RunDirectory directory(run, false);
    RunRecord record = record_;
    if (change) change(record);
    directory.write_record(record);
    const auto executor = make_executor(1, "threads");
    SegmentLog log(directory, {.bytes = 300}, *executor, GetParam().engine, "scalar", nullptr);
    for (std::size_t at = 0; at < sealed.size(); at += 100) {
      const auto part =
          std::span(sealed).subspan(at, std::min<std::size_t>(100, sealed.size() - at));
      log.put({at, Values(part), {}});
    }
    log.seal();
  }
  VerifyReport check(ProofKind proof, EntryRange range = {}) {
    return verify({.table = run,
                   .proof = proof,
                   .seconds = 0.5,
                   .range = range,
                   .machine = {.backend = "threads"}});
  }
  [[nodiscard]] HeapSize last() const { return values.size() - 1; }

  TemporaryDirectory dir;
  std::filesystem::path run = dir / "t.h5.run";
  std::vector<Nimber> values;  ///< as the engine has sealed them
  std::optional<ValueOrder> order_;

 private:
  RunRecord record_;
};

TEST_P(LatticeRunVerifyTest, WhatAnEngineHasSealedIsProved) {
  for (const ProofKind proof : {ProofKind::kSamples, ProofKind::kRange, ProofKind::kFull}) {
    const VerifyReport report = check(proof, {0, last()});
    EXPECT_TRUE(report.complete);
    EXPECT_FALSE(report.wrong) << report.wrong->sentence;
    EXPECT_EQ(report.info.stats.count, values.size());
    EXPECT_TRUE(report.info.layout.is_lattice());
    if (proof != ProofKind::kSamples) {
      EXPECT_EQ(report.proved, (EntryRange{0, last()}));
    } else {
      EXPECT_GT(report.conspicuous, 100U);
    }
    if (proof == ProofKind::kFull) {
      EXPECT_THAT(report.method, testing::Not(testing::HasSubstr(GetParam().engine)));
    }
  }
}

TEST_P(LatticeRunVerifyTest, RangesAreProvedApartAndMerge) {
  const HeapSize middle = values.size() / 3;
  std::vector<Certificate> certificates;
  for (const EntryRange range : {EntryRange{middle, last()}, EntryRange{0, middle - 1}}) {
    const VerifyReport report = check(ProofKind::kRange, range);
    EXPECT_FALSE(report.wrong) << report.wrong->sentence;
    EXPECT_EQ(report.proved, range);
    certificates.push_back(certificate_of(report));
  }
  const Certificate all = merge(certificates);
  EXPECT_TRUE(all.complete());
  EXPECT_EQ(all.table_digest, to_hex(stored_info(run).stats.digest));
}

TEST_P(LatticeRunVerifyTest, EveryProofNamesTheWrongPosition) {
  std::mt19937 random(11);
  for (int i = 0; i < 4; ++i) {
    std::vector<Nimber> wrong = values;
    const HeapSize entry = i == 0 ? last() : draw(random, static_cast<unsigned>(wrong.size()));
    wrong[entry] ^= 1 + draw(random, 3);
    seal(wrong);
    for (const ProofKind proof : {ProofKind::kSamples, ProofKind::kRange, ProofKind::kFull}) {
      const VerifyReport report = check(proof, {0, last()});
      ASSERT_TRUE(report.wrong);
      EXPECT_EQ(report.wrong->entry, entry);
      EXPECT_FALSE(report.proved && report.proved->last >= entry);
      EXPECT_THAT(report.wrong->sentence,
                  testing::HasSubstr("position " + position_name(*order_, entry)));
    }
    if (entry > 0) {
      EXPECT_FALSE(check(ProofKind::kRange, {0, entry - 1}).wrong);
    }
  }
}

TEST_P(LatticeRunVerifyTest, FlippedBitsOfSegmentsAreDamage) {
  expect_flipped_bits_of_segments_are_damage(run, 5, 60);
}

TEST_P(LatticeRunVerifyTest, ForeignDirectoriesAreRefused) {
  const auto code = [this](const std::function<void(RunRecord&)>& change) {
    seal(values, change);
    try {
      static_cast<void>(check(ProofKind::kSamples));
    } catch (const Error& error) {
      return error.code();
    }
    return ErrorCode::kUsage;
  };
  const std::vector<std::function<void(RunRecord&)>> changes = {
      [](RunRecord& record) { record.lattice->order = "columns"; },
      [](RunRecord& record) { record.lattice->shape = "10x"; },
      [](RunRecord& record) { record.lattice->shape = "2x2x2x2x2"; },
      [](RunRecord& record) { record.lattice->shape = "2x2"; },  // fewer values than are sealed
      [](RunRecord& record) { record.rule = "5: nonsense"; },
      [](RunRecord& record) { ++record.count; },
      [](RunRecord& record) { record.lattice.reset(); }};
  for (const auto& change : changes) EXPECT_EQ(code(change), ErrorCode::kCorrupt);
}

/// Shapes of whatever size, with a count that follows from them modulo 2^64, and orders of any
/// edge.
TEST_P(LatticeRunVerifyTest, HugeClaimsAreRefusedInLittleMemory) {
  const auto peak_bytes = [] {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return std::uint64_t{1024} * static_cast<std::uint64_t>(usage.ru_maxrss);
  };
  const std::uint64_t before = peak_bytes();
  std::mt19937 random(8);
  const std::uint32_t sizes[] = {0, 1, 2, 255, 1u << 16, 1u << 24, (1u << 24) + 1, 1u << 31, ~0u};
  const std::vector<Nimber> few(values.begin(), values.begin() + 200);
  for (int i = 0; i < 24; ++i) {
    seal(few, [&](RunRecord& record) {
      LatticeRecord& lattice = *record.lattice;
      const unsigned heaps = LatticeRule::parse(GetParam().rule).heaps();
      Layout layout{.heaps = heaps,
                    .sorted = i % 2 == 0,
                    .planes = LatticeRule::parse(GetParam().rule).planes()};
      lattice.shape.clear();
      for (unsigned heap = 0; heap < heaps; ++heap) {
        const bool same = heap > 0 && draw(random, 3) > 0;
        layout.extent[heap] =
            same ? layout.extent[heap - 1] : sizes[draw(random, std::size(sizes))];
        lattice.shape += (heap > 0 ? "x" : "") + std::to_string(layout.extent[heap]);
      }
      lattice.sorted = layout.sorted;
      record.count = std::max<std::uint64_t>(1, layout.entries());
      if (i % 3 == 0) lattice.order = "antidiagonals of tiles of " + std::to_string(1 + i);
    });
    for (const auto& look :
         std::vector<std::function<void()>>{[&] {
                                              static_cast<void>(check(ProofKind::kRange, {0, 5}));
                                            },
                                            [&] { static_cast<void>(request_of_run(run)); }}) {
      try {
        look();  // a shape that is only larger than the one that was asked for may pass
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kCorrupt) << error.what();
      }
    }
  }
  EXPECT_LT(peak_bytes() - before, 100u << 20);
}

INSTANTIATE_TEST_SUITE_P(
    Runs, LatticeRunVerifyTest,
    testing::Values(Run{"2: sym (1,0)* + (1,1)*", {60, 60}, true, "wavefront", 8},
                    Run{"2: sym (1,0)* + (1,1)*", {45, 45}, false, "wavefront", 8},
                    Run{"2: (1,0)* + (0,1)*{1,2} + (1,2)", {30, 70}, false, "wavefront", 8},
                    Run{"2: sym (1,0)* + pass", {60, 60}, false, "frontier", 8},
                    Run{"3: (1,0,0)* + (0,1,1)* + pass", {40, 12, 9}, false, "frontier", 8},
                    Run{"3: sym (1,0,0)* + box(1,2,3)", {18, 18, 18}, true, "reference", {}}),
    [](const auto& test) { return "Run" + std::to_string(test.index); });

}  // namespace
}  // namespace grundy::verify_test
