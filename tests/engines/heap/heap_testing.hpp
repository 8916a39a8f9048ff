/// @file
/// Shared helpers of the tests of engines: runs that end in a vector of values.
// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <grundy/heap/engine.hpp>
#include <grundy/machine.hpp>

#include "kernels/kernels.hpp"
#include "support/collect_sink.hpp"

namespace grundy::testing_support {

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
