/// @file
/// What a move may do to one heap: the rules of take-and-break and of subtraction games.
///
/// **Take-and-break codes.** `d0.d1d2d3…`: after i tokens were removed from the heap, digit d_i says
/// into how many nonempty heaps the rest may be split: bit k of the digit allows exactly k heaps
/// (k = 0: the heap may be removed whole). Octal digits reach two heaps, hexadecimal digits three
/// (Guy and Smith 1956; Winning Ways, ch. 4). CGSuite's extensions are understood: base-32 digits,
/// `&123;` for larger ones, lists `{2,3}` and `{2+}`, `*` for any number of heaps, a constraint
/// after a digit (`!` heaps pairwise unequal, `?` not all equal, `=` all equal) and a repeating
/// tail `[..]`. Grundy's game is `4!.0`, Nim is `0.[3]`.
///
/// **Subtraction games.** A move removes s tokens, s in a set: finite `S{1,2,5}`, all but finitely
/// many `AllBut{2,4}`, or named: `S{squares}`, `S{primes}`, `S{factorials}`, `S{fibonacci}`.
///
/// A rule knows its canonical text; equal canonical texts mean the same options for every heap.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

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
  [[nodiscard]] bool empty() const noexcept;
  /// Largest explicit number of heaps; 0 for an empty digit. With and_more there is no largest.
  [[nodiscard]] unsigned max_heaps() const noexcept;
  /// No more than `k` heaps, and no constraint on any split.
  [[nodiscard]] bool plain_up_to(unsigned k) const noexcept;

  friend bool operator==(const Digit&, const Digit&) = default;
};

/// A take-and-break code. Canonical: no trailing empty digits, shortest repeating tail.
struct TakeBreakRule {
  std::vector<Digit> digits;  ///< digits[i]: what may be left after removing i tokens; never empty
  std::size_t period = 0;     ///< the last `period` digits repeat for ever; 0: the code is finite

  [[nodiscard]] const Digit& digit(HeapSize removed) const noexcept;
  friend bool operator==(const TakeBreakRule&, const TakeBreakRule&) = default;
};

/// A subtraction game.
struct SubtractionRule {
  enum class Kind : std::uint8_t { kFinite, kAllBut, kSquares, kPrimes, kFactorials, kFibonacci };
  Kind kind = Kind::kFinite;
  /// kFinite: the set; kAllBut: its complement; ascending, distinct, positive. Else empty.
  std::vector<HeapSize> elements;

  /// All s <= limit that may be removed, ascending.
  [[nodiscard]] std::vector<HeapSize> allowed_up_to(HeapSize limit) const;
  friend bool operator==(const SubtractionRule&, const SubtractionRule&) = default;
};

/// The rule of a heap game. A value type.
class HeapRule {
 public:
  explicit HeapRule(TakeBreakRule rule);
  explicit HeapRule(SubtractionRule rule);

  /// Reads a notation (see the head of this file; white space inside is not allowed).
  /// `.77` and `0,77` mean `0.77`; hexadecimal digits need no prefix.
  /// @throws Error(kUsage) with the offending byte, its place and what was expected there
  static HeapRule parse(std::string_view text);

  /// The notation that metadata holds; parse(canonical()) == *this.
  [[nodiscard]] std::string canonical() const;
  /// The moves in plain English, for people and for metadata.
  [[nodiscard]] std::string describe() const;

  [[nodiscard]] const TakeBreakRule* take_break() const noexcept;
  [[nodiscard]] const SubtractionRule* subtraction() const noexcept;

  /// The rule as a subtraction game if it is one: a SubtractionRule itself, or a code whose digits
  /// are all 0 or 3 with d0 = 0 and a tail of `[3]` or none.
  [[nodiscard]] std::optional<SubtractionRule> as_subtraction() const;
  /// Largest number of tokens a move removes; nothing if there is no largest.
  [[nodiscard]] std::optional<HeapSize> largest_take() const;
  /// Largest number of heaps a move leaves; nothing if there is no largest.
  [[nodiscard]] std::optional<unsigned> max_heaps() const;
  /// No split constraint other than kAny occurs.
  [[nodiscard]] bool unconstrained() const noexcept;

  friend bool operator==(const HeapRule&, const HeapRule&) = default;

 private:
  std::variant<TakeBreakRule, SubtractionRule> rule_;
};

}  // namespace grundy
