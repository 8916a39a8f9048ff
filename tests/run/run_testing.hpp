/// @file
/// Shared helpers of the tests of run directories.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include <grundy/machine.hpp>

#include "run/run_directory.hpp"
#include "run/segment_log.hpp"
#include "support/collect_sink.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

namespace grundy::testing {

using testing_support::bytes_of;
using testing_support::CollectSink;
using testing_support::error_of;
using testing_support::TemporaryDirectory;
using testing_support::write_bytes;

/// A test with a directory of its own.
class RunTest : public ::testing::Test {
 protected:
  [[nodiscard]] std::filesystem::path run() const { return place_ / "t.h5.run"; }

  static std::vector<Nimber> sample(HeapSize count) {
    std::vector<Nimber> values;
    for (HeapSize n = 0; n < count; ++n) {
      values.push_back(static_cast<Nimber>(n * n % 251 + (n > 2000 ? 300 : 0)));
    }
    return values;
  }

  static RunRecord record() {
    RunRecord record;
    record.rule = "0.77";
    record.count = 5000;
    record.title = "Kayl\xe9s";  // not UTF-8
    record.engine = "auto";
    return record;
  }

  /// Seals `values` in segments of `interval` bytes; leaves the directory.
  void seal(const std::vector<Nimber>& values, std::uint64_t interval) const {
    RunDirectory directory(run(), false);
    if (!directory.record()) directory.write_record(record());
    SegmentLog log(directory, {.bytes = interval}, *executor_, "dense", "scalar", nullptr);
    HeapSize at = directory.frontier();
    while (at < values.size()) {
      const std::size_t n = std::min<std::size_t>(100, values.size() - at);
      log.put({at, Values(std::span(values).subspan(at, n)), {}});
      at += n;
    }
    log.seal();
  }

  const TemporaryDirectory place_;
  const std::unique_ptr<Executor> executor_ = make_executor(2, "threads");
};

}  // namespace grundy::testing
