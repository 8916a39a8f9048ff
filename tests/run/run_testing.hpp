/// @file
/// What the tests of run directories share.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <unistd.h>

#include <grundy/error.hpp>

#include "run/run_directory.hpp"
#include "run/segment_log.hpp"

namespace grundy::testing {

inline std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

inline void write_bytes(const std::filesystem::path& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary) << bytes;
}

/// The error that `action` ends in.
inline Error error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no error";
  return {ErrorCode::kFailure, ""};
}

/// Keeps values.
class Kept final : public BlockSink {
 public:
  Flow put(const Block& block) override {
    if (values.empty()) begin = block.begin;
    EXPECT_EQ(block.begin, begin + values.size());
    block.values.visit([this](auto run) { values.insert(values.end(), run.begin(), run.end()); });
    return Flow::kContinue;
  }

  HeapSize begin = 0;
  std::vector<Nimber> values;
};

/// A test with a directory of its own.
class RunTest : public ::testing::Test {
 protected:
  RunTest() {
    std::string name = (std::filesystem::temp_directory_path() / "grundy-run-XXXXXX").string();
    place_ = ::mkdtemp(name.data());
  }
  ~RunTest() override { std::filesystem::remove_all(place_); }

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
    SegmentLog log(directory, {.bytes = interval}, "dense", "scalar", nullptr);
    HeapSize at = directory.frontier();
    while (at < values.size()) {
      const std::size_t n = std::min<std::size_t>(100, values.size() - at);
      log.put({at, Values(std::span(values).subspan(at, n)), {}});
      at += n;
    }
    log.seal();
  }

  std::filesystem::path place_;
};

}  // namespace grundy::testing
