// Run directories: sealed values are proved, and damage and wrong values are distinguished.
// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/digest.hpp"
#include "run/segment_log.hpp"
#include "verify/damaged_segments.hpp"
#include "verify/verify_testing.hpp"

namespace grundy::verify_test {
namespace {

class RunVerifyTest : public testing::Test {
 protected:
  /// Seals the values in segments of about 400 heaps and leaves the run unfinished.
  void seal(const std::vector<Nimber>& sealed, const std::string& rule = "0.77") {
    std::filesystem::remove_all(run);
    RunDirectory directory(run, false);
    RunRecord record;
    record.rule = rule;
    record.count = 5000;
    record.engine = record.kernel = "auto";
    directory.write_record(record);
    const auto executor = make_executor(1, "threads");
    SegmentLog log(directory, {.bytes = 400}, *executor, "dense", "scalar", nullptr);
    for (std::size_t at = 0; at < sealed.size(); at += 100) {
      log.put({at, Values(std::span(sealed).subspan(at, 100)), {}});
    }
    log.seal();
  }
  VerifyReport check(ProofKind proof = ProofKind::kSamples, EntryRange range = {}) {
    return verify(
        {.table = run, .proof = proof, .range = range, .machine = {.backend = "threads"}});
  }

  TemporaryDirectory dir;
  std::filesystem::path run = dir / "t.h5.run";
  std::vector<Nimber> values = reference_values(HeapRule::parse("0.77"), 2000);
};

TEST_F(RunVerifyTest, SealedValuesAreProved) {
  seal(values);
  const VerifyReport report = check();
  EXPECT_TRUE(report.complete);
  EXPECT_FALSE(report.wrong);
  EXPECT_EQ(report.info.stats.count, 2000u);
  EXPECT_EQ(report.random, 2000u) << "all of them in so short a run";
}

TEST_F(RunVerifyTest, AWrongValueUnderRightDigestsIsNamed) {
  values[1234] ^= 3;
  seal(values);
  const VerifyReport report = check();
  ASSERT_TRUE(report.wrong);
  EXPECT_EQ(report.wrong->entry, 1234u);
}

TEST_F(RunVerifyTest, EveryHeapIsProvedByTheStoredValues) {
  seal(values);
  std::vector<Certificate> certificates;
  for (const EntryRange range :
       {EntryRange{1500, 1999}, EntryRange{0, 399}, EntryRange{390, 1500}}) {
    const VerifyReport report = check(ProofKind::kRange, range);
    EXPECT_TRUE(report.complete);
    EXPECT_FALSE(report.wrong) << report.wrong->sentence;
    EXPECT_EQ(report.proved, range);
    certificates.push_back(certificate_of(report));
  }
  const Certificate all = merge(certificates);
  EXPECT_TRUE(all.complete());
  EXPECT_EQ(all.count, 2000u);
  EXPECT_EQ(all.table_digest, to_hex(stored_info(run).stats.digest));

  // A finished table of these heaps is the same table.
  const auto table = dir / "t.h5";
  write(table, HeapRule::parse("0.77"), values);
  EXPECT_EQ(all.table_digest, to_hex(stored_info(table).stats.digest));
}

TEST_F(RunVerifyTest, EveryHeapIsProvedByAnEngineThatTookNoPart) {
  seal(values);
  const VerifyReport report = check(ProofKind::kFull);
  EXPECT_TRUE(report.complete);
  EXPECT_FALSE(report.wrong);
  EXPECT_EQ(report.proved, (EntryRange{0, 1999}));
  EXPECT_THAT(report.method, testing::Not(testing::HasSubstr("dense")));
}

TEST_F(RunVerifyTest, EveryProofNamesTheWrongHeap) {
  values[1234] ^= 3;
  seal(values);
  for (const ProofKind proof : {ProofKind::kRange, ProofKind::kFull}) {
    const VerifyReport report = check(proof, {1000, 1999});
    ASSERT_TRUE(report.wrong);
    EXPECT_EQ(report.wrong->entry, 1234u);
    EXPECT_THAT(report.wrong->sentence, testing::HasSubstr(std::to_string(values[1234])));
  }
  EXPECT_FALSE(check(ProofKind::kRange, {0, 1233}).wrong);
}

TEST_F(RunVerifyTest, RangesBeyondWhatIsSealedAreRefused) {
  seal(values);
  try {
    static_cast<void>(check(ProofKind::kRange, {0, 2000}));
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
  }
}

TEST_F(RunVerifyTest, SegmentsMayHaveSeveralWidths) {
  const HeapRule nim = HeapRule::parse("0.[3]");
  for (const HeapSize count : {200, 600}) {
    const std::vector<Nimber> right = reference_values(nim, count);
    seal(right, nim.canonical());
    EXPECT_FALSE(check(ProofKind::kRange, {0, count - 1}).wrong);
    EXPECT_FALSE(check(ProofKind::kFull).wrong);
  }
}

TEST_F(RunVerifyTest, FlippedBitsOfSegmentsAreDamage) {
  seal(values);
  expect_flipped_bits_of_segments_are_damage(run, 4, 500);
}

TEST_F(RunVerifyTest, OtherDirectoriesAreNoRuns) {
  try {
    static_cast<void>(verify({.table = dir.path(), .machine = {.backend = "threads"}}));
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
  }
}

}  // namespace
}  // namespace grundy::verify_test
