/// @file
/// What a move may do to several heaps that do not split into a sum: the algebra of lattice games.
///
/// A position is a point p of non-negative heap sizes. A rule is a union of primitives:
///
/// | primitive | options of p                                          | written                 |
/// |-----------|-------------------------------------------------------|-------------------------|
/// | ray       | p - t v, for every t >= 1 or for t in a set           | `(1,1)*`, `(1,0)*{1,4}` |
/// | vector    | p - v: a ray with t = 1 only                          | `(1,2)`                 |
/// | band      | k, l >= 1 from two heaps, with abs(k - l) < a         | `band(1,2;a)`           |
/// | box       | every heap of a set is reduced, each by any amount    | `box(1,3)`              |
/// | chomp     | heaps of one size are cut to j, smaller ones to <= j  | `chomp`                 |
/// | euclid    | larger heap - t * smaller heap; both stay positive    | `euclid`                |
/// | euclid0   | the same, but the larger may become 0                 | `euclid0`               |
/// | ends      | the first or the last nonempty heap is reduced        | `ends`                  |
/// | balanced  | amounts, not all 0, whose nim-sum is 0                | `balanced`              |
/// | pass      | once in the game, from a position with another option | `pass`                  |
/// | misère    | no option: the player who cannot move wins            | `misere`                |
///
/// `(1,0)*1..3` is short for `(1,0)*{1,2,3}`.
///
/// A rule is written as its number of heaps and its primitives: Wythoff's game is
/// `2: (1,0)* + (0,1)* + (1,1)*`. Heaps are numbered from 1. `sym` before a ray, band or box stands
/// for all its images under permutations of the heaps, so `2: sym (1,0)* + (1,1)*` is the same
/// rule. White space and case do not matter.
///
/// No family but `ends` depends on the numbers of the heaps. Where heaps are equal, `chomp` cuts
/// one or several of them, and `euclid0` reduces either.
///
/// Every move of every primitive takes tokens and adds none. So play ends, moves follow the
/// product order, and a table of all heaps below a bound is closed under moves.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <grundy/error.hpp>
#include <grundy/types.hpp>

namespace grundy {

inline constexpr unsigned kMinLatticeHeaps = 2;
inline constexpr unsigned kMaxLatticeHeaps = 8;

/// Sizes of the heaps, or tokens taken from each; entries past the number of heaps are 0.
using LatticePoint = std::array<std::uint32_t, kMaxLatticeHeaps>;

/// Options p - t * step, for t in `multiples`.
struct LatticeRay {
  LatticePoint step{};
  std::vector<std::uint32_t> multiples;  ///< ascending; empty: every t >= 1
  friend auto operator<=>(const LatticeRay&, const LatticeRay&) = default;
};

/// k >= 1 tokens from one heap and l >= 1 from another, |k - l| < width.
struct LatticeBand {
  unsigned first = 0, second = 0;  ///< heaps, counted from 0; first < second
  std::uint32_t width = 1;
  friend auto operator<=>(const LatticeBand&, const LatticeBand&) = default;
};

/// Every heap of a set is reduced.
struct LatticeBox {
  std::uint32_t heaps = 0;  ///< bit i: heap i
  friend auto operator<=>(const LatticeBox&, const LatticeBox&) = default;
};

/// Primitives that are written as a word; `euclid0` is kEuclidToZero. The moves of all but
/// `balanced` depend on the position.
enum class LatticeFamily : std::uint8_t { kChomp, kEuclid, kEuclidToZero, kEnds, kBalanced };

/// The primitives of a rule.
struct LatticeMoves {
  unsigned heaps = 2;
  std::vector<LatticeRay> rays;
  std::vector<LatticeBand> bands;
  std::vector<LatticeBox> boxes;
  std::vector<LatticeFamily> families;
  bool pass = false;
  bool misere = false;  ///< the player who cannot move wins
  friend bool operator==(const LatticeMoves&, const LatticeMoves&) = default;
};

/// The rule of a lattice game. A value type.
class LatticeRule {
 public:
  /// Sorts the primitives, drops repetitions, and joins rays of one step. Rules of one canonical
  /// form have the same moves; the converse is not promised.
  /// @throws Error(kUsage) if there are not 2 to 8 heaps, no primitive that takes tokens, a step or
  /// box that takes nothing, a heap that does not exist, or more than 4096 primitives or 65536
  /// multiples
  explicit LatticeRule(LatticeMoves moves);

  /// Reads the notation above. @throws Error(kUsage) with the byte and what was expected there
  static LatticeRule parse(std::string_view text);

  /// The notation that metadata holds; parse(canonical()) == *this.
  [[nodiscard]] std::string canonical() const;
  /// The moves in plain English.
  [[nodiscard]] std::string describe() const;

  [[nodiscard]] unsigned heaps() const noexcept { return moves_.heaps; }
  /// The moves as the text says them.
  [[nodiscard]] const LatticeMoves& written() const noexcept { return written_; }
  /// The moves as engines read them. They are the written ones; but a band of width 1, and balanced
  /// moves of two heaps, take as many tokens from one heap as from the other, so they are rays.
  [[nodiscard]] const LatticeMoves& moves() const noexcept { return moves_; }
  /// Values per position: 2 with `pass` (no pass left, then pass left), else 1.
  [[nodiscard]] unsigned planes() const noexcept { return moves_.pass ? 2 : 1; }
  /// The value of a position without options: 0, or 1 in misère play. The value of any other is the
  /// mex of those of its options, so the player to move loses exactly where the value is 0. Values
  /// of misère play do not add up in sums.
  [[nodiscard]] Nimber terminal_value() const noexcept { return moves_.misere ? 1 : 0; }
  /// The moves do not change when heaps are permuted; found out, not declared.
  [[nodiscard]] bool symmetric() const noexcept { return symmetric_; }

  friend bool operator==(const LatticeRule& a, const LatticeRule& b) noexcept {
    return a.written_ == b.written_;
  }

 private:
  LatticeMoves written_, moves_;
  bool symmetric_ = false;
};

/// Whether a notation, as LatticeRule::canonical() writes it, is of misère play.
bool names_misere_play(std::string_view canonical) noexcept;

}  // namespace grundy
