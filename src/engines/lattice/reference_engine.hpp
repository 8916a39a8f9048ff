/// @file
/// The definition, position by position. Every other engine is judged by it.
// SPDX-License-Identifier: MIT
#pragma once

#include <grundy/lattice/engine.hpp>

namespace grundy {

class LatticeReferenceEngine final : public LatticeEngine {
 public:
  [[nodiscard]] std::string_view name() const noexcept override { return "reference"; }
  [[nodiscard]] std::string_view summary() const noexcept override;
  [[nodiscard]] std::string refusal(const LatticeRule&, const LatticeShape&) const override;
  [[nodiscard]] std::uint64_t memory_bytes(const LatticeRule& rule, const LatticeShape& shape,
                                           std::optional<std::uint32_t> tile) const override;
  [[nodiscard]] std::string tile_order(const LatticeRule& rule, const LatticeShape& shape,
                                       std::optional<std::uint32_t> tile) const override;
  RunStatus run(const LatticeTask& task, ValueSink& sink) const override;
};

}  // namespace grundy
