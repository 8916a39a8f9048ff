/// @file
/// The engine for rays, vectors and a pass of two heaps: tile by tile (tile_work.hpp), antidiagonal
/// after antidiagonal. Memory: the line sets (line_sets.hpp) and the values of three antidiagonals
/// of tiles.
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
  [[nodiscard]] LatticeStripes stripes(const LatticeRule& rule, const LatticeShape& shape,
                                       std::optional<std::uint32_t> tile) const override;
  [[nodiscard]] std::uint64_t rank_memory_bytes(const LatticeRule& rule, const LatticeShape& shape,
                                                std::optional<std::uint32_t> tile,
                                                std::uint64_t ranks,
                                                std::size_t threads) const override;
  RunStatus run_stripes(const LatticeTask& task, Team& team,
                        std::span<const LatticeStripe> stripes) const override;
};

}  // namespace grundy
