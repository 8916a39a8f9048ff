/// @file
/// What the tests of engines share: runs that end in a vector of values.
// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <grundy/heap/engine.hpp>

#include "kernels/kernels.hpp"
#include "schedule/executor.hpp"

namespace grundy::testing_support {

/// Collects values and checks that blocks come in order and that their views agree.
class CollectSink : public BlockSink {
 public:
  /// @param stop_after ends the run once that many values are there
  explicit CollectSink(HeapSize stop_after = ~HeapSize{0}) : stop_after_(stop_after) {}

  Flow put(const Block& block) override {
    EXPECT_EQ(block.begin, values_.size()) << "blocks follow each other without a gap";
    EXPECT_FALSE(block.values.empty());
    for (std::size_t i = 0; i < block.values.size(); ++i) values_.push_back(block.values[i]);
    if (!block.table.empty()) {
      EXPECT_EQ(block.table.size(), values_.size());
      EXPECT_EQ(block.table[values_.size() - 1], values_.back());
    }
    return values_.size() >= stop_after_ ? Flow::kStop : Flow::kContinue;
  }

  [[nodiscard]] const std::vector<Nimber>& values() const noexcept { return values_; }

 private:
  HeapSize stop_after_;
  std::vector<Nimber> values_;
};

inline Executor& single_thread() {
  static const std::unique_ptr<Executor> executor = make_executor(1, "threads");
  return *executor;
}

/// Values of heaps 0 .. count-1 by one engine.
inline std::vector<Nimber> values_by(const HeapEngine& engine, const HeapRule& rule,
                                     HeapSize count) {
  CollectSink sink;
  const HeapTask task{rule, count, select_kernels("auto"), single_thread(), {}};
  EXPECT_EQ(engine.run(task, sink), RunStatus::kComplete);
  EXPECT_EQ(sink.values().size(), count);
  return sink.values();
}

/// Values of heaps 0 .. count-1 of a notation, by the engine that `auto` picks.
inline std::vector<Nimber> values_of(std::string_view notation, HeapSize count) {
  const HeapRule rule = HeapRule::parse(notation);
  return values_by(select_heap_engine("auto", rule, count), rule, count);
}

}  // namespace grundy::testing_support
