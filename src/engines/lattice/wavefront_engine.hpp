/// @file
/// Rays and vectors of two heaps, tile by tile.
///
/// Tiles on one antidiagonal are independent. Every step is non-negative, so a line is a chain of
/// the product order, and two tiles that share a line, or its mirror image, are comparable. So
/// tiles of one antidiagonal never touch the same set: there are no atomics, and the result does
/// not depend on the threads. Memory: the line sets (line_sets.hpp) and the values of three
/// antidiagonals of tiles.
// SPDX-License-Identifier: MIT
#pragma once

#include <grundy/lattice/engine.hpp>

namespace grundy {

class WavefrontEngine final : public LatticeEngine {
 public:
  [[nodiscard]] std::string_view name() const noexcept override { return "wavefront"; }
  [[nodiscard]] std::string_view summary() const noexcept override;
  [[nodiscard]] std::string refusal(const LatticeRule&, const LatticeShape&) const override;
  [[nodiscard]] std::uint64_t memory_bytes(const LatticeRule& rule, const LatticeShape& shape,
                                           std::optional<std::uint32_t> tile) const override;
  [[nodiscard]] std::string tile_order(const LatticeRule& rule, const LatticeShape& shape,
                                       std::optional<std::uint32_t> tile) const override;
  RunStatus run(const LatticeTask& task, ValueSink& sink) const override;
};

}  // namespace grundy
