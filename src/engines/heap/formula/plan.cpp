// SPDX-License-Identifier: MIT
#include "engines/heap/formula/plan.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "games/heap/formula.hpp"

namespace grundy {
namespace {

using Kind = FormulaExpression::Kind;

constexpr std::int64_t kLargestFactor = std::int64_t{1} << 31;

FormulaExpression number(std::uint64_t value) {
  return {.kind = Kind::kNumber, .number = value, .operands = {}};
}

FormulaExpression joined(Kind kind, const FormulaExpression& a, const FormulaExpression& b) {
  return {.kind = kind, .number = 0, .operands = {a, b}};
}

bool is_number(const FormulaExpression& e) noexcept {
  return e.kind == Kind::kNumber && e.number < static_cast<std::uint64_t>(kLargestFactor);
}

/// A form times a number.
std::optional<LinearForm> scaled(const LinearForm& form, const FormulaExpression& by) {
  if (!is_number(by)) return std::nullopt;
  return LinearForm{joined(Kind::kProduct, form.base, by),
                    form.factor * static_cast<std::int64_t>(by.number)};
}

bool is_variable(const FormulaExpression& e) noexcept {
  return e.kind == Kind::kVariable;
}

bool is_square_of_variable(const FormulaExpression& e) noexcept {
  return e.kind == Kind::kProduct && is_variable(e.operands[0]) && is_variable(e.operands[1]);
}

/// Recognises the unit of a linear form: the variable or its square.
using IsUnit = bool (*)(const FormulaExpression&) noexcept;

/// The expression as a form that is linear in the unit and has the variable nowhere else; nothing
/// if it is not.
std::optional<LinearForm> form_in(const FormulaExpression& e, IsUnit is_unit) {
  if (!has_variable(e)) return LinearForm{e, 0};
  if (is_unit(e)) return LinearForm{number(0), 1};
  if (e.kind != Kind::kSum && e.kind != Kind::kDifference && e.kind != Kind::kProduct) {
    return std::nullopt;
  }
  const auto a = form_in(e.operands[0], is_unit);
  const auto b = form_in(e.operands[1], is_unit);
  if (!a || !b) return std::nullopt;
  std::optional<LinearForm> form;
  if (e.kind == Kind::kProduct) {
    if (a->factor == 0) form = scaled(*b, e.operands[0]);
    if (b->factor == 0) form = scaled(*a, e.operands[1]);
  } else {
    const std::int64_t sign = e.kind == Kind::kSum ? 1 : -1;
    form = {joined(e.kind, a->base, b->base), a->factor + sign * b->factor};
  }
  if (form && std::abs(form->factor) >= kLargestFactor) form.reset();
  return form;
}

/// The greatest r with r * r <= x. @pre 0 <= x < 2^62
std::int64_t root_of(std::int64_t x) noexcept {
  auto r = static_cast<std::int64_t>(std::sqrt(static_cast<double>(x)));
  while (r * r > x) --r;
  while ((r + 1) * (r + 1) <= x) ++r;
  return r;
}

/// The bound that `expression <= 0` means, or with `both`, `expression = 0`.
std::optional<VariableBound> bound_of(const FormulaExpression& expression, bool both) {
  if (const auto form = form_in(expression, is_variable)) return VariableBound{*form, false, both};
  const auto form = form_in(expression, is_square_of_variable);
  return form ? std::optional(VariableBound{*form, true, both}) : std::nullopt;
}

std::optional<VariableBound> bound_of(const FormulaCondition& c) {
  const bool equal = c.kind == FormulaCondition::Kind::kEqual && !c.negated;
  const bool less = c.kind == FormulaCondition::Kind::kLess;
  if (!equal && !less && c.kind != FormulaCondition::Kind::kAtMost) return std::nullopt;
  const FormulaExpression left = less ? joined(Kind::kSum, c.left, number(1)) : c.left;
  return bound_of(joined(Kind::kDifference, left, c.right), equal);
}

bool is_gcd_with_heap(const FormulaExpression& e) noexcept {
  if (e.kind != Kind::kGcd) return false;
  const FormulaExpression& a = e.operands[0];
  const FormulaExpression& b = e.operands[1];
  return (is_variable(a) && b.kind == Kind::kHeap) || (is_variable(b) && a.kind == Kind::kHeap);
}

/// The source of the variable that a condition gives; kAll if it gives none.
VariableSource source_of(const FormulaCondition& c) noexcept {
  const bool one_left = c.left == number(1);
  switch (c.kind) {
    case FormulaCondition::Kind::kDivides:
      if (!is_variable(c.left) || c.right.kind != Kind::kHeap) break;
      return c.negated ? VariableSource::kNonDivisors : VariableSource::kDivisors;
    case FormulaCondition::Kind::kIn:
      if (is_variable(c.left) && !c.negated) return VariableSource::kSet;
      break;
    case FormulaCondition::Kind::kEqual:
      if ((is_gcd_with_heap(c.left) && c.right == number(1)) ||
          (is_gcd_with_heap(c.right) && one_left)) {
        return c.negated ? VariableSource::kCommonFactors : VariableSource::kCoprimes;
      }
      break;
    case FormulaCondition::Kind::kLess:
      if (is_gcd_with_heap(c.right) && one_left) return VariableSource::kCommonFactors;
      break;
    case FormulaCondition::Kind::kAtMost:
      break;
  }
  return VariableSource::kAll;
}

MemberFilter member_filter(const FormulaCondition& condition, HeapSize count) {
  MemberFilter filter{std::vector<bool>(count), condition.negated};
  if (count == 0) return filter;
  for (const HeapSize element : condition.set.allowed_up_to(count - 1)) filter.in[element] = true;
  return filter;
}

ClausePlan plan_of(const FormulaClause& clause, HeapSize count) {
  ClausePlan plan;
  for (const FormulaExpression& target : clause.targets) {
    plan.targets.push_back({target, form_in(target, is_variable)});
  }
  if (!has_variable(clause)) plan.source = VariableSource::kNone;
  const FormulaCondition* chosen = nullptr;
  for (const FormulaCondition& condition : clause.conditions) {
    const VariableSource source = source_of(condition);
    if (source < plan.source) {
      plan.source = source;
      chosen = &condition;
    }
  }
  for (const FormulaCondition& condition : clause.conditions) {
    if (&condition == chosen) continue;
    if (!has_variable(condition)) {
      plan.heap_filters.push_back(condition);
    } else if (auto bound = bound_of(condition)) {
      plan.bounds.push_back(std::move(*bound));
    } else if (condition.kind == FormulaCondition::Kind::kIn && is_variable(condition.left)) {
      plan.members.push_back(member_filter(condition, count));
    } else {
      plan.filters.push_back(condition);
    }
  }
  // A negative target is no move. So if there is only one target, it bounds the variable, too.
  if (plan.source != VariableSource::kNone && clause.targets.size() == 1) {
    auto bound = bound_of(joined(Kind::kDifference, number(0), clause.targets.front()), false);
    if (bound) plan.bounds.push_back(std::move(*bound));
  }
  if (plan.source == VariableSource::kSet && count > 0) {
    plan.set = chosen->set.allowed_up_to(count - 1);
  }
  return plan;
}

/// Narrows the range by `form(n, x) <= 0` or, with `both`, by `form(n, x) = 0`, where x is d or
/// d * d.
void tighten(VariableRange& range, const VariableBound& bound, std::int64_t n) noexcept {
  const std::int64_t base = value_of(bound.form.base, n, 0);
  const std::int64_t factor = bound.form.factor;
  const bool impossible = factor == 0 && (base > 0 || (bound.both && base != 0));
  if (base == kUndefined || impossible) {
    range.hi = range.lo - 1;
    return;
  }
  if (factor == 0) return;
  // factor > 0: x <= -base / factor. factor < 0: x >= base / -factor.
  const std::int64_t size = std::abs(factor);
  const std::int64_t limit = factor > 0 ? -base : base;
  std::int64_t down = limit / size - (limit % size < 0 ? 1 : 0);
  std::int64_t up = down + (limit % size != 0 ? 1 : 0);
  if (bound.square) {
    down = down < 0 ? 0 : root_of(down);
    up = up <= 0 ? 0 : root_of(up - 1) + 1;
  }
  if (factor > 0 || bound.both) range.hi = std::min(range.hi, down);
  if (factor < 0 || bound.both) range.lo = std::max(range.lo, up);
}

}  // namespace

VariableRange ClausePlan::range(std::int64_t n) const noexcept {
  VariableRange range{1, n};
  for (const VariableBound& bound : bounds) tighten(range, bound, n);
  return range;
}

HeapSize ClausePlan::options(HeapSize count) const noexcept {
  constexpr HeapSize kUsualDivisors = 64;
  const auto n = static_cast<std::int64_t>(std::max<HeapSize>(count, 2) - 1);
  const VariableRange all = range(n);
  const HeapSize between =
      all.hi < all.lo ? n : static_cast<HeapSize>(all.hi) - static_cast<HeapSize>(all.lo) + 1;
  switch (source) {
    case VariableSource::kNone:
      return targets.size();
    case VariableSource::kDivisors:
      return std::min(kUsualDivisors, between) * targets.size();
    case VariableSource::kSet:
      return std::min<HeapSize>(set.size(), between) * targets.size();
    default:
      return between * targets.size();
  }
}

std::vector<ClausePlan> formula_plan(const FormulaRule& rule, HeapSize count) {
  std::vector<ClausePlan> plans;
  for (const FormulaClause& clause : rule.clauses) plans.push_back(plan_of(clause, count));
  return plans;
}

std::optional<Relation> relation_of(const FormulaRule& rule) {
  if (rule.clauses.size() != 1) return std::nullopt;
  const FormulaClause& clause = rule.clauses.front();
  const FormulaExpression& target = clause.targets.front();
  const bool takes = grundy::takes(target, Kind::kVariable);
  if (clause.targets.size() != 1 || (!takes && !is_variable(target))) return std::nullopt;
  bool proper = false;  // d < n
  std::optional<VariableSource> relation;
  for (const FormulaCondition& condition : clause.conditions) {
    const VariableSource source = source_of(condition);
    const bool relates =
        source == VariableSource::kNonDivisors || source == VariableSource::kCoprimes;
    if (relates && !relation) {
      relation = source;
    } else if (condition.kind == FormulaCondition::Kind::kLess && is_variable(condition.left) &&
               condition.right.kind == Kind::kHeap) {
      proper = true;
    } else {
      return std::nullopt;
    }
  }
  if (!relation) return std::nullopt;
  const bool coprime = relation == VariableSource::kCoprimes;
  if (coprime && !takes && !proper) return std::nullopt;  // heap 1 may become itself
  return Relation{.coprime = coprime, .takes = takes, .least = takes && !proper ? 0u : 1u};
}

}  // namespace grundy
