/// @file
/// How the options of a formula rule are listed without trying every number for the variable.
///
/// Of the conditions of a clause some bound the variable, one at most says which numbers to go
/// through (its source), and the others are filters.
///
/// - Comparisons that are linear in the variable or in its square become bounds. So does the
///   target of a clause, which is no move below 0.
/// - `d | n` goes through divisors, which a sieve finds for many heaps together. `d in S` goes
///   through the set. `gcd(d, n) = 1`, `gcd(d, n) > 1` and `not d | n` go through a bit set of all
///   numbers, from which multiples or divisors were taken. All else goes through every number.
/// - A target that is linear in the variable is `base(n) + factor * d`, the base found once a heap.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <grundy/heap/formula.hpp>

namespace grundy {

/// base(n) + factor * d, or times d * d; the factor is below 2^31.
struct LinearForm {
  Expression base;  ///< without the variable
  std::int64_t factor = 0;
};

/// A bound of the variable d, from a condition.
struct VariableBound {
  /// form(n, d) <= 0, or instead of d its square; with `both` equality.
  LinearForm form;
  bool square = false;
  bool both = false;
};

/// The numbers lo .. hi; none if hi < lo.
struct VariableRange {
  std::int64_t lo = 1, hi = 0;
};

/// What the variable of a clause goes through.
enum class VariableSource : std::uint8_t {
  kNone,           ///< the clause has no variable
  kDivisors,       ///< divisors of n
  kSet,            ///< elements of a set
  kNonDivisors,    ///< all but the divisors of n
  kCoprimes,       ///< numbers without a prime of n
  kCommonFactors,  ///< numbers with a prime of n
  kAll,
};

/// The variable is of a set, or is not; looked up instead of found out.
struct MemberFilter {
  std::vector<bool> in;  ///< for each number below the count
  bool negated = false;

  [[nodiscard]] bool holds(HeapSize d) const noexcept { return in[d] != negated; }
};

struct TargetPlan {
  Expression target;
  std::optional<LinearForm> linear;
};

struct ClausePlan {
  VariableSource source = VariableSource::kAll;
  std::vector<HeapSize> set;            ///< of kSet: the elements below the count, ascending
  std::vector<Condition> heap_filters;  ///< conditions without the variable
  std::vector<VariableBound> bounds;
  std::vector<MemberFilter> members;
  std::vector<Condition> filters;  ///< all other conditions
  std::vector<TargetPlan> targets;

  /// Every number between the bounds is looked at or kept in a bit set.
  [[nodiscard]] bool dense() const noexcept { return source > VariableSource::kSet; }
  /// The numbers from 1 to n that keep all bounds.
  [[nodiscard]] VariableRange range(std::int64_t n) const noexcept;
  /// How many moves a heap below `count` has by this clause, about, and at most except of
  /// kDivisors.
  [[nodiscard]] HeapSize options(HeapSize count) const noexcept;
};

/// The plan for heaps below `count`.
std::vector<ClausePlan> formula_plan(const FormulaRule& rule, HeapSize count);

}  // namespace grundy
