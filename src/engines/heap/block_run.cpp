// SPDX-License-Identifier: MIT
#include "engines/heap/block_run.hpp"

#include <algorithm>
#include <cmath>

#include <grundy/error.hpp>

#include "core/value_copy.hpp"

namespace grundy {

RunStatus run_blocks(const HeapTask& task, const BlockRun& run, ValueBuffer& table,
                     ValueSink& sink) {
  for (HeapSize begin = table.size(); begin < task.count;) {
    if (task.stop.stop_requested()) return RunStatus::kCancelled;
    const HeapSize end = begin + std::min(run.block(begin), task.count - begin);
    table.resize(end);
    run.solve(begin, end);
    const Stretch done{begin, table.values().subspan(begin, end - begin), table.values()};
    if (sink.put(done) == Flow::kStop) return RunStatus::kStoppedBySink;
    if (task.progress != nullptr) {
      const double share = static_cast<double>(end) / static_cast<double>(task.count);
      task.progress->report({end, task.count, std::pow(share, run.work_exponent)});
    }
    begin = end;
  }
  return RunStatus::kComplete;
}

void make_room_for(ValueBuffer& table, Nimber maximum) {
  if (maximum > largest_value(ValueWidth::kU32)) {
    throw Error(ErrorCode::kFailure, "a Grundy value does not fit into 32 bits");
  }
  if (const ValueWidth width = width_for(maximum); width > table.width()) table.promote(width);
}

void store_values(ValueBuffer& table, HeapSize begin, std::span<const Nimber> values) {
  Nimber maximum = 0;
  for (const Nimber v : values) maximum = std::max(maximum, v);
  make_room_for(table, maximum);
  with_storage_type(table.width(), [&]<class T>(T) {
    std::ranges::transform(values, table.data<T>() + begin,
                           [](Nimber v) { return static_cast<T>(v); });
  });
}

}  // namespace grundy
