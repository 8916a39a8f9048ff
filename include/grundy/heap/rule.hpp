/// @file
/// What a move may do to one heap: the rules of take-and-break and of subtraction games, and rules
/// that are given by formulas.
///
/// **Take-and-break codes.** `d0.d1d2d3…`: after i tokens were removed from the heap, digit d_i
/// says into how many nonempty heaps the rest may be split: bit k of the digit allows exactly k
/// heaps (k = 0: the heap may be removed whole). Octal digits reach two heaps, hexadecimal digits
/// three (Guy and Smith 1956; Winning Ways, ch. 4). CGSuite's extensions are understood: base-32
/// digits, `&123;` for larger ones, lists `{2,3}` and `{2+}`, `*` for any number of heaps, a
/// constraint after a digit (`!` heaps pairwise unequal, `?` not all equal, `=` all equal) and a
/// repeating tail `[..]`. Grundy's game is `4!.0`, Nim is `0.[3]`. Not supported: several digits
/// before the point, which would add tokens.
///
/// An 8 or a 9 in a code that is octal otherwise is more often a slip than a hexadecimal digit.
/// It is taken for one only if the code has a letter or an extension elsewhere (`0.8C`, `4!.8`) or
/// starts with `hex:` (`hex:0.8`); canonical texts have the prefix exactly where it is needed.
///
/// **A pass.** `4.3646 pass 4`: in a heap of exactly 4 tokens a player may pass; the heap then has
/// no pass any more. Other moves that leave a heap of 4 tokens leave it with its pass, and the
/// value of heap 4 is that of the heap with its pass: mex(V + {mex V}), V the values of its other
/// options. Codes whose moves leave at most three heaps may have one such heap, of 1 to 4095
/// tokens. After Horrocks and Nowakowski (2003), whose abstract alone was at hand: the definition
/// is our own.
///
/// **Subtraction games.** A move removes s tokens, s in a set: finite `S{1,2,5}`, all but finitely
/// many `AllBut{2,4}`, or named: `S{squares}`, `S{primes}`, `S{factorials}`, `S{fibonacci}`,
/// `S{powers of 2}`.
///
/// **Formulas.** `n -> n - d : d | n, d < n`: what a heap of n tokens may become; heap/formula.hpp.
///
/// A rule knows its canonical text. Two codes have the same text if and only if they allow the same
/// options of every heap; so do two subtraction sets. The kinds are kept apart: `0.33` and `S{1,2}`
/// are one game in two notations, which as_subtraction() tells. The canonical text of formulas has
/// their blanks in order and the variable called d; different texts may mean the same moves.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <grundy/error.hpp>
#include <grundy/heap/formula.hpp>
#include <grundy/heap/subtraction.hpp>
#include <grundy/types.hpp>

namespace grundy {

/// Which splits into k >= 2 heaps are allowed.
enum class SplitConstraint : std::uint8_t { kAny, kPairwiseUnequal, kNotAllEqual, kAllEqual };
inline constexpr std::size_t kSplitConstraints = 4;

/// One digit of a take-and-break code: for every number of heaps k the constraint under which the
/// rest may be split into exactly k nonempty heaps, if at all.
struct Digit {
  /// Largest k that can be written out; beyond it only `and_more` reaches.
  static constexpr unsigned kMaxExplicitHeaps = 63;

  /// heaps[c] has bit k set if k heaps are allowed under constraint c. The masks are disjoint, and
  /// bits 0 and 1 are only ever set under kAny (a constraint means nothing there).
  std::array<std::uint64_t, kSplitConstraints> heaps{};
  /// Every k above the largest one set is allowed too, under the same constraint as that one.
  bool and_more = false;

