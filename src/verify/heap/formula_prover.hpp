/// @file
/// Proofs for rules that are given by formulas.
///
/// The stored value v of heap n says which moves matter. No move to a value v may be allowed, and
/// for each smaller value one move to it must be allowed. So the value of a target is looked up
/// first, and only then all its conditions are tested, as they are written. The variable is tried
/// at every number from 1 to n, with two exceptions. Where it must divide n, trial division finds
/// the numbers. Where it or its square has an upper bound, the first number above the bound ends
/// the search.
///
/// Engines list options in other ways, so a slip in one of them shows here.
///
/// Cost of heap n: O(sqrt(n)) with `d | n`, O(1) without a variable, O(n) look-ups otherwise.
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <grundy/heap/formula.hpp>

#include "verify/prover.hpp"

namespace grundy {

class FormulaProver final : public Prover {
 public:
  /// `rule` must outlive the prover.
  FormulaProver(const FormulaRule& rule, StoredValues stored);

  [[nodiscard]] std::string method() const override;
  [[nodiscard]] HeapSize group() const noexcept override { return 16; }
  [[nodiscard]] std::optional<HeapSize> first_wrong(HeapSize begin, HeapSize end) const override;

 private:
  struct Clause {
    const FormulaClause* clause;
    bool has_variable;
    bool divides;                               ///< `d | n` is among the conditions
    std::vector<const FormulaCondition*> ends;  ///< conditions that fail for good
  };
  class Heap;

  std::vector<Clause> clauses_;
  StoredValues stored_;
};

}  // namespace grundy
