// SPDX-License-Identifier: MIT
#include "games/heap/formula.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include <grundy/error.hpp>

#include "core/text.hpp"
#include "games/heap/notation.hpp"

namespace grundy {
namespace {

using Kind = FormulaExpression::Kind;

/// The quotient, rounded down. @pre b > 0
constexpr std::int64_t floor_of(std::int64_t a, std::int64_t b) noexcept {
  return a / b - (a % b < 0 ? 1 : 0);
}

bool is_square(std::int64_t x) noexcept {
  for (std::int64_t root = 1; root <= x / root; ++root) {
    if (root * root == x) return true;
  }
  return false;
}

bool is_prime(std::int64_t x) noexcept {
  for (std::int64_t p = 2; p <= x / p; ++p) {
    if (x % p == 0) return false;
  }
  return x > 1;
}

bool is_factorial(std::int64_t x) noexcept {
  std::int64_t next = 2;
  for (; x > 1 && x % next == 0; ++next) x /= next;
  return x == 1;
}

bool is_fibonacci(std::int64_t x) noexcept {
  std::int64_t earlier = 1;
  std::int64_t latest = 1;
  while (latest < x) earlier = std::exchange(latest, latest + earlier);
  return latest == x;
}

bool contains(const SubtractionRule& set, std::int64_t x) noexcept {
  using Set = SubtractionRule::Kind;
  if (x < 0) return false;
  switch (set.kind) {
    case Set::kSquares:
      return is_square(x);
    case Set::kPrimes:
      return is_prime(x);
    case Set::kFactorials:
      return is_factorial(x);
    case Set::kFibonacci:
      return is_fibonacci(x);
    case Set::kPowersOfTwo:
      return x > 0 && (x & (x - 1)) == 0;
    case Set::kAllBut:
    case Set::kFinite:
      break;
  }
  return std::ranges::binary_search(set.elements, static_cast<HeapSize>(x));
}

/// Exceeds every number that is accepted.
constexpr std::uint64_t kBeyond = std::uint64_t{1} << 62;

/// A bound of the absolute value of the expression for heaps of at most n tokens; kBeyond if none
/// is known.
std::uint64_t bound(const FormulaExpression& e, HeapSize n) noexcept {
  if (e.kind == Kind::kNumber) return std::min(e.number, kBeyond);
  if (e.kind == Kind::kHeap || e.kind == Kind::kVariable) return std::min<HeapSize>(n, kBeyond);
  const std::uint64_t a = bound(e.operands[0], n);
  const std::uint64_t b = bound(e.operands[1], n);
  if (a == kBeyond || b == kBeyond) return kBeyond;
  switch (e.kind) {
    case Kind::kSum:
    case Kind::kDifference:
      return std::min(a + b, kBeyond);
    case Kind::kProduct:
      return a != 0 && b > (kBeyond - 1) / a ? kBeyond : a * b;
    case Kind::kFloor:
      return a;
    case Kind::kMod:
      return b;
    default:
      return std::max(a, b);
  }
}

void require_fit(const FormulaExpression& e, HeapSize n) {
  if (bound(e, n) < kBeyond) return;
  std::string reason = in_quotes(formula_text(e)) + " may not fit into 64 bits";
  if (bound(e, 0) < kBeyond) {
    HeapSize fits = 0;
    for (HeapSize beyond = n; beyond - fits > 1;) {
      const HeapSize middle = std::midpoint(fits, beyond);
      (bound(e, middle) < kBeyond ? fits : beyond) = middle;
    }
    reason += fmt::format(" in heaps larger than {}", fits);
  }
  throw Error(ErrorCode::kUsage, reason);
}

std::size_t size_of(const FormulaExpression& e) noexcept {
  std::size_t size = 1;
  for (const FormulaExpression& operand : e.operands) size += size_of(operand);
  return size;
}

std::size_t size_of(const FormulaRule& rule) noexcept {
  std::size_t size = 0;
  for (const FormulaClause& clause : rule.clauses) {
    for (const FormulaExpression& target : clause.targets) size += size_of(target);
    for (const FormulaCondition& c : clause.conditions) size += size_of(c.left) + size_of(c.right);
  }
  return size;
}

}  // namespace

std::int64_t value_of(const FormulaExpression& e, std::int64_t n, std::int64_t d) noexcept {
  if (e.kind == Kind::kNumber) return static_cast<std::int64_t>(e.number);
  if (e.kind == Kind::kHeap) return n;
  if (e.kind == Kind::kVariable) return d;
  const std::int64_t a = value_of(e.operands[0], n, d);
  const std::int64_t b = value_of(e.operands[1], n, d);
  if (a == kUndefined || b == kUndefined) return kUndefined;
  switch (e.kind) {
    case Kind::kSum:
      return a + b;
    case Kind::kDifference:
      return a - b;
    case Kind::kProduct:
      return a * b;
    case Kind::kFloor:
      return b > 0 ? floor_of(a, b) : kUndefined;
    case Kind::kMod:
      return b > 0 ? a - floor_of(a, b) * b : kUndefined;
    default:
      return std::gcd(a, b);
  }
}

bool holds(const FormulaCondition& c, std::int64_t n, std::int64_t d) noexcept {
  const std::int64_t left = value_of(c.left, n, d);
  if (left == kUndefined) return false;
  if (c.kind == FormulaCondition::Kind::kIn) return contains(c.set, left) != c.negated;
  const std::int64_t right = value_of(c.right, n, d);
  if (right == kUndefined) return false;
  switch (c.kind) {
    case FormulaCondition::Kind::kLess:
      return left < right;
    case FormulaCondition::Kind::kAtMost:
      return left <= right;
    case FormulaCondition::Kind::kEqual:
      return (left == right) != c.negated;
    default:
      return (left > 0 && right % left == 0) != c.negated;
  }
}

bool has_variable(const FormulaExpression& e) noexcept {
  return e.kind == Kind::kVariable ||
         std::ranges::any_of(e.operands,
                             [](const FormulaExpression& o) { return has_variable(o); });
}

bool has_variable(const FormulaCondition& condition) noexcept {
  return has_variable(condition.left) || has_variable(condition.right);
}

bool has_variable(const FormulaClause& clause) noexcept {
  const auto has = [](const auto& part) { return has_variable(part); };
  return std::ranges::any_of(clause.targets, has) || std::ranges::any_of(clause.conditions, has);
}

bool takes(const FormulaExpression& target, FormulaExpression::Kind taken) noexcept {
  return target.kind == FormulaExpression::Kind::kDifference &&
         target.operands[0].kind == FormulaExpression::Kind::kHeap &&
         target.operands[1].kind == taken;
}

void require_fit(const FormulaRule& rule, HeapSize n) {
  for (const FormulaClause& clause : rule.clauses) {
    for (const FormulaExpression& target : clause.targets) require_fit(target, n);
    for (const FormulaCondition& condition : clause.conditions) {
      require_fit(condition.left, n);
      require_fit(condition.right, n);
    }
  }
}

void refuse_target(HeapSize n, const FormulaExpression& target, std::int64_t value) {
  throw Error(ErrorCode::kUsage,
              fmt::format("by {}{} heap {} may become heap {}; a move has to leave fewer tokens",
                          in_quotes(formula_text(target)),
                          has_variable(target) ? ", where d is the variable," : "", n, value));
}

std::vector<HeapSize> literal_options(const FormulaRule& rule, HeapSize n) {
  require_fit(rule, n);
  const auto heap = static_cast<std::int64_t>(n);
  std::vector<HeapSize> options;
  for (const FormulaClause& clause : rule.clauses) {
    const std::int64_t last = has_variable(clause) ? heap : std::min<std::int64_t>(heap, 1);
    for (std::int64_t d = 1; d <= last; ++d) {
      const auto holds_here = [&](const FormulaCondition& c) { return holds(c, heap, d); };
      if (!std::ranges::all_of(clause.conditions, holds_here)) continue;
      for (const FormulaExpression& target : clause.targets) {
        const std::int64_t left = value_of(target, heap, d);
        if (left >= heap) refuse_target(n, target, left);
        if (left >= 0) options.push_back(static_cast<HeapSize>(left));
      }
    }
  }
  std::ranges::sort(options, std::greater<>());
  options.erase(std::unique(options.begin(), options.end()), options.end());
  return options;
}

FormulaRule canonical(FormulaRule rule) {
  if (rule.clauses.empty()) throw Error(ErrorCode::kUsage, "a rule of formulas needs a target");
  for (FormulaClause& clause : rule.clauses) {
    if (clause.targets.empty()) throw Error(ErrorCode::kUsage, "a clause needs a target");
    for (FormulaCondition& condition : clause.conditions) {
      auto& elements = condition.set.elements;
      std::ranges::sort(elements);
      elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
    }
  }
  if (size_of(rule) > kMaxFormula) {
    throw Error(
        ErrorCode::kUsage,
        fmt::format("the formulas have more than {} numbers, letters and operators", kMaxFormula));
  }
  // Most slips show in small heaps, so they are tried before a run begins.
  constexpr HeapSize kTried = 64;
  for (HeapSize n = 0; n <= kTried; ++n) literal_options(rule, n);
  return rule;
}

}  // namespace grundy
