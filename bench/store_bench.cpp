/// @file
/// How fast values reach the disk: encoding, a periodic table end to end, reading it.
///
/// Usage: bench_store DIRECTORY [COUNT]. Writes COUNT (default 10^9) values of period 12 to a
/// table, including the read-back of the writer, and reads the table again through a reader.
/// Encodes and decodes chunks of random values: 200 different ones, which is the worst case, 30 of
/// which the lower ones come more often, as in games of heaps, and ones whose upper byte comes in
/// short runs above noise, as in tables of several heaps. Every result is compared with its input
/// before a figure is printed.
// SPDX-License-Identifier: MIT
#include <array>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <random>
#include <vector>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/machine.hpp>
#include <grundy/table.hpp>

#include "arguments.hpp"
#include "core/digest.hpp"
#include "table/chunk_codec.hpp"
#include "table/table_writer.hpp"

namespace {

using namespace grundy;

constexpr std::size_t kPeriod = 12;
constexpr std::size_t kBlock = kPeriod << 16;

double seconds_of(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void require(bool condition, const char* what) {
  if (!condition) throw Error(ErrorCode::kMismatch, what);
}

void print(const char* what, double count, const char* unit, double seconds) {
  fmt::print("{:38} {:8.3f} s {:10.1f} million {}/s\n", what, seconds, count / seconds / 1e6, unit);
}

/// Encoding and decoding in one thread, for each width that holds all results of `value()`.
void bench_codec(const char* values, ValueWidth narrowest, const auto& value) {
  constexpr std::size_t kValues = 1u << 17;
  constexpr int kRounds = 100;
  for (const ValueWidth width : {ValueWidth::kU8, ValueWidth::kU16, ValueWidth::kU32}) {
    if (width < narrowest) continue;
    const ChunkCodec codec(width);
    Bytes raw(kValues * byte_count(width));
    for (std::size_t i = 0; i < raw.size(); i += byte_count(width)) {
      const Nimber next = value();
      std::memcpy(&raw[i], &next, byte_count(width));
    }
    Bytes encoded;
    Bytes decoded;
    const double bytes = kRounds * static_cast<double>(raw.size());
    const double encoding = seconds_of([&] {
      for (int i = 0; i < kRounds; ++i) encoded = codec.encode(raw);
    });
    const double decoding = seconds_of([&] {
      for (int i = 0; i < kRounds; ++i) decoded = codec.decode(encoded, raw.size());
    });
    require(decoded == raw, "a chunk did not survive the codec");
    print(fmt::format("encode {}, {} bytes a value", values, byte_count(width)).c_str(), bytes,
          "bytes", encoding);
    print(fmt::format("decode {}, {} bytes a value", values, byte_count(width)).c_str(), bytes,
          "bytes", decoding);
  }
}

/// Statistics of the first `count` values of 0, 1, .., kPeriod - 1, 0, 1, ..
TableInfo describe(HeapSize count, std::span<const std::uint8_t> block) {
  TableInfo info;
  info.title = info.game = info.canonical = "benchmark";
  info.layout = Layout::of_heaps(count);
  info.computed = info.stats.count = count;
  info.stats.argmax = kPeriod - 1;
  info.stats.max_value = kPeriod - 1;
  for (Nimber v = 0; v < kPeriod; ++v) {
    info.stats.histogram.push_back(count / kPeriod + (v < count % kPeriod ? 1 : 0));
    info.stats.records.push_back({v, v});
  }
  ValueDigest digest;
  for (HeapSize at = 0; at < count; at += block.size()) {
    digest.update(block.first(std::min<HeapSize>(block.size(), count - at)));
  }
  info.stats.digest = digest.value();
  info.provenance_json = "{}";
  return info;
}

void bench_table(const std::filesystem::path& path, HeapSize count, std::size_t threads) {
  std::vector<std::uint8_t> block(kBlock);
  for (std::size_t i = 0; i < block.size(); ++i) block[i] = static_cast<std::uint8_t>(i % kPeriod);
  const TableInfo info = describe(count, block);
  const auto executor = make_executor(threads);
  const double writing = seconds_of([&] {
    const auto writer = TableWriter::create(path, info.layout, *executor, {.overwrite = true});
    for (HeapSize at = 0; at < count; at += block.size()) {
      const std::size_t n = std::min<HeapSize>(block.size(), count - at);
      writer->put({.begin = at, .values = Values(std::span(block).first(n)), .table = {}});
    }
    writer->finish(info);
  });
  const auto reader = TableReader::open(path);
  ValueDigest digest;
  const double reading = seconds_of([&] {
    std::vector<Nimber> values(reader->chunk_size());
    for (HeapSize at = 0; at < count; at += values.size()) {
      values.resize(std::min<HeapSize>(values.size(), count - at));
      reader->read(at, values);
      digest.update(std::span<const Nimber>(values));
    }
  });
  require(digest.value() == info.stats.digest, "the table reads differently than it was written");
  print(fmt::format("write, {} thread(s), read-back included", threads).c_str(),
        static_cast<double>(count), "values", writing);
  print("read, one thread, digest included", static_cast<double>(count), "values", reading);
  std::filesystem::remove(path);
}

}  // namespace

int main(int argc, char** argv) {
  return run_bench("bench_store", argc, argv, [](const Arguments& arguments) {
    arguments.expect_at_most(2);
    const std::filesystem::path directory = arguments.text(0, "");
    if (!std::filesystem::is_directory(directory)) {
      throw Error(ErrorCode::kUsage,
                  "bench_store DIRECTORY [COUNT] needs a directory for its table");
    }
    const HeapSize count = arguments.count(1, "COUNT", 1'000'000'000, kPeriod);
    std::mt19937 random(1);
    bench_codec("200 values", ValueWidth::kU8, [&] { return static_cast<Nimber>(random() % 200); });
    bench_codec("30 values", ValueWidth::kU8,
                [&] { return static_cast<Nimber>(random() % 30 * (random() % 30) / 29); });
    Nimber high = 0;
    bench_codec("noise under runs of 3", ValueWidth::kU16, [&] {
      if (random() % 3 == 0) high = static_cast<Nimber>(random() % 10);
      return static_cast<Nimber>(high << 8 | random() % 256);
    });
    for (const std::size_t threads : {1, 2}) {
      bench_table(directory / "bench_store.h5", count, threads);
    }
  });
}
