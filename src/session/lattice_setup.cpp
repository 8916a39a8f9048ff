// SPDX-License-Identifier: MIT
#include "session/lattice_setup.hpp"

#include <algorithm>
#include <utility>

namespace grundy {
LatticeShape computed_shape(const LatticeRule& rule, LatticeShape shape) {
  const auto end = shape.extent.begin() + shape.heaps;
  if (rule.symmetric() && std::equal(shape.extent.begin() + 1, end, shape.extent.begin())) {
    shape.sorted = true;
  }
  return shape;
}

LatticeSetup::LatticeSetup(const LatticeRequest& r)
    : request(r),
      stored{.shape = r.shape, .planes = r.rule.planes()},
      computed(computed_shape(r.rule, r.shape)),
      engine(select_lattice_engine(r.engine, r.rule, computed)),
      kernels(select_kernels(r.kernel)),
      executor(make_executor(r.threads, r.backend)) {}

RunStatus LatticeSetup::run(const LatticeShape& shape, TileSink& sink, std::stop_token stop,
                            ProgressSink* progress, KnownTiles* known) const {
  const LatticeTask task{.rule = request.rule,
                         .shape = shape,
                         .kernels = kernels,
                         .executor = *executor,
                         .stop = std::move(stop),
                         .progress = progress,
                         .tile = request.tile,
                         .known = known};
  return engine.run(task, sink);
}

}  // namespace grundy
