/// @file
/// The engine for every rule whose options are unions of sets, in 2 to 8 dimensions: rays, bands,
/// boxes, chains.
///
/// set_plan.hpp describes the sets. Slabs (positions with one y[0]) are taken in groups, and a
/// group is cut into tiles along the other heaps. Tiles with equal sums of tile numbers are
/// independent: positions of two such tiles are incomparable, also after sorting, because a smaller
/// position has no larger coordinate, and a set that takes values belongs to a chain of positions.
/// So no atomics are needed, and the result does not depend on the threads. The next group starts
/// while the present one is in work, at tiles with smaller sums, so that all threads have work.
///
/// Memory: the sets, whose size is predicted, and the values of the groups in work. A finished
/// group goes to the sink.
// SPDX-License-Identifier: MIT
#pragma once

#include <grundy/lattice/engine.hpp>

namespace grundy {

class FrontierEngine final : public LatticeEngine {
 public:
  [[nodiscard]] std::string_view name() const noexcept override { return "frontier"; }
  [[nodiscard]] std::string_view summary() const noexcept override;
  [[nodiscard]] std::string refusal(const LatticeRule&, const LatticeShape&) const override;
  [[nodiscard]] std::uint64_t memory_bytes(const LatticeRule& rule, const LatticeShape& shape,
                                           std::optional<std::uint32_t> tile) const override;
  [[nodiscard]] std::string tile_order(const LatticeRule& rule, const LatticeShape& shape,
                                       std::optional<std::uint32_t> tile) const override;
  RunStatus run(const LatticeTask& task, ValueSink& sink) const override;
};

}  // namespace grundy
