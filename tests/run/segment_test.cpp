/// @file
/// Segments return what was sealed, or nothing.
// SPDX-License-Identifier: MIT
#include <random>

#include "core/digest.hpp"
#include "core/value_copy.hpp"
#include "run/run_testing.hpp"
#include "support/small_files.hpp"

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
TEST_F(RunTest, AFullDeviceLeavesTheWholeChunksOfASegment) {
  constexpr HeapSize kChunk = HeapSize{1} << 12;
  constexpr HeapSize kWhole = 8 * kChunk;
  RunRecord small_chunks = record();
  small_chunks.chunk = kChunk;
  std::vector<Nimber> values(kWhole + kChunk / 2);
  std::mt19937 random(1);
  for (Nimber& value : values) value = static_cast<Nimber>(random() % 255);  // takes 8 bits
  const auto frontier_after = [&](rlim_t limit, HeapSize count, bool grows) {
    {
      RunDirectory directory(run(), false);
      directory.write_record(small_chunks);
      SegmentLog log(directory, {.bytes = count}, *executor_, "dense", "scalar", nullptr);
      const testing_support::SmallFiles small(limit);
      const Error error = error_of([&] {
        log.put({0, Values(std::span(values).first(count)), {}});
        if (grows) log.put({count, Values(std::span(values).first(100)), {}});
        log.seal();
      });
      EXPECT_EQ(error.code(), ErrorCode::kFailure);
      log.rescue();
    }
    const HeapSize frontier = RunDirectory(run(), false).frontier();
    if (frontier > 0) {
      CollectSink kept;
      replay(read_run(run()).segments, 0, frontier, kept);
      EXPECT_EQ(kept.values(), std::vector<Nimber>(values.begin(), values.begin() + frontier));
    }
    fs::remove_all(run());
    return frontier;
  };
  EXPECT_EQ(frontier_after(kWhole + kChunk / 4, values.size(), false), kWhole);
  EXPECT_EQ(frontier_after(kWhole + kChunk / 4, values.size(), true), kWhole);
  EXPECT_EQ(frontier_after(kWhole / 2 + kChunk / 4, values.size(), false), kWhole / 2);
  EXPECT_EQ(frontier_after(kChunk / 2, values.size(), false), 0U);
}

/// Chunks of the table's size come as they are sealed; what lies around a seal, or has another
/// width or size, comes as values.
TEST_F(RunTest, WholeChunksComeAsTheyAreSealed) {
  constexpr HeapSize kChunk = 512;
  const std::vector<Nimber> values = sample(5000);
  {
    RunDirectory directory(run(), false);
    RunRecord chunks = record();
    chunks.chunk = kChunk;
    directory.write_record(chunks);
    SegmentLog log(directory, {.bytes = 1700}, *executor_, "dense", "scalar", nullptr);
    for (HeapSize at = 0; at < values.size(); at += 100) {
      log.put({at, Values(std::span(values).subspan(at, 100)), {}});
    }
    log.seal();
  }
  const std::vector<Segment> segments = read_run(run()).segments;
  const auto all = [&](HeapSize to, ValueWidth width, HeapSize chunk) {
    const ChunkCodec codec(width);
    std::vector<Nimber> seen;
    std::size_t copied = 0;
    SinkOf rest([&](const Stretch& block) {
      EXPECT_EQ(block.begin, seen.size());
      for (std::size_t i = 0; i < block.values.size(); ++i) seen.push_back(block.values[i]);
    });
    const auto take = [&](HeapSize begin, const SegmentReader::Encoded& encoded) {
      EXPECT_EQ(begin, seen.size());
      EXPECT_EQ(begin % chunk, 0U);
      const Bytes raw = codec.decode(encoded.bytes, chunk * byte_count(width));
      EXPECT_EQ(hash64(raw), encoded.values_xxh3);
      const Values decoded(raw.data(), chunk, width);
      for (std::size_t i = 0; i < chunk; ++i) seen.push_back(decoded[i]);
      ++copied;
      return Flow::kContinue;
    };
    replay_chunks(segments, to, width, chunk, take, rest);
    EXPECT_EQ(seen, std::vector<Nimber>(values.begin(), values.begin() + to));
    return copied;
  };
  EXPECT_EQ(all(5000, ValueWidth::kU8, kChunk), 3U);
  EXPECT_GT(all(5000, ValueWidth::kU16, kChunk), 2U);
  EXPECT_EQ(all(1100, ValueWidth::kU8, kChunk), 2U);
  EXPECT_EQ(all(5000, ValueWidth::kU8, 2 * kChunk), 0U);
}

