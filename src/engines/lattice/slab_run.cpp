// SPDX-License-Identifier: MIT
#include "engines/lattice/slab_run.hpp"

#include "games/lattice/definition.hpp"

namespace grundy {

RunStatus run_slabs(const LatticeTask& task, const Layout& layout, const SlabRun& run,
                    ValueSink& sink) {
  for (std::uint32_t slab = 0; slab < task.shape.extent[0]; ++slab) {
    if (task.stop.stop_requested()) return RunStatus::kCancelled;
    const std::uint64_t begin = layout.slab_begin(slab);
    const std::uint64_t end = layout.slab_begin(slab + 1);
    const std::span<const Nimber> known =
        task.known != nullptr ? task.known->next(end - begin) : std::span<const Nimber>();
    const std::optional<std::span<const Nimber>> values = run.solve(slab, known);
    if (!values) return RunStatus::kCancelled;
    if (put_slab(layout, slab, *values, sink) == Flow::kStop) return RunStatus::kStoppedBySink;
    if (task.progress != nullptr) {
      task.progress->report({end / layout.planes, layout.positions(), run.share(slab)});
    }
  }
  return RunStatus::kComplete;
}

}  // namespace grundy
