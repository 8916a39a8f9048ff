/// @file
/// The definition, vector by vector, for rules whose moves do not depend on the position. Slab by
/// slab; keeps the table.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include <grundy/lattice/engine.hpp>

#include "engines/lattice/engines.hpp"
#include "engines/lattice/marked_rows.hpp"
#include "engines/lattice/value_order.hpp"
#include "games/lattice/definition.hpp"
#include "kernels/kernels.hpp"

namespace grundy {
namespace {

class MarksEngine final : public LatticeEngine {
 public:
  std::string_view name() const noexcept override { return "marks"; }
  std::string_view summary() const noexcept override {
    return "all options of 64 positions at once, where moves are the same everywhere";
  }
  std::string refusal(const LatticeRule& rule, const LatticeShape& shape) const override {
    const LatticeMoves& moves = rule.moves();
    if (std::ranges::any_of(moves.families,
                            [](LatticeFamily f) { return f != LatticeFamily::kBalanced; })) {
      return "its moves depend on the position";
    }
    if (moves.pass) return "it has a pass";
    std::uint64_t tokens = 0;
    for (unsigned i = 0; i < shape.heaps; ++i) tokens += shape.extent[i] - 1;
    if (tokens >= MarkedRows::kValues) return "its values may be too large";
    return {};
  }
  std::uint64_t memory_bytes(const LatticeRule& rule, const LatticeShape& shape,
                             std::optional<std::uint32_t>, Nimber largest) const override {
    return MarkedRows::bytes(rule, shape, largest);
  }
  std::optional<double> work(const LatticeRule& rule, const LatticeShape& shape) const override {
    return MarkedRows::work_before_slabs(rule, shape).back();
  }
  std::string tile_order(const LatticeRule&, const LatticeShape&,
                         std::optional<std::uint32_t>) const override {
    return kTableOrder;
  }

  RunStatus run(const LatticeTask& task, ValueSink& sink) const override {
    const Layout layout = Layout::of(task.shape, task.rule.planes());
    MarkedRows rows(task.rule, task.shape, task.kernels.taps.of<std::uint16_t>());
    const std::uint32_t slabs = task.shape.extent[0];
    const std::vector<double> work = MarkedRows::work_before_slabs(task.rule, task.shape);
    std::vector<Nimber> values;
    for (std::uint32_t slab = 0; slab < slabs; ++slab) {
      if (task.stop.stop_requested()) return RunStatus::kCancelled;
      const std::uint64_t begin = layout.slab_begin(slab);
      const std::uint64_t end = layout.slab_begin(slab + 1);
      const std::span<const Nimber> known =
          task.known != nullptr ? task.known->next(end - begin) : std::span<const Nimber>();
      if (!known.empty()) {
        rows.take(known);
        values.assign(known.begin(), known.end());
      } else if (!rows.solve(task.executor, task.stop, values)) {
        return RunStatus::kCancelled;
      }
      if (put_slab(layout, slab, values, sink) == Flow::kStop) return RunStatus::kStoppedBySink;
      if (task.progress != nullptr) {
        task.progress->report({end, layout.positions(), work[slab + 1] / work[slabs]});
      }
    }
    return RunStatus::kComplete;
  }
};

}  // namespace

const LatticeEngine& lattice_marks_engine() noexcept {
  static const MarksEngine engine;
  return engine;
}

}  // namespace grundy
