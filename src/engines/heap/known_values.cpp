// SPDX-License-Identifier: MIT
#include "engines/heap/known_values.hpp"

#include <algorithm>

#include <grundy/machine.hpp>

#include "core/value_copy.hpp"

namespace grundy {
namespace {

/// Number of values whose memory one thread requests at a time.
constexpr HeapSize kPiece = HeapSize{1} << 24;

}  // namespace

Nimber load_known_values(const HeapTask& task, ValueBuffer& table) {
  if (task.known == nullptr) return 0;
  const HeapSize count = task.known->count();
  table.reserve(count);
  // In virtual machines the first touch of memory takes seconds for each gigabyte, more than
  // everything else.
  task.executor.parallel_for((count + kPiece - 1) / kPiece, [&](std::size_t i) {
    table.populate(i * kPiece, std::min(count, (i + 1) * kPiece));
  });
  Nimber largest = 0;
  SinkOf loader([&](const Stretch& block) {
    largest = std::max(largest, largest_of(block.values));
    table.append(block.values);
  });
  task.known->replay(loader);
  return largest;
}

}  // namespace grundy
