// SPDX-License-Identifier: MIT
#include "engines/lattice/reference_engine.hpp"

#include <algorithm>

#include "engines/lattice/value_order.hpp"
#include "games/lattice/options.hpp"

namespace grundy {

std::string_view LatticeReferenceEngine::summary() const noexcept {
  return "the definition: all options of every position, one after the other";
}

std::string LatticeReferenceEngine::refusal(const LatticeRule&, const LatticeShape&) const {
  return {};
}

std::uint64_t LatticeReferenceEngine::memory_bytes(const LatticeRule& rule,
                                                   const LatticeShape& shape, std::uint32_t) const {
  return Indexer(shape).count() * rule.planes() * sizeof(Nimber);
}

std::string LatticeReferenceEngine::tile_order(const LatticeRule&, const LatticeShape&,
                                               std::uint32_t) const {
  return kTableOrder;
}

RunStatus LatticeReferenceEngine::run(const LatticeTask& task, TileSink& sink) const {
  const Indexer indexer(task.shape);
  const unsigned planes = task.rule.planes();
  std::vector<Nimber> table(indexer.count() * planes);
  Definition definition(task.rule, indexer);
  for (std::uint32_t slab = 0; slab < task.shape.extent[0]; ++slab) {
    if (task.stop.stop_requested()) return RunStatus::kCancelled;
    const std::uint64_t begin = indexer.slab_begin(slab) * planes;
    const std::uint64_t size = indexer.slab_begin(slab + 1) * planes - begin;
    const std::span<const Nimber> known =
        task.known != nullptr ? task.known->next(size) : std::span<const Nimber>();
    std::ranges::copy(known, table.begin() + static_cast<std::ptrdiff_t>(begin));
    if (known.empty()) {
      indexer.for_each_in_slab(slab, [&](const Point& p) { definition.evaluate(p, table.data()); });
    }
    if (put_slab(task.shape, indexer, planes, slab, table, sink) == Flow::kStop) {
      return RunStatus::kStoppedBySink;
    }
    if (task.progress != nullptr) {
      const std::uint64_t done = indexer.slab_begin(slab + 1);
      task.progress->report({done, indexer.count(),
                             static_cast<double>(done) / static_cast<double>(indexer.count())});
    }
  }
  return RunStatus::kComplete;
}

}  // namespace grundy
