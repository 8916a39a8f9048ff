/// @file
/// The definition, position by position. Every other engine is judged by it.
// SPDX-License-Identifier: MIT
#include <algorithm>

#include <grundy/lattice/engine.hpp>

#include "engines/lattice/engines.hpp"
#include "engines/lattice/value_order.hpp"
#include "games/lattice/definition.hpp"

namespace grundy {

namespace {

class LatticeReferenceEngine final : public LatticeEngine {
 public:
  std::string_view name() const noexcept override { return "reference"; }
  std::string_view summary() const noexcept override {
    return "the definition: all options of every position, one after the other";
  }
  std::string refusal(const LatticeRule&, const LatticeShape&) const override { return {}; }
  std::uint64_t memory_bytes(const LatticeRule& rule, const LatticeShape& shape,
                             std::optional<std::uint32_t>, Nimber) const override {
    return Layout::of(shape, rule.planes()).entries() * sizeof(Nimber);
  }
  std::string tile_order(const LatticeRule&, const LatticeShape&,
                         std::optional<std::uint32_t>) const override {
    return kTableOrder;
  }

  RunStatus run(const LatticeTask& task, ValueSink& sink) const override {
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
      if (put_slab(layout, slab, slab_of(layout, slab, table), sink) == Flow::kStop) {
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
};

}  // namespace

const LatticeEngine& lattice_reference_engine() noexcept {
  static const LatticeReferenceEngine engine;
  return engine;
}

}  // namespace grundy
