/// @file
/// Segments give back what was sealed, or nothing.
// SPDX-License-Identifier: MIT
#include <csignal>

#include <sys/resource.h>

#include "run/run_testing.hpp"

namespace grundy::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

TEST_F(RunTest, ValuesComeBackInSegmentsOfTheLeastWidth) {
  const std::vector<Nimber> values = sample(5000);
  seal(values, 1000);
  const RunContents contents = read_run(run());
  ASSERT_GT(contents.segments.size(), 3U);
  EXPECT_EQ(contents.segments.front().header.width, ValueWidth::kU8);
  EXPECT_EQ(contents.segments.back().header.width, ValueWidth::kU16);
  EXPECT_EQ(contents.segments.front().header.engine, "dense");
  for (const HeapSize from : {0, 1, 999, 1000, 2345, 4999}) {
    for (const HeapSize to : {HeapSize{1}, HeapSize{2000}, HeapSize{5000}}) {
      CollectSink kept(CollectSink::kNever, from);
      replay(contents.segments, from, to, kept);
      if (from >= to) {
        EXPECT_TRUE(kept.values().empty());
        continue;
      }
      EXPECT_EQ(kept.values(), std::vector<Nimber>(values.begin() + from, values.begin() + to));
    }
  }
}

TEST_F(RunTest, EveryFlippedBitIsSeen) {
  seal(sample(300), 1000);
  const fs::path file = run() / segment_name(0);
  const std::string whole = bytes_of(file);
  unsigned flips = 0;
  for (std::size_t bit = 0; bit < 8 * whole.size(); bit += bit < 8 * 256 ? 3 : 5) {
    std::string bad = whole;
    bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << bit % 8));
    write_bytes(file, bad);
    const Error error = error_of([&] {
      CollectSink kept;
      replay(read_run(run()).segments, 0, 300, kept);
    });
    EXPECT_EQ(error.code(), ErrorCode::kCorrupt) << "bit " << bit;
    EXPECT_THAT(error.what(), HasSubstr(segment_name(0))) << "bit " << bit;
    ++flips;
  }
  EXPECT_GT(flips, 1000U);
}

TEST_F(RunTest, EveryTruncationAndAppendedBytesAreSeen) {
  seal(sample(300), 1000);
  const fs::path file = run() / segment_name(0);
  const std::string whole = bytes_of(file);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    write_bytes(file, whole.substr(0, size));
    EXPECT_EQ(error_of([&] { read_run(run()); }).code(), ErrorCode::kCorrupt) << size;
  }
  write_bytes(file, whole + '\0');
  EXPECT_EQ(error_of([&] { read_run(run()); }).code(), ErrorCode::kCorrupt);
}

/// A device that is full within a segment, or when the rest of a segment is written to be sealed.
TEST_F(RunTest, AFullDeviceLeavesTheWholeBuffersOfASegment) {
  constexpr HeapSize kWhole = HeapSize{1} << 20;
  const std::vector<Nimber> values(kWhole + kWhole / 2, 7);
  std::signal(SIGXFSZ, SIG_IGN);  // then a write fails with EFBIG
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto frontier_after = [&](rlim_t limit, HeapSize count, bool grows) {
    {
      RunDirectory directory(run(), false);
      directory.write_record(record());
      SegmentLog log(directory, {.bytes = count}, "dense", "scalar", nullptr);
      const rlimit small{limit, before.rlim_max};
      setrlimit(RLIMIT_FSIZE, &small);
      const Error error = error_of([&] {
        log.put({0, Values(std::span(values).first(count)), {}});
        if (grows) log.put({count, Values(std::span(values).first(100)), {}});
        log.seal();
      });
      EXPECT_EQ(error.code(), ErrorCode::kFailure);
      log.rescue();
      setrlimit(RLIMIT_FSIZE, &before);
    }
    const HeapSize frontier = RunDirectory(run(), false).frontier();
    if (frontier > 0) {
      CollectSink kept;
      replay(read_run(run()).segments, 0, frontier, kept);
      EXPECT_EQ(kept.values(), std::vector<Nimber>(frontier, 7));
    }
    fs::remove_all(run());
    return frontier;
  };
  EXPECT_EQ(frontier_after(kWhole + 10000, values.size(), false), kWhole);
  EXPECT_EQ(frontier_after(kWhole + 10000, values.size(), true), kWhole);
  EXPECT_EQ(frontier_after(kWhole / 2, values.size(), false), 0U);
}

}  // namespace
}  // namespace grundy::testing
