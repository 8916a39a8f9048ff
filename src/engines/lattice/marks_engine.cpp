/// @file
/// The definition, amount by amount, for rules whose moves do not depend on the position. Slab by
/// slab; keeps the table.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <optional>
#include <vector>

#include "engines/lattice/engines.hpp"
#include "engines/lattice/marked_rows.hpp"
#include "engines/lattice/slab_run.hpp"
#include "engines/lattice/value_order.hpp"
#include "kernels/kernels.hpp"

namespace grundy {
namespace {

/// Calls `use` with a number of the type that the results need.
template <class Use>
auto with_type_for(const LatticeShape& shape, MarkedResult result, const Use& use) {
  // A misère terminal position has the value 1, even if play has no moves.
  const std::uint64_t largest =
      result == MarkedResult::kOutcomes ? 1 : std::max<std::uint64_t>(1, shape.most_tokens());
  return largest < MarkedRows<std::uint8_t>::kValues ? use(std::uint8_t{}) : use(std::uint16_t{});
}

std::string refusal_of(const LatticeRule& rule, const LatticeShape& shape) {
  const LatticeMoves& moves = rule.moves();
  if (std::ranges::any_of(moves.families,
                          [](LatticeFamily f) { return f != LatticeFamily::kBalanced; })) {
    return "its moves depend on the position";
  }
  if (moves.pass) return "it has a pass";
  return box_is_too_large(shape) ? "it keeps all orders of the heaps" : "";
}

RunStatus run_marks(const LatticeTask& task, MarkedResult result, ValueSink& sink) {
  return with_type_for(task.shape, result, [&]<class T>(T) {
    const Layout layout = Layout::of(task.shape, 1);
    MarkedRows<T> rows(task.rule, task.shape, task.kernels.taps.of<T>(), result);
    std::vector<Nimber> values;
    const auto solve =
        [&](std::uint32_t,
            std::span<const Nimber> known) -> std::optional<std::span<const Nimber>> {
      if (known.empty()) {
        if (!rows.solve(task.executor, task.stop, values)) return std::nullopt;
        return values;
      }
      rows.take(known);
      return known;
    };
    double done = 0;
    const double all = task.progress != nullptr ? work_of_marks(task.rule, task.shape, result) : 1;
    const auto share = [&](std::uint32_t slab) {
      done += work_of_slab(task.rule, task.shape, slab, result);
      // The work of all slabs may be an estimate.
      return slab + 1 == task.shape.extent[0] ? 1 : std::min(done / all, 1.0);
    };
    return run_slabs(task, layout, {.solve = solve, .share = share}, sink);
  });
}

std::uint64_t bytes_of_marks(const LatticeRule& rule, const LatticeShape& shape, Nimber largest,
                             MarkedResult result) {
  return with_type_for(shape, result,
                       [&]<class T>(T) { return MarkedRows<T>::bytes(rule, shape, largest); });
}

class MarksEngine final : public LatticeEngine {
 public:
  std::string_view name() const noexcept override { return "marks"; }
  std::string_view summary() const noexcept override {
    return "all options of 64 positions at once, where moves are the same everywhere";
  }
  std::string refusal(const LatticeRule& rule, const LatticeShape& shape) const override {
    if (shape.most_tokens() >= MarkedRows<std::uint16_t>::kValues) {
      return "its values may be too large";
    }
    return refusal_of(rule, shape);
  }
  std::uint64_t memory_bytes(const LatticeRule& rule, const LatticeShape& shape,
                             std::optional<std::uint32_t>, Nimber largest) const override {
    return bytes_of_marks(rule, shape, largest, MarkedResult::kValues);
  }
  std::optional<double> work(const LatticeRule& rule, const LatticeShape& shape) const override {
    return work_of_marks(rule, shape, MarkedResult::kValues);
  }
  std::string tile_order(const LatticeRule&, const LatticeShape&,
                         std::optional<std::uint32_t>) const override {
    return kTableOrder;
  }
  RunStatus run(const LatticeTask& task, ValueSink& sink) const override {
    return run_marks(task, MarkedResult::kValues, sink);
  }
};

}  // namespace

const LatticeEngine& lattice_marks_engine() noexcept {
  static const MarksEngine engine;
  return engine;
}

std::string marked_outcomes_refusal(const LatticeRule& rule, const LatticeShape& shape) {
  return refusal_of(rule, shape);
}

std::uint64_t marked_outcomes_bytes(const LatticeRule& rule, const LatticeShape& shape) {
  return bytes_of_marks(rule, shape, 1, MarkedResult::kOutcomes);
}

RunStatus run_marked_outcomes(const LatticeTask& task, ValueSink& sink) {
  return run_marks(task, MarkedResult::kOutcomes, sink);
}

}  // namespace grundy
