/// @file
/// Tables for the tests of the store: sequences with known content, written and read in one call.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <grundy/error.hpp>
#include <grundy/machine.hpp>
#include <grundy/table.hpp>

#include "core/digest.hpp"
#include "support/files.hpp"
#include "table/table_writer.hpp"

namespace grundy::store_test {

namespace fs = std::filesystem;
using testing_support::bytes_of;
using testing_support::TemporaryDirectory;
using testing_support::write_bytes;

/// Statistics by their definitions, independent of the collector in analysis.
inline TableStats stats_of(const std::vector<Nimber>& values) {
  TableStats stats;
  stats.count = values.size();
  for (HeapSize n = 0; n < values.size(); ++n) {
    const Nimber v = values[n];
    if (n == 0 || v > stats.max_value) {
      stats.max_value = v;
      stats.argmax = n;
      stats.records.push_back({n, v});
    }
    if (v >= TableStats::kHistogramLimit) continue;
    if (v >= stats.histogram.size()) stats.histogram.resize(v + 1);
    ++stats.histogram[v];
  }
  if (stats.max_value >= TableStats::kHistogramLimit) {
    stats.histogram.resize(TableStats::kHistogramLimit);
  }
  ValueDigest digest;
  digest.update(Values(std::span<const Nimber>(values)));
  stats.digest = digest.value();
  return stats;
}

inline TableInfo info_of(const std::vector<Nimber>& values) {
  TableInfo info;
  info.game = "kayles";
  info.title = "Kayles – ünïcode ✓";
  info.canonical = "0.77";
  info.description = "Remove one or two tokens; what is left may be split.";
  info.layout = Layout::of_heaps(values.size());
  info.stats = stats_of(values);
  info.computed = values.size();
  info.engine = "dense";
  info.kernel = "avx2";
  info.provenance_json = R"({"command":"grundy compute kayles","threads":2})";
  return info;
}

/// `count` values below `limit`, the same for the same seed; repetitive enough to compress.
inline std::vector<Nimber> random_values(std::size_t count, Nimber limit, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::vector<Nimber> values(count);
  for (Nimber& v : values) v = static_cast<Nimber>(random()) % limit;
  return values;
}

/// Hands values to a sink in uneven blocks, each at the least width that holds it.
inline void put_all(ValueSink& sink, const std::vector<Nimber>& values, std::size_t step = 777) {
  for (std::size_t at = 0; at < values.size(); at += step) {
    const std::span<const Nimber> block(values.data() + at, std::min(step, values.size() - at));
    const Nimber top = *std::ranges::max_element(block);
    if (width_for(top) == ValueWidth::kU8) {
      const std::vector<std::uint8_t> narrow(block.begin(), block.end());
      sink.put({.begin = at, .values = Values(std::span(narrow)), .table = {}});
    } else if (width_for(top) == ValueWidth::kU16) {
      const std::vector<std::uint16_t> narrow(block.begin(), block.end());
      sink.put({.begin = at, .values = Values(std::span(narrow)), .table = {}});
    } else {
      sink.put({.begin = at, .values = Values(block), .table = {}});
    }
  }
}

inline TableInfo write_table(const fs::path& path, const std::vector<Nimber>& values,
                             const TableWriterOptions& options = {}, std::size_t threads = 2,
                             std::size_t step = 777) {
  const std::unique_ptr<Executor> executor = make_executor(threads);
  const auto writer =
      TableWriter::create(path, Layout::of_heaps(values.size()), *executor, options);
  put_all(*writer, values, step);
  TableInfo info = info_of(values);
  writer->finish(info);
  return info;
}

inline std::vector<Nimber> read_values(const TableReader& reader) {
  std::vector<Nimber> values(reader.info().stats.count);
  reader.read(0, values);
  return values;
}

}  // namespace grundy::store_test
