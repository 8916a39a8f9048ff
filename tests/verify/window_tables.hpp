/// @file
/// A table whose period the window certificate proves: `0.127`, watched online from heap 0.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "engines/heap/sparse/engine.hpp"
#include "theory/period_watch.hpp"
#include "verify/verify_testing.hpp"

namespace grundy::verify_test {

/// The engine's values up to the certificate, and the table that follows from it.
class WindowTable final : public ValueSink {
 public:
  explicit WindowTable(HeapSize count = 100000) : watch_(rule, 0, 0) {
    HeapTask task{rule, count, select_kernels("auto"), testing_support::single_thread(), {}};
    task.block = 512;  // with larger ones Guy and Smith's theorem is as soon
    EXPECT_EQ(SparseEngine().run(task, *this), RunStatus::kStoppedBySink);
    EXPECT_TRUE(watch_.report().sparse.has_value());
    for (HeapSize n = values.size(); n < count; ++n) {
      values.push_back(values[n - watch_.report().period]);
    }
  }
  Flow put(const Stretch& block) override {
    for (HeapSize i = 0; i < block.values.size(); ++i) values.push_back(block.values[i]);
    return watch_.observe(block) ? Flow::kStop : Flow::kContinue;
  }
  /// Writes it; `change` may falsify its metadata.
  void write(const std::filesystem::path& path,
             const std::function<void(TableInfo&)>& change = {}) const {
    verify_test::write(path, rule, values, [&](TableInfo& info) {
      info.period = watch_.report();
      info.computed = info.period.verified_to;
      info.engine = "sparse";
      if (change) change(info);
    });
  }

  const HeapRule rule = HeapRule::parse("0.127");
  std::vector<Nimber> values;

 private:
  PeriodWatch watch_;
};

}  // namespace grundy::verify_test
