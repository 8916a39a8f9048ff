/// @file
/// The plan by which the options of a formula rule are listed without trying every number for the
/// variable.
///
/// Some conditions of a clause bound the variable, at most one gives the numbers to go through (its
/// source), and the others are filters.
///
/// - Comparisons that are linear in the variable or in its square become bounds. The target of a
///   clause also becomes a bound, because a move below 0 does not exist.
/// - `d | n` goes through divisors, which a sieve finds for many heaps together. `d in S` goes
///   through the set. `gcd(d, n) = 1`, `gcd(d, n) > 1` and `not d | n` go through a bit set of all
///   numbers from which multiples or divisors were removed. All other sources go through every
///   number.
/// - A target that is linear in the variable is `base(n) + factor * d`. Its base is found once for
///   each heap.
///
/// Some rules need no list: they say no more than that a heap may become all smaller heaps that are
/// *related* to it (relation.hpp).
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <grundy/heap/formula.hpp>

namespace grundy {

/// base(n) + factor * d, or base(n) + factor * d * d; the factor is below 2^31.
struct LinearForm {
  FormulaExpression base;  ///< without the variable
  std::int64_t factor = 0;
};

/// A bound of the variable d, from a condition.
struct VariableBound {
  /// form(n, d) <= 0, or with `both` = 0. With `square`, d * d stands for d.
  LinearForm form;
  bool square = false;
  bool both = false;
};

/// The numbers lo .. hi; none if hi < lo.
struct VariableRange {
  std::int64_t lo = 1, hi = 0;
};

/// The numbers that the variable of a clause goes through.
enum class VariableSource : std::uint8_t {
  kNone,           ///< the clause has no variable
  kDivisors,       ///< divisors of n
  kSet,            ///< elements of a set
  kNonDivisors,    ///< all but the divisors of n
  kCoprimes,       ///< numbers without a prime of n
  kCommonFactors,  ///< numbers with a prime of n
  kAll,
};

/// The condition that the variable is in a set, or is not. Membership is looked up, not computed.
struct MemberFilter {
  std::vector<bool> in;  ///< for each number below the count
  bool negated = false;

  [[nodiscard]] bool holds(HeapSize d) const noexcept { return in[d] != negated; }
};

struct TargetPlan {
  FormulaExpression target;
  std::optional<LinearForm> linear;
};

struct ClausePlan {
  VariableSource source = VariableSource::kAll;
  std::vector<HeapSize> set;                   ///< kSet: the elements below the count, ascending
  std::vector<FormulaCondition> heap_filters;  ///< conditions without the variable
  std::vector<VariableBound> bounds;
  std::vector<MemberFilter> members;
  std::vector<FormulaCondition> filters;  ///< all other conditions
  std::vector<TargetPlan> targets;

  /// Whether every number between the bounds is looked at or kept in a bit set.
  [[nodiscard]] bool dense() const noexcept { return source > VariableSource::kSet; }
  /// The numbers from 1 to n that keep all bounds.
  [[nodiscard]] VariableRange range(std::int64_t n) const noexcept;
  /// The approximate number of moves of a heap below `count` by this clause; an upper bound except
  /// for kDivisors.
  [[nodiscard]] HeapSize options(HeapSize count) const noexcept;
};

/// The plan for heaps below `count`.
std::vector<ClausePlan> formula_plan(const FormulaRule& rule, HeapSize count);

/// Which smaller heaps m are the options of heap n: those *related* to it.
struct Relation {
  bool coprime = false;  ///< d has no common divisor with n; else d does not divide n
  bool takes = false;    ///< d is n - m, the number that is taken; else d is m
  HeapSize least = 0;    ///< no m is smaller
};

/// The relation that the rule says, if it says nothing else, and no move leaves n tokens.
std::optional<Relation> relation_of(const FormulaRule& rule);

}  // namespace grundy
