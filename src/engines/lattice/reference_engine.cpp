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
                                                   const LatticeShape& shape,
                                                   std::optional<std::uint32_t>) const {
  return Layout::of(shape, rule.planes()).entries() * sizeof(Nimber);
}

std::string LatticeReferenceEngine::tile_order(const LatticeRule&, const LatticeShape&,
                                               std::optional<std::uint32_t>) const {
  return kTableOrder;
}

RunStatus LatticeReferenceEngine::run(const LatticeTask& task, ValueSink& sink) const {
  const Layout layout = Layout::of(task.shape, task.rule.planes());
  std::vector<Nimber> table(layout.entries());
  Definition definition(task.rule, layout);
  LatticePoint p{};
  for (std::uint32_t slab = 0; slab < task.shape.extent[0]; ++slab) {
    if (task.stop.stop_requested()) return RunStatus::kCancelled;
    const std::uint64_t begin = layout.slab_begin(slab);
    const std::uint64_t end = layout.slab_begin(slab + 1);
    const std::span<const Nimber> known =
        task.known != nullptr ? task.known->next(end - begin) : std::span<const Nimber>();
    std::ranges::copy(known, table.begin() + static_cast<std::ptrdiff_t>(begin));
    for (std::uint64_t entry = begin; entry < end; entry += layout.planes, layout.step(p)) {
      if (known.empty()) definition.evaluate(p, table.data());
    }
    if (put_slab(layout, slab, table, sink) == Flow::kStop) {
      return RunStatus::kStoppedBySink;
    }
    if (task.progress != nullptr) {
      const std::uint64_t done = end / layout.planes;
      const std::uint64_t all = layout.positions();
      task.progress->report({done, all, static_cast<double>(done) / static_cast<double>(all)});
    }
  }
  return RunStatus::kComplete;
}

}  // namespace grundy
