/// @file
/// The definition, on many threads. Every move takes a token, so positions with equal totals are
/// independent of each other and depend only on positions with smaller totals. Accepts any rule;
/// keeps the table.
// SPDX-License-Identifier: MIT
#pragma once

#include <grundy/lattice/engine.hpp>

namespace grundy {

class LayeredEngine final : public LatticeEngine {
 public:
  [[nodiscard]] std::string_view name() const noexcept override { return "layered"; }
  [[nodiscard]] std::string_view summary() const noexcept override;
  [[nodiscard]] std::string refusal(const LatticeRule&, const LatticeShape&) const override;
  [[nodiscard]] std::uint64_t memory_bytes(const LatticeRule& rule, const LatticeShape& shape,
                                           std::optional<std::uint32_t> tile) const override;
  RunStatus run(const LatticeTask& task, ValueSink& sink) const override;
};

}  // namespace grundy
