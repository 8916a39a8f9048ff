/// @file
/// A sink that ends in a vector of values.
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <gtest/gtest.h>

#include <grundy/hooks.hpp>
#include <grundy/sink.hpp>

namespace grundy::testing_support {

/// Collects values and checks that blocks come in order and that their views agree.
class CollectSink : public ValueSink {
 public:
  static constexpr HeapSize kNever = ~HeapSize{0};

  /// @param stop_after ends the run once that many values are there
  /// @param begin the heap that the first block begins with
  explicit CollectSink(HeapSize stop_after = kNever, HeapSize begin = 0)
      : stop_after_(stop_after), begin_(begin) {}

  Flow put(const Stretch& block) override {
    EXPECT_EQ(block.begin, begin_ + values_.size()) << "blocks follow each other without a gap";
    EXPECT_FALSE(block.values.empty());
    block.values.visit([&](auto run) { values_.insert(values_.end(), run.begin(), run.end()); });
    if (!block.table.empty()) {
      EXPECT_EQ(block.table.size(), begin_ + values_.size());
      EXPECT_EQ(block.table[block.table.size() - 1], values_.back());
    }
    return values_.size() >= stop_after_ ? Flow::kStop : Flow::kContinue;
  }

  [[nodiscard]] const std::vector<Nimber>& values() const noexcept { return values_; }

 private:
  HeapSize stop_after_;
  HeapSize begin_;
  std::vector<Nimber> values_;
};

/// Hooks that hand all values to a sink.
inline Hooks into(ValueSink& sink) {
  return {.values = [&sink](const Stretch& block) { return sink.put(block); }};
}

}  // namespace grundy::testing_support
