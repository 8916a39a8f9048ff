/// @file
/// Rules of one's own for one heap: what a heap of n tokens may become, as formulas.
///
///     n -> n - d : d | n, d < n            take a proper divisor
///     n -> d : d | n, d < n                leave a proper divisor
///     n -> n - 1, floor(n/2)               take one token, or leave half (MARK)
///     n -> n - d : gcd(d, n) = 1           take a number without a common divisor
///     n -> n - d : d in squares; floor(n/2) : n mod 4 in {0,1}
///
/// Behind the arrow stand clauses, with `;` between them. A clause has one target or more, and
/// behind a colon the conditions that must all hold. A target is a number of tokens that a move
/// leaves; it is made of n, of numbers and of one variable, any letter but n, by `+`, `-`, `*`,
/// `mod`, `floor(a/b)` and `gcd(a,b)`. The variable stands for each whole number from 1 to n. A
/// condition compares (`<`, `<=`, `=`, `!=`, `>=`, `>`, also `1 < d < n`), says that one number
/// divides another (`d | n`) or is of a set (`d in squares`, `d mod 4 in {1,3}`, `d in {1..9}`;
/// sets by name are those of subtraction games), or is such a condition with `not` before it.
///
/// What a formula means exactly:
///
/// - Numbers are whole and may be negative. `floor(a/b)` and `a mod b` round down; both are
///   undefined unless b > 0. Where a target or a condition is undefined there is no move. `a | b`
///   says that b is a multiple of a > 0.
/// - A target below 0 is no move: nothing can be left but a heap. A target that is not below n
///   makes the rule no game. It is an error that names the heap, found when that heap is looked at.
/// - Heap 0 has no moves.
/// - Numbers are 64 bits wide. A formula is refused for heaps so large that it might not fit.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include <grundy/heap/subtraction.hpp>

namespace grundy {

/// A number that depends on the heap and on the variable of a clause.
struct FormulaExpression {
  enum class Kind : std::uint8_t {
    kNumber,
    kHeap,      ///< n
    kVariable,  ///< d
    kSum,       ///< this and the kinds below have two operands
    kDifference,
    kProduct,
    kFloor,  ///< floor(a/b)
    kMod,
    kGcd,
  };
  Kind kind = Kind::kNumber;
  std::uint64_t number = 0;                 ///< of kNumber
  std::vector<FormulaExpression> operands;  ///< two or none

  friend bool operator==(const FormulaExpression&, const FormulaExpression&) = default;
};

/// What must hold for a move.
struct FormulaCondition {
  enum class Kind : std::uint8_t {
    kLess,     ///< left < right
    kAtMost,   ///< left <= right
    kEqual,    ///< left = right
    kDivides,  ///< left | right
    kIn,       ///< left in set
  };
  Kind kind = Kind::kLess;
  bool negated = false;  ///< for kEqual, kDivides and kIn: the contrary must hold
  FormulaExpression left;
  FormulaExpression right;  ///< not of kIn
  SubtractionRule set;      ///< of kIn; not kAllBut, and 0 may be an element

  friend bool operator==(const FormulaCondition&, const FormulaCondition&) = default;
};

/// Targets that have the same conditions.
struct FormulaClause {
  std::vector<FormulaExpression> targets;    ///< at least one
  std::vector<FormulaCondition> conditions;  ///< all must hold

  friend bool operator==(const FormulaClause&, const FormulaClause&) = default;
};

/// The moves of a heap, given by formulas.
struct FormulaRule {
  std::vector<FormulaClause> clauses;  ///< at least one

  friend bool operator==(const FormulaRule&, const FormulaRule&) = default;
};

}  // namespace grundy