  /// The constraint for exactly k heaps, or nothing if k heaps are not allowed.
  [[nodiscard]] std::optional<SplitConstraint> constraint(std::uint64_t k) const noexcept;
  /// No number of heaps is allowed: this number of tokens cannot be removed.
  [[nodiscard]] bool empty() const noexcept;
  /// Largest explicit number of heaps; 0 for an empty digit. With and_more there is no largest.
  [[nodiscard]] unsigned max_heaps() const noexcept;
  /// No more than `k` heaps, and no constraint on any split.
  [[nodiscard]] bool plain_up_to(unsigned k) const noexcept;

  friend bool operator==(const Digit&, const Digit&) = default;
};

/// A take-and-break code. Canonical: no trailing empty digits, shortest repeating tail, which
/// starts as early as it can.
struct TakeBreakRule {
  std::vector<Digit> digits;  ///< digits[i]: what may be left after removing i tokens; never empty
  /// The number of digits, the last ones, that repeat for ever; 0 for a finite code. Not all digits
  /// repeat: d0 is not part of a tail.
  std::size_t period = 0;
  /// The heap that has a pass, which may be used once; see the head of this file.
  std::optional<HeapSize> pass{};

  /// What may be left after `removed` tokens are gone; an empty digit behind the end of the code.
  [[nodiscard]] const Digit& digit(HeapSize removed) const noexcept;
  friend bool operator==(const TakeBreakRule&, const TakeBreakRule&) = default;
};

/// The rule of a heap game. A value type.
class HeapRule {
 public:
  /// Brings the rule into its canonical form.
  /// @throws Error(kUsage) if it is malformed, has no end of play (d0 allows 0 or 1 heaps), has
  /// more than 65536 digits or elements, is an empty set, has a move that leaves a small heap as
  /// it is or larger, or has a pass where none can be
  explicit HeapRule(TakeBreakRule rule);
  explicit HeapRule(SubtractionRule rule);
  explicit HeapRule(FormulaRule rule);

  /// Reads a notation (see the head of this file), in any case. Blanks are free around it and in
  /// sets; `_` and `-` are as blanks in words. `.77`, `0,77` mean `0.77`; `S(1,2)`, `S={1,2}` mean
  /// `S{1,2}`; `S{1..9}` has all from 1 to 9.
  /// @throws Error(kUsage) with the offending byte, its place and what was expected there
  static HeapRule parse(std::string_view text);

  /// The notation that metadata holds; parse(canonical()) == *this.
  [[nodiscard]] std::string canonical() const;
  /// The moves in plain English, for people and for metadata.
  [[nodiscard]] std::string describe() const;

  /// The rule in the kind in which it was written; null for the other kinds.
  [[nodiscard]] const TakeBreakRule* take_break() const noexcept;
  [[nodiscard]] const SubtractionRule* subtraction() const noexcept;
  [[nodiscard]] const FormulaRule* formula() const noexcept;

  /// The rule as a subtraction game if it is one: a SubtractionRule itself, a code without a pass
  /// whose digits are all 0 or 3, not all 0, with d0 = 0 and a tail of `[3]` or none, or formulas
  /// that take numbers alone (`n - 1, n - 2`) or those of a set (`n - d : d in squares`).
  [[nodiscard]] std::optional<SubtractionRule> as_subtraction() const;
  /// The heap that has a pass; nothing if none has.
  [[nodiscard]] std::optional<HeapSize> pass() const noexcept;
  /// Largest number of tokens a move removes; nothing if there is no largest, or none is known, as
  /// for formulas that are no subtraction game.
  [[nodiscard]] std::optional<HeapSize> largest_take() const;
  /// Largest number of heaps a move leaves; nothing if there is no largest.
  [[nodiscard]] std::optional<unsigned> max_heaps() const;
  /// No split constraint other than kAny occurs.
  [[nodiscard]] bool unconstrained() const noexcept;

  friend bool operator==(const HeapRule&, const HeapRule&) = default;

 private:
  std::variant<TakeBreakRule, SubtractionRule, FormulaRule> rule_;
};

}  // namespace grundy
