/// @file
/// Formulas as text and in words.
// SPDX-License-Identifier: MIT
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "games/heap/formula.hpp"
#include "games/heap/notation.hpp"

namespace grundy {
namespace {

using Kind = FormulaExpression::Kind;

/// How tightly the operator of an expression binds.
enum class Binding { kSum, kProduct, kTight };

Binding binding(const FormulaExpression& e) noexcept {
  switch (e.kind) {
    case Kind::kSum:
    case Kind::kDifference:
      return Binding::kSum;
    case Kind::kProduct:
    case Kind::kMod:
      return Binding::kProduct;
    default:
      return Binding::kTight;
  }
}

/// The text of the operand, in brackets if it binds less tightly than `least`.
std::string operand_text(const FormulaExpression& e, Binding least) {
  return binding(e) < least ? fmt::format("({})", formula_text(e)) : formula_text(e);
}

std::string infix_text(const FormulaExpression& e, std::string_view sign) {
  const bool sum = binding(e) == Binding::kSum;
  return fmt::format("{}{}{}", operand_text(e.operands[0], sum ? Binding::kSum : Binding::kProduct),
                     sign, operand_text(e.operands[1], sum ? Binding::kProduct : Binding::kTight));
}

std::string number_set_text(const SubtractionRule& set) {
  for (const NamedSet& named : kNamedSets) {
    if (named.kind == set.kind) return std::string(named.word);
  }
  return fmt::format("{{{}}}", fmt::join(set.elements, ","));
}

std::string condition_text(const FormulaCondition& c) {
  const std::string left = formula_text(c.left);
  const std::string_view no = c.negated ? "not " : "";
  if (c.kind == FormulaCondition::Kind::kIn)
    return fmt::format("{}{} in {}", no, left, number_set_text(c.set));
  const std::string right = formula_text(c.right);
  switch (c.kind) {
    case FormulaCondition::Kind::kLess:
      return fmt::format("{} < {}", left, right);
    case FormulaCondition::Kind::kAtMost:
      return fmt::format("{} <= {}", left, right);
    case FormulaCondition::Kind::kEqual:
      return fmt::format("{} {} {}", left, c.negated ? "!=" : "=", right);
    default:
      return fmt::format("{}{} | {}", no, left, right);
  }
}

std::vector<std::string> texts(const std::vector<FormulaExpression>& targets) {
  std::vector<std::string> out;
  for (const FormulaExpression& target : targets) out.push_back(formula_text(target));
  return out;
}

std::vector<std::string> texts(const std::vector<FormulaCondition>& conditions) {
  std::vector<std::string> out;
  for (const FormulaCondition& condition : conditions) out.push_back(condition_text(condition));
  return out;
}

std::string clause_text(const FormulaClause& clause) {
  std::string text = fmt::format("{}", fmt::join(texts(clause.targets), ", "));
  if (!clause.conditions.empty()) {
    text += fmt::format(" : {}", fmt::join(texts(clause.conditions), ", "));
  }
  return text;
}

std::string clause_meaning(const FormulaClause& clause) {
  std::string text = fmt::format("leave {}", fmt::join(texts(clause.targets), " or "));
  if (has_variable(clause)) {
    text += " for a d from 1 to n";
    if (!clause.conditions.empty()) text += " with ";
  } else if (!clause.conditions.empty()) {
    text += " if ";
  }
  return text + fmt::format("{}", fmt::join(texts(clause.conditions), " and "));
}

}  // namespace

std::string formula_text(const FormulaExpression& e) {
  switch (e.kind) {
    case Kind::kNumber:
      return std::to_string(e.number);
    case Kind::kHeap:
      return "n";
    case Kind::kVariable:
      return "d";
    case Kind::kSum:
      return infix_text(e, " + ");
    case Kind::kDifference:
      return infix_text(e, " - ");
    case Kind::kProduct:
      return infix_text(e, "*");
    case Kind::kMod:
      return infix_text(e, " mod ");
    case Kind::kFloor:
      return fmt::format("floor({}/{})", formula_text(e.operands[0]), formula_text(e.operands[1]));
    case Kind::kGcd:
      break;
  }
  return fmt::format("gcd({}, {})", formula_text(e.operands[0]), formula_text(e.operands[1]));
}

std::string formula_text(const FormulaRule& rule) {
  std::vector<std::string> clauses;
  for (const FormulaClause& clause : rule.clauses) clauses.push_back(clause_text(clause));
  return fmt::format("n -> {}", fmt::join(clauses, "; "));
}

std::string formula_meaning(const FormulaRule& rule) {
  std::vector<std::string> clauses;
  for (const FormulaClause& clause : rule.clauses) clauses.push_back(clause_meaning(clause));
  return fmt::format("of a heap of n tokens, {}", fmt::join(clauses, "; or "));
}

}  // namespace grundy
