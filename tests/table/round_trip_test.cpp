// Reading returns what was written: every width, every edge of a chunk, every promotion.
// SPDX-License-Identifier: MIT
#include <limits>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "table/table_file.hpp"
#include "table/table_samples.hpp"

namespace grundy::store_test {
namespace {

constexpr HeapSize kChunk = 256;

class ChunkEdges : public testing::TestWithParam<std::size_t> {};

TEST_P(ChunkEdges, RoundTrip) {
  const TemporaryDirectory dir;
  for (const Nimber limit : {Nimber{200}, Nimber{60000}, Nimber{100000}}) {
    const std::vector<Nimber> values = random_values(GetParam(), limit);
    for (const std::size_t threads : {1, 2, 3}) {
      const fs::path path = dir / (std::to_string(limit) + "-" + std::to_string(threads) + ".h5");
      const TableInfo info = write_table(path, values, {.chunk_size = kChunk}, threads, 100);
      const auto reader = TableReader::open(path);
      EXPECT_EQ(reader->info(), info);
      EXPECT_EQ(read_values(*reader), values);
      EXPECT_EQ(reader->width(), width_for(info.stats.max_value));
      EXPECT_EQ(reader->chunk_size(), kChunk);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, ChunkEdges,
                         testing::Values(0, 1, kChunk - 1, kChunk, kChunk + 1, 2 * kChunk,
                                         40 * kChunk + 17));

struct Promotion {
  Nimber before, after;
  ValueWidth width;
};
class Promotions : public testing::TestWithParam<Promotion> {};

/// The one large value comes at every interesting place of a table of small ones.
TEST_P(Promotions, KeepEveryValue) {
  const TemporaryDirectory dir;
  constexpr std::size_t kCount = 3 * kChunk + 5;
  for (const std::size_t at :
       {std::size_t{0}, std::size_t{1}, kChunk - 1, kChunk, 2 * kChunk + 100, kCount - 1}) {
    std::vector<Nimber> values = random_values(kCount, GetParam().before);
    values[kCount / 2] = GetParam().before;
    values[at] = GetParam().after;
    const fs::path path = dir / (std::to_string(at) + ".h5");
    const TableInfo info = write_table(path, values, {.chunk_size = kChunk}, 2, 50);
    const auto reader = TableReader::open(path);
    EXPECT_EQ(reader->width(), GetParam().width);
    EXPECT_EQ(read_values(*reader), values);
    EXPECT_EQ(reader->info(), info);
  }
  EXPECT_EQ(dir.entries(), 6U) << "temporary files were left behind";
}

INSTANTIATE_TEST_SUITE_P(Boundaries, Promotions,
                         testing::Values(Promotion{100, 254, ValueWidth::kU8},
                                         Promotion{254, 255, ValueWidth::kU16},
                                         Promotion{255, 256, ValueWidth::kU16},
                                         Promotion{300, 65534, ValueWidth::kU16},
                                         Promotion{65534, 65535, ValueWidth::kU32},
                                         Promotion{200, 65535, ValueWidth::kU32},
                                         Promotion{65535, 100000, ValueWidth::kU32}));

TEST(RoundTrip, WhatAnExtensionGoesOnFrom) {
  const TemporaryDirectory dir;
  const std::vector<Nimber> values = random_values(3 * kChunk, 200);
  const auto executor = make_executor(2);
  std::string long_state;
  for (unsigned i = 0; i < 100'000; ++i) long_state += static_cast<char>(i * i % 256);
  for (const std::string& state : {std::string(), std::string("{}\n"), long_state}) {
    const fs::path path = dir / (std::to_string(state.size()) + ".h5");
    const auto writer = TableWriter::create(path, Layout::of_heaps(values.size()), *executor,
                                            {.chunk_size = kChunk});
    put_all(*writer, values, 100);
    writer->finish(info_of(values), {}, state);
    EXPECT_EQ(TableFile(path).extension_state(), state);
    EXPECT_EQ(read_values(*TableReader::open(path)), values);
  }
}

TEST(RoundTrip, ChunksComeInTheirOrderInBothForms) {
  const TemporaryDirectory dir;
  const std::vector<Nimber> values = random_values(40 * kChunk + 17, 60000);
  write_table(dir / "t.h5", values, {.chunk_size = kChunk});
  const TableFile table(dir / "t.h5");
  const ChunkCodec codec(table.width());
  const auto executor = make_executor(2);
  for (const HeapSize end : {HeapSize{1}, 7 * kChunk, values.size()}) {
    HeapSize next = 0;
    const Flow flow = table.scan(*executor, [&](const StoredChunk& chunk) {
      EXPECT_EQ(chunk.begin, next);
      EXPECT_EQ(chunk.values.size(), std::min(kChunk, values.size() - next));
      for (std::size_t i = 0; i < chunk.values.size(); ++i, ++next) {
        EXPECT_EQ(chunk.values[i], values[next]);
      }
      const Bytes raw = codec.decode(chunk.encoded, kChunk * byte_count(table.width()));
      EXPECT_EQ(hash64(raw), chunk.xxh3);
      EXPECT_EQ(Values(raw.data(), kChunk, table.width())[0], chunk.values[0]);
      return next >= end ? Flow::kStop : Flow::kContinue;
    });
    EXPECT_EQ(flow, Flow::kStop);
    EXPECT_EQ(next, std::min((end + kChunk - 1) / kChunk * kChunk, values.size()));
  }
}

TEST(RoundTrip, TwoPromotionsInARow) {
  const TemporaryDirectory dir;
  std::vector<Nimber> values = random_values(10 * kChunk, 255);
  values[3 * kChunk + 7] = 255;
  values[7 * kChunk + 9] = 65535;
  values.back() = 4294967294;
  write_table(dir / "t.h5", values, {.chunk_size = kChunk});
  EXPECT_EQ(read_values(*TableReader::open(dir / "t.h5")), values);
}

TEST(RoundTrip, ReservedValueIsRefused) {
  const TemporaryDirectory dir;
  const std::vector<Nimber> values = {0, 4294967295};
  const auto executor = make_executor(2);
  const auto writer =
      TableWriter::create(dir / "t.h5", Layout::of_heaps(values.size()), *executor, {});
  EXPECT_THROW(put_all(*writer, values), Error);
  EXPECT_EQ(dir.entries(), 0U);
  EXPECT_THROW(put_all(*writer, {0}), Error) << "a writer that failed stays dead";
}

TEST(RoundTrip, EveryFieldOfTheMetadata) {
  const TemporaryDirectory dir;
  std::vector<Nimber> values = random_values(3, 2);
  for (HeapSize n = 3; n < 2000; ++n) values.push_back(1 + static_cast<Nimber>(n % 12));
  TableInfo info = info_of(values);
  info.period = {
      .status = PeriodStatus::kCertified,
      .preperiod = 3,
      .period = 12,
      .saltus = 0,
      .verified_to = 500,
      .theorem = "Guy and Smith 1956: 2·3 + 12 + 2 = 20",
      .sparse = SparseFacts{
          .mask = 5, .parity = true, .rare = 4, .last_rare = 77, .depth = 300, .count = 500}};
  info.computed = 500;
  const auto executor = make_executor(2);
  const auto writer =
      TableWriter::create(dir / "t.h5", Layout::of_heaps(values.size()), *executor, {});
  put_all(*writer, values);
  writer->finish(info);

  const auto reader = TableReader::open(dir / "t.h5");
  EXPECT_EQ(reader->info(), info);
  EXPECT_EQ(reader->value(1999), values[1999]);
  EXPECT_EQ(reader->value(2000), 1 + 2000 % 12);
  constexpr HeapSize kFar = std::numeric_limits<HeapSize>::max();
  EXPECT_EQ(reader->value(kFar), 1 + kFar % 12);
}

TEST(RoundTrip, SaltusIsAddedForEveryPeriodBeyondTheEnd) {
  const TemporaryDirectory dir;
  std::vector<Nimber> values;
  for (HeapSize n = 0; n < 100; ++n) values.push_back(static_cast<Nimber>(n / 4));
  TableInfo info = info_of(values);
  info.period = {.status = PeriodStatus::kCertified,
                 .preperiod = 0,
                 .period = 4,
                 .saltus = 1,
                 .verified_to = 100,
                 .theorem = "test"};
  const auto executor = make_executor(1);
  const auto writer =
      TableWriter::create(dir / "t.h5", Layout::of_heaps(values.size()), *executor, {});
  put_all(*writer, values);
  writer->finish(info);
  const auto reader = TableReader::open(dir / "t.h5");
  EXPECT_EQ(reader->value(99), 24U);
  EXPECT_EQ(reader->value(103), 25U);
  EXPECT_EQ(reader->value(4 * 4294967294ULL + 3), 4294967294U);
  EXPECT_EQ(reader->value(4 * 4294967295ULL), 4294967295U);
  EXPECT_EQ(reader->value(std::numeric_limits<HeapSize>::max()), (std::uint64_t{1} << 62) - 1);
}

TEST(RoundTrip, ReadsAnyRangeAndNothingPastTheEnd) {
  const TemporaryDirectory dir;
  const std::vector<Nimber> values = random_values(5 * kChunk + 3, 250);
  write_table(dir / "t.h5", values, {.chunk_size = kChunk});
  const auto reader = TableReader::open(dir / "t.h5");
  std::mt19937 random(7);
  for (int i = 0; i < 500; ++i) {
    const std::size_t begin = random() % (values.size() + 1);
    std::vector<Nimber> out(random() % (values.size() - begin + 1));
    reader->read(begin, out);
    ASSERT_TRUE(std::equal(out.begin(), out.end(), values.begin() + static_cast<long>(begin)));
  }
  std::vector<Nimber> out(2);
  EXPECT_THROW(reader->read(values.size() - 1, out), Error);
  EXPECT_THROW(reader->read(std::numeric_limits<HeapSize>::max(), out), Error);
  EXPECT_THROW(static_cast<void>(reader->value(values.size())), Error);
}

TEST(RoundTrip, ReadersShareATableBetweenThreads) {
  const TemporaryDirectory dir;
  const std::vector<Nimber> values = random_values(64 * kChunk, 60000);
  write_table(dir / "t.h5", values, {.chunk_size = kChunk});
  const auto reader = TableReader::open(dir / "t.h5");
  std::vector<std::jthread> threads;
  std::vector<int> wrong(4, 0);
  for (unsigned t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      std::mt19937 random(t);
      for (int i = 0; i < 2000; ++i) {
        const std::size_t n = random() % values.size();
        if (reader->value(n) != values[n]) ++wrong[t];
      }
    });
  }
  threads.clear();
  EXPECT_THAT(wrong, testing::Each(0));
}

TEST(RoundTrip, EqualRunsGiveEqualBytes) {
  const TemporaryDirectory dir;
  const std::vector<Nimber> values = random_values(20 * kChunk + 1, 60000);
  const TableWriterOptions options{.chunk_size = kChunk, .reproducible = true};
  write_table(dir / "a.h5", values, options, 1, 100);
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));
  write_table(dir / "b.h5", values, options, 3, 1000);
  EXPECT_EQ(bytes_of(dir / "a.h5"), bytes_of(dir / "b.h5"));
}

/// Chunks that repeat are encoded once; they must all be there, and in order.
TEST(RoundTrip, PeriodicTables) {
  const TemporaryDirectory dir;
  for (const Nimber period : {1U, 12U, 100U, 349U}) {
    std::vector<Nimber> values(100 * kChunk + 5);
    for (std::size_t n = 0; n < values.size(); ++n) values[n] = static_cast<Nimber>(n) % period;
    values[50 * kChunk] = period;
    const fs::path path = dir / (std::to_string(period) + ".h5");
    write_table(path, values, {.chunk_size = kChunk}, 2, 5000);
    EXPECT_EQ(read_values(*TableReader::open(path)), values);
  }
}

TEST(RoundTrip, PlainThreadsDoAsWell) {
  const TemporaryDirectory dir;
  const std::vector<Nimber> values = random_values(200 * kChunk + 1, 250);
  for (const std::size_t threads : {1, 2, 4}) {
    const auto executor = make_executor(threads, "threads");
    const auto writer = TableWriter::create(dir / "t.h5", Layout::of_heaps(values.size()),
                                            *executor, {.chunk_size = kChunk, .overwrite = true});
    put_all(*writer, values);
    writer->finish(info_of(values));
    EXPECT_EQ(read_values(*TableReader::open(dir / "t.h5")), values);
  }
}

}  // namespace
}  // namespace grundy::store_test
