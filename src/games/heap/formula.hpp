/// @file
/// The meaning of formulas, read literally: numbers, conditions, and the options of one heap, found
/// by trying the variable at every number from 1 to n. Engines find the same options faster, in
/// other ways, and are tested against this code.
///
/// No step checks for overflow, because require_fit() bounds all numbers that can occur beforehand.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <grundy/heap/formula.hpp>

#include "core/text_cursor.hpp"

namespace grundy {

/// The most numbers, letters and operators of one rule.
inline constexpr std::size_t kMaxFormula = 1024;

/// Whether the text begins like a formula, with `n ->`. Neither a code nor a set has an arrow.
bool begins_formula(std::string_view text);

/// Reads `n -> clauses`.
/// @throws Error(kUsage) with the offending byte, its place and what was expected there
FormulaRule parse_formula(std::string_view text);

/// Reads clauses without the arrow and adds them to the rule.
/// @throws Error as parse_formula(), with the place that `origin` gives
void parse_clauses(std::string_view text, const TextOrigin& origin, FormulaRule& rule);

std::string formula_text(const FormulaRule& rule);
std::string formula_text(const FormulaExpression& expression);
/// The moves in plain English.
std::string formula_meaning(const FormulaRule& rule);

/// Stands for the value of an expression that has none.
inline constexpr std::int64_t kUndefined = std::numeric_limits<std::int64_t>::min();

/// The value of the expression, or kUndefined. @pre require_fit() let n pass; 1 <= d <= n
std::int64_t value_of(const FormulaExpression& expression, std::int64_t n, std::int64_t d) noexcept;
/// Whether both sides are defined and the condition holds. @pre as for value_of()
bool holds(const FormulaCondition& condition, std::int64_t n, std::int64_t d) noexcept;

/// Whether the variable occurs.
bool has_variable(const FormulaExpression& expression) noexcept;
bool has_variable(const FormulaCondition& condition) noexcept;
bool has_variable(const FormulaClause& clause) noexcept;

/// Whether the target is n less something of that kind.
bool takes(const FormulaExpression& target, FormulaExpression::Kind taken) noexcept;

/// @throws Error(kUsage) if a number in some heap of at most n tokens may not fit into 64 bits
void require_fit(const FormulaRule& rule, HeapSize n);

/// @throws Error(kUsage) because heap n may become `target`, which is not smaller
[[noreturn]] void refuse_target(HeapSize n, const FormulaExpression& target, std::int64_t value);

/// The heaps that one move can make of a heap of n tokens, descending and distinct. Takes O(n)
/// evaluations of each clause with a variable.
/// @throws Error as require_fit(), or as refuse_target() for the first such target
std::vector<HeapSize> literal_options(const FormulaRule& rule, HeapSize n);

}  // namespace grundy
