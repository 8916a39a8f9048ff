/// @file
/// Shared by the parser and the printer of notations: the alphabet, and the canonical form.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string_view>

#include <grundy/heap/rule.hpp>

#include "core/text_cursor.hpp"

namespace grundy {

/// The most digits of a code (its repeating tail counts once) and the most elements of a
/// subtraction set.
inline constexpr std::size_t kMaxDigits = std::size_t{1} << 16;
inline constexpr std::size_t kMaxElements = std::size_t{1} << 16;

/// The largest heap that may have a pass. Values up to it are found by the definition, which takes
/// seconds for three heaps at this size.
inline constexpr HeapSize kMostPass = 4095;
/// The most heaps that a move of a code with a pass leaves. The definition has too many options of
/// more heaps to look at.
inline constexpr unsigned kMostHeapsWithPass = 3;
/// Stands between a code and the heap that has a pass.
inline constexpr std::string_view kPassWord = "pass";

/// A base-32 digit is the mask of the numbers of heaps that it allows (0 to 4).
inline constexpr std::string_view kBase32 = "0123456789ABCDEFGHIJKLMNOPQRSTUV";

/// The mark after a digit for each SplitConstraint; nothing for kAny.
inline constexpr std::string_view kConstraintMarks = " !?=";

/// Announces digits beyond octal if nothing else in the code shows them.
inline constexpr std::string_view kHexPrefix = "hex:";

/// Characters that no octal code contains.
inline constexpr std::string_view kBeyondOctal =
    "ABCDEFGHIJKLMNOPQRSTUVabcdefghijklmnopqrstuv&{*!?=[";

/// In an octal code, digits 8 and 9 are slips. They count as hexadecimal digits only if the code
/// shows in another place that it is not octal, or says so with kHexPrefix.
constexpr bool shows_more_than_octal(std::string_view code) noexcept {
  return code.find_first_of(kBeyondOctal) != std::string_view::npos;
}

/// A named subtraction set and its notation.
struct NamedSet {
  SubtractionRule::Kind kind;
  std::string_view word;
  std::string_view meaning;  ///< completes "take … of tokens from a heap"
};
inline constexpr NamedSet kNamedSets[] = {
    {SubtractionRule::Kind::kSquares, "squares", "a square number (1, 4, 9, ...)"},
    {SubtractionRule::Kind::kPrimes, "primes", "a prime number (2, 3, 5, ...)"},
    {SubtractionRule::Kind::kFactorials, "factorials", "a factorial number (1, 2, 6, 24, ...)"},
    {SubtractionRule::Kind::kFibonacci, "fibonacci", "a Fibonacci number (1, 2, 3, 5, 8, ...)"},
    {SubtractionRule::Kind::kPowersOfTwo, "powers of 2", "a power of 2 (1, 2, 4, 8, ...)"},
};

/// The one representation of each meaning: 0 heaps and 1 heap carry no constraint, "not all equal"
/// for two heaps is "pairwise unequal", and and_more starts as low as possible.
/// @throws Error(kUsage) if the masks of the digit contradict each other
Digit canonical(Digit digit);

/// The same meaning in the fewest words. If other numbers of heaps are allowed as well, two heaps
/// that are "pairwise unequal" become "not all equal" again: `C?` instead of `{2!,3?}`.
Digit with_fewest_constraints(Digit digit) noexcept;

/// Removes trailing empty digits, makes the tail as short as possible, and moves as much of the
/// code as possible into the tail.
/// @throws Error(kUsage) if the rule is malformed or its play would never end
TakeBreakRule canonical(TakeBreakRule rule);

/// @throws Error(kUsage) that `what` knows no pass, if a heap of the rule has one
void refuse_pass(const HeapRule& rule, std::string_view what);
/// The same of a text that may have no rule, such as a pattern: if there is a pass behind its code.
void refuse_pass(std::string_view code, std::string_view what);

/// Skips ` pass` if it is next, with at least one blank (or `-`, or what else does not matter in
/// names) before it: without one, its letters are digits.
bool eat_pass(TextCursor& text);

/// Makes elements ascending and distinct. @throws Error(kUsage) if they make no game
SubtractionRule canonical(SubtractionRule rule);

/// Makes sets ascending and distinct. @throws Error(kUsage) if a clause has no target, if formulas
/// are larger than kMaxFormula, or if a move of a small heap does not leave a smaller one
FormulaRule canonical(FormulaRule rule);

}  // namespace grundy
