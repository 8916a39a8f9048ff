/// @file
/// The definition, position by position. Every other engine is judged by it.
// SPDX-License-Identifier: MIT
#include <algorithm>

#include <grundy/lattice/engine.hpp>

#include "engines/lattice/engines.hpp"
#include "engines/lattice/slab_run.hpp"
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
    const auto solve = [&](std::uint32_t slab, std::span<const Nimber> known) {
      const std::uint64_t begin = layout.slab_begin(slab);
      const std::uint64_t end = layout.slab_begin(slab + 1);
      std::ranges::copy(known, table.begin() + static_cast<std::ptrdiff_t>(begin));
      for (std::uint64_t entry = begin; entry < end; entry += layout.planes, layout.step(p)) {
        if (known.empty()) definition.evaluate(p, table.data());
      }
      return slab_of(layout, slab, table);
    };
    const auto share = [&](std::uint32_t slab) {
      return static_cast<double>(layout.slab_begin(slab + 1)) /
             static_cast<double>(layout.entries());
    };
    return run_slabs(task, layout, {.solve = solve, .share = share}, sink);
  }
};

}  // namespace

const LatticeEngine& lattice_reference_engine() noexcept {
  static const LatticeReferenceEngine engine;
  return engine;
}

}  // namespace grundy
