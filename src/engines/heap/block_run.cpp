// SPDX-License-Identifier: MIT
#include "engines/heap/block_run.hpp"

#include <algorithm>
#include <cmath>

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

}  // namespace grundy
