/// @file
/// The engine `formula`: the user's own rules for one heap (grundy/heap/formula.hpp).
///
/// Every option of every heap is listed in parallel (block_solver.hpp), in the cheapest way that a
/// condition allows (plan.hpp). Where a heap may become all smaller heaps but those that its
/// divisors or primes rule out, and values are wanted, none is listed (relation.hpp). Cost of heap
/// n:
/// - all smaller heaps but those: a step for each divisor of n, or less for primes;
/// - without a variable, through divisors of n or through elements of a set: a step for each
///   option;
/// - through numbers with or without common divisors, or through non-divisors: O(n / 64) steps and
///   one for each option;
/// - in all other cases: a step for each number between the bounds of the variable.
// SPDX-License-Identifier: MIT
#pragma once

#include <grundy/heap/engine.hpp>

namespace grundy {

class FormulaEngine final : public HeapEngine {
 public:
  [[nodiscard]] std::string_view name() const noexcept override { return "formula"; }
  [[nodiscard]] std::string_view summary() const noexcept override {
    return "rules given by formulas: options by divisors, sets and bit sets, or what rules them "
           "out";
  }
  [[nodiscard]] std::string refusal(const HeapRule& rule) const override;
  [[nodiscard]] std::uint64_t memory_bytes(const HeapRule& rule, HeapSize count,
                                           Nimber max_value) const override;
  RunStatus run(const HeapTask& task, ValueSink& sink) const override;
};

/// Like FormulaEngine::run(), for misère play: 0 for heaps that the player to move loses if the
/// player who cannot move wins, 1 for all others. Memory as for values of at most 1.
/// @pre the rule is given by formulas
RunStatus run_formula_outcomes(const HeapTask& task, ValueSink& sink);

}  // namespace grundy
