/// @file
/// Proofs that two codes have the same values up to a shift, from their digits.
///
/// *Standard form* (Guy and Smith 1956; Winning Ways, ch. 4). If a heap of one token cannot be
/// taken, it has no move. Then count a heap of a tokens as a heap of a - 1 tokens in a new game. A
/// move that removes i tokens and leaves exactly k heaps removes i + k - 1 tokens in the new count,
/// and its heaps may be empty. So bit k >= 1 of digit i becomes bits 0 to k of digit i + k - 1, and
/// bit 0 of a digit with i >= 2 moves one digit forward. Options correspond one to one up to empty
/// heaps, so G(n) = G'(n - 1). The step is repeated until a heap of one token can be taken.
///
/// *Redundant moves* (our wording). A new move changes nothing if its option always has the value
/// of an option that is there:
/// - bit 0 of digit i concerns heap i alone and adds the value 0. It is redundant exactly if
///   G(i) > 0;
/// - bit k >= 1 of digit i leaves k heaps. If G(z) = 0 and bit k + 1 of digit i - z is set, a move
///   that leaves the same heaps beside a heap of z tokens has the same value.
/// By induction over heaps both games have the same values, hence the same zeros. So two codes have
/// the same values if they agree after all redundant moves with i <= kReach have been added to
/// both.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <grundy/heap/rule.hpp>
#include <grundy/types.hpp>

namespace grundy::atlas {

/// Digits as masks of the numbers of heaps that may be left; d0 first, the last one not 0.
using PlainCode = std::vector<std::uint32_t>;

/// A game's standard form: G(n + shift) = (value of heap n of `code`).
struct StandardForm {
  PlainCode code;
  HeapSize shift = 0;
};

/// The standard form of a finite code without constraints, of at most 4 heaps and 256 digits, or of
/// a finite subtraction set up to 256. Nothing for other rules and for games without moves.
std::optional<StandardForm> standard_form(const HeapRule& rule);

/// The notation of a code.
std::string notation(const PlainCode& code);

/// The number of digits after d0 in which redundant moves are looked for.
inline constexpr HeapSize kReach = 63;

/// `form.code` with every redundant move up to kReach. `values` are those of the game that has this
/// form. Nothing if they do not reach heap shift + kReach, or if the code is longer.
std::optional<PlainCode> with_redundant_moves(const StandardForm& form, Values values);

}  // namespace grundy::atlas
