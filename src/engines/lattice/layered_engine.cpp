/// @file
/// The definition, on many threads. Every move takes a token, so positions with equal totals are
/// independent of each other and depend only on positions with smaller totals. Accepts any rule;
/// keeps the table.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>

#include <grundy/lattice/engine.hpp>
#include <grundy/machine.hpp>

#include "engines/lattice/engines.hpp"
#include "games/lattice/definition.hpp"

namespace grundy {
namespace {

/// Visits the positions of a shape that have a given total and a given range of the first heap.
class TotalLayer {
 public:
  TotalLayer(const LatticeShape& shape, Definition& definition, Nimber* table)
      : shape_(shape), definition_(definition), table_(table) {}

  void run(std::uint64_t total, std::uint32_t first_begin, std::uint32_t first_end) {
    for (p_[0] = first_begin; p_[0] < first_end && p_[0] <= total; ++p_[0]) {
      place(1, total - p_[0]);
    }
  }

 private:
  /// Distributes `left` tokens over heaps `heap` and up in all ways.
  void place(unsigned heap, std::uint64_t left) {
    const std::uint32_t least = shape_.sorted ? p_[heap - 1] : 0;
    const unsigned heaps_left = shape_.heaps - heap;
    // The second condition is never true alone. It shows the compiler where the recursion ends.
    if (heaps_left == 1 || heap == kMaxLatticeHeaps - 1) {
      if (left < least || left >= shape_.extent[heap]) return;
      p_[heap] = static_cast<std::uint32_t>(left);
      definition_.evaluate(p_, table_);
      return;
    }
    const std::uint64_t most = shape_.sorted ? left / heaps_left : left;
    const std::uint64_t last = std::min<std::uint64_t>(most, shape_.extent[heap] - 1);
    for (std::uint64_t size = least; size <= last; ++size) {
      p_[heap] = static_cast<std::uint32_t>(size);
      place(heap + 1, left - size);
    }
  }

  const LatticeShape& shape_;
  Definition& definition_;
  Nimber* table_;
  LatticePoint p_{};
};

class LayeredEngine final : public LatticeEngine {
 public:
  std::string_view name() const noexcept override { return "layered"; }
  std::string_view summary() const noexcept override {
    return "the definition, positions of equal total in parallel";
  }
  std::string refusal(const LatticeRule&, const LatticeShape&) const override { return {}; }
  std::uint64_t memory_bytes(const LatticeRule& rule, const LatticeShape& shape,
                             std::optional<std::uint32_t>, Nimber) const override {
    return Layout::of(shape, rule.planes()).entries() * sizeof(Nimber);
  }

  RunStatus run(const LatticeTask& task, ValueSink& sink) const override {
    const LatticeShape& shape = task.shape;
    const Layout layout = Layout::of(shape, task.rule.planes());
    std::vector<Nimber> table(layout.entries());

    // There are more pieces than threads, because the work differs between sizes of the first heap.
    const std::uint32_t firsts = shape.extent[0];
    const auto pieces = static_cast<std::uint32_t>(
        task.executor.threads() == 1 ? 1
                                     : std::min<std::size_t>(8 * task.executor.threads(), firsts));
    std::vector<Definition> definitions(pieces, Definition(task.rule, layout));
    const std::uint64_t last = shape.most_tokens();
    for (std::uint64_t total = 0; total <= last; ++total) {
      if (task.stop.stop_requested()) return RunStatus::kCancelled;
      task.executor.parallel_for(pieces, [&](std::size_t piece) {
        const auto begin = static_cast<std::uint32_t>(std::uint64_t{firsts} * piece / pieces);
        const auto end = static_cast<std::uint32_t>(std::uint64_t{firsts} * (piece + 1) / pieces);
        TotalLayer(shape, definitions[piece], table.data()).run(total, begin, end);
      });
      if (task.progress != nullptr) {
        const double share = static_cast<double>(total + 1) / static_cast<double>(last + 1);
        const auto done =
            static_cast<std::uint64_t>(share * static_cast<double>(layout.positions()));
        task.progress->report({done, layout.positions(), share});
      }
    }
    for (std::uint32_t slab = 0; slab < firsts; ++slab) {
      if (put_slab(layout, slab, slab_of(layout, slab, table), sink) == Flow::kStop) {
        return RunStatus::kStoppedBySink;
      }
    }
    return RunStatus::kComplete;
  }
};

}  // namespace

const LatticeEngine& lattice_layered_engine() noexcept {
  static const LayeredEngine engine;
  return engine;
}

}  // namespace grundy
