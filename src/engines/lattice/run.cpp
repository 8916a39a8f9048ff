// SPDX-License-Identifier: MIT
#include <memory>

#include <grundy/lattice/run.hpp>

#include "kernels/kernels.hpp"
#include "parallel/executor.hpp"

namespace grundy {

RunStatus run_lattice(const LatticeRule& rule, const LatticeShape& shape, TileSink& sink,
                      const LatticeRunOptions& options) {
  const LatticeEngine& engine = select_lattice_engine(options.engine, rule, shape);
  const std::unique_ptr<Executor> executor = make_executor(options.threads, options.backend);
  const LatticeTask task{.rule = rule,
                         .shape = shape,
                         .kernels = select_kernels(options.kernel),
                         .executor = *executor,
                         .stop = options.stop,
                         .progress = options.progress,
                         .tile = options.tile};
  return engine.run(task, sink);
}

}  // namespace grundy
