/// @file
/// The engine `formula`: rules of one's own for one heap (grundy/heap/formula.hpp).
///
/// Every option of every heap is listed, by the cheapest way that a condition allows (plan.hpp), in
/// parallel (block_solver.hpp). Cost of heap n: a step for each option by divisors of n, by
/// elements of a set or without a variable; O(n / 64) steps and one for each option by numbers with
/// or without common divisors and by non-divisors; a step for each number between the bounds of the
/// variable by anything else.
// SPDX-License-Identifier: MIT
#pragma once

#include <grundy/heap/engine.hpp>

namespace grundy {

class FormulaEngine final : public HeapEngine {
 public:
  [[nodiscard]] std::string_view name() const noexcept override { return "formula"; }
  [[nodiscard]] std::string_view summary() const noexcept override {
    return "rules given by formulas: options by divisors, sets and bit sets, listed in parallel";
  }
  [[nodiscard]] std::string refusal(const HeapRule& rule) const override;
  [[nodiscard]] std::uint64_t memory_bytes(const HeapRule& rule, HeapSize count,
                                           Nimber max_value) const override;
  RunStatus run(const HeapTask& task, ValueSink& sink) const override;
};

}  // namespace grundy
