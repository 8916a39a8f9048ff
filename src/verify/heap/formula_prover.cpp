// SPDX-License-Identifier: MIT
#include "verify/heap/formula_prover.hpp"

#include <algorithm>

#include "games/heap/formula.hpp"

namespace grundy {
namespace {

bool is_variable(const FormulaExpression& e) {
  return e.kind == FormulaExpression::Kind::kVariable;
}

bool says_divides(const FormulaCondition& c) {
  return c.kind == FormulaCondition::Kind::kDivides && !c.negated && is_variable(c.left) &&
         c.right.kind == FormulaExpression::Kind::kHeap;
}

/// Whether a condition that fails for some number also fails for all greater numbers.
bool fails_for_good(const FormulaCondition& c) {
  const bool grows =
      is_variable(c.left) || (c.left.kind == FormulaExpression::Kind::kProduct &&
                              is_variable(c.left.operands[0]) && is_variable(c.left.operands[1]));
  return (c.kind == FormulaCondition::Kind::kLess || c.kind == FormulaCondition::Kind::kAtMost) &&
         grows && !has_variable(c.right);
}

}  // namespace

/// The options of one heap that have been seen.
class FormulaProver::Heap {
 public:
  Heap(Values values, HeapSize n, std::vector<bool>& seen)
      : values_(values), n_(static_cast<std::int64_t>(n)), value_(values[n]), seen_(seen) {
    seen_.assign(value_, false);
  }

  /// Returns false if the clause allows a move to the value of the heap, or to no smaller heap.
  bool agrees(const Clause& clause) {
    if (n_ == 0) return true;
    if (!clause.has_variable) return agrees(*clause.clause, 1);
    const auto fails = [&](std::int64_t d) {
      return std::ranges::any_of(clause.ends,
                                 [&](const FormulaCondition* c) { return !holds(*c, n_, d); });
    };
    if (clause.divides) {
      for (std::int64_t d = 1; d <= n_ / d; ++d) {
        if (n_ % d != 0) continue;
        if (!agrees(*clause.clause, d)) return false;
        if (d != n_ / d && !agrees(*clause.clause, n_ / d)) return false;
      }
      return true;
    }
    for (std::int64_t d = 1; d <= n_ && !fails(d); ++d) {
      if (!agrees(*clause.clause, d)) return false;
    }
    return true;
  }

  /// Whether every smaller number was the value of a move.
  [[nodiscard]] bool reaches_all_smaller() const { return std::ranges::count(seen_, false) == 0; }

 private:
  bool agrees(const FormulaClause& clause, std::int64_t d) {
    for (const FormulaExpression& target : clause.targets) {
      const std::int64_t left = value_of(target, n_, d);
      if (left < 0) continue;
      const bool smaller = left < n_;
      const Nimber value = smaller ? values_[static_cast<HeapSize>(left)] : value_;
      if (value > value_ || (value < value_ && seen_[value])) continue;
      const auto holds_here = [&](const FormulaCondition& c) { return holds(c, n_, d); };
      if (!std::ranges::all_of(clause.conditions, holds_here)) continue;
      if (value == value_) return false;
      seen_[value] = true;
    }
    return true;
  }

  Values values_;
  std::int64_t n_;
  Nimber value_;
  std::vector<bool>& seen_;  ///< whether a move to each smaller value was found
};

FormulaProver::FormulaProver(const FormulaRule& rule, StoredValues stored) : stored_(stored) {
  if (stored.values.size() > 0) require_fit(rule, stored.values.size() - 1);
  for (const FormulaClause& clause : rule.clauses) {
    Clause known{
        &clause, has_variable(clause), std::ranges::any_of(clause.conditions, says_divides), {}};
    for (const FormulaCondition& condition : clause.conditions) {
      if (fails_for_good(condition)) known.ends.push_back(&condition);
    }
    clauses_.push_back(std::move(known));
  }
}

std::string FormulaProver::method() const {
  return "every number tried in the formulas";
}

std::optional<HeapSize> FormulaProver::first_wrong(HeapSize begin, HeapSize end) const {
  std::vector<bool> seen;
  for (HeapSize n = begin; n < end; ++n) {
    if (stored_.values[n] > n) return n;  // it has fewer options than that
    Heap heap(stored_.values, n, seen);
    const auto agrees = [&](const Clause& clause) { return heap.agrees(clause); };
    if (!std::ranges::all_of(clauses_, agrees) || !heap.reaches_all_smaller()) return n;
  }
  return std::nullopt;
}

}  // namespace grundy