/// Chunks that are encoded already go into segments like those that the log makes, before and
/// behind values.
TEST_F(RunTest, TakesEncodedChunks) {
  constexpr HeapSize kChunk = 512;
  const std::vector<Nimber> values = sample(5000);  // from heap 2001 on they take 16 bits
  RunRecord chunks = record();
  chunks.chunk = kChunk;
  {
    RunDirectory directory(run(), false);
    directory.write_record(chunks);
    SegmentLog log(directory, {.bytes = 1700}, *executor_, "dense", "scalar", nullptr);
    EXPECT_FALSE(log.takes_chunks(2 * kChunk, ValueWidth::kU8));
    const auto put_values = [&](HeapSize begin, HeapSize end) {
      log.put({begin, Values(std::span(values).subspan(begin, end - begin)), {}});
    };
    const auto put_chunks = [&](HeapSize begin, HeapSize end, ValueWidth width) {
      const ChunkCodec codec(width);
      for (; begin < end; begin += kChunk) {
        ASSERT_TRUE(log.takes_chunks(kChunk, width));
        Bytes raw(kChunk * byte_count(width));
        copy_to_width(Values(std::span(values).subspan(begin, kChunk)), width, raw.data());
        log.put_chunk(begin, {kChunk, hash64(raw), codec.encode(raw)}, width);
      }
    };
    put_values(0, kChunk);
    put_chunks(kChunk, 3 * kChunk, ValueWidth::kU8);
    put_chunks(3 * kChunk, 6 * kChunk, ValueWidth::kU16);
    EXPECT_FALSE(log.takes_chunks(kChunk, ValueWidth::kU8)) << "widths never fall";
    put_values(6 * kChunk, values.size());
    log.seal();
  }
  const std::vector<Segment> segments = read_run(run()).segments;
  EXPECT_GE(segments.size(), 3U);
  for (const Segment& segment : segments) check_segment(segment);
  CollectSink kept;
  replay(segments, 0, values.size(), kept);
  EXPECT_EQ(kept.values(), values);
}

/// A later life seals no narrower segments: the table has the largest width.
TEST_F(RunTest, TheWidthOfSegmentsNeverFalls) {
  std::vector<Nimber> values = sample(3000);
  seal(values, 1000);
  values.resize(4000, 1);
  seal(values, 1000);
  EXPECT_EQ(read_run(run()).segments.back().header.width, ValueWidth::kU16);
}

/// A segment that grows can be read to its last value, and goes on as if it had not been.
TEST_F(RunTest, WhatIsNotSealedYetIsRead) {
  const std::vector<Nimber> values = sample(2000);
  RunDirectory directory(run(), false);
  directory.write_record(record());
  SegmentLog log(directory, {.bytes = 900}, *executor_, "dense", "scalar", nullptr);
  SegmentCursor cursor({});
  for (HeapSize at = 0; at < values.size(); at += 500) {
    log.put({at, Values(std::span(values).subspan(at, 500)), {}});
    cursor.renew(log.segments());
    for (const HeapSize n : {HeapSize{3}, at + 499, at / 2, at}) {
      EXPECT_EQ(cursor.at(n), values[n]) << at;
    }
    CollectSink kept;
    replay(log.segments(), 0, at + 500, kept);
    EXPECT_EQ(kept.values(), std::vector<Nimber>(values.begin(), values.begin() + at + 500));
  }
  log.seal();
  CollectSink kept;
  replay(read_run(run()).segments, 0, 2000, kept);
  EXPECT_EQ(kept.values(), values);
}

}  // namespace
}  // namespace grundy::testing
