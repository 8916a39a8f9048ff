/// @file
/// Proves that options reach a number just below an arithmetically periodic value at all heaps,
/// where only splits into three or more growing heaps reach it.
///
/// The *gap* j of heap n is the number F(n) - j, where F are the values of the pattern. Different
/// splits reach the gaps j of the heaps n + Q p for different Q, depending on the bits of Q.
/// Options that belong to one choice of classes have the same sum of values minus F(n). So their
/// nim-sum is F(n) - j if and only if the carry of the values is one known number and the nim-sum
/// has the bits of F(n) - j. An automaton reads the bits of Q, from the lowest one up. Its state is
/// the half of F(n) - j with the set of all possible halves of the values. The gap is closed for
/// all Q if every state that can be reached has halves that are a solution when no more bits come.
// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include <grundy/heap/rule.hpp>
#include <grundy/types.hpp>

#include "theory/period_theorem.hpp"

namespace grundy {

/// Returns true if for all Q >= 0 some option of heap + Q p has the value of the pattern there
/// minus `gap`, provided that all smaller heaps obey the pattern. False means that this is not
/// known.
/// @pre rule, values and pattern as for options_avoid_pattern(); heap >= max(e, 1); `gap` is at
/// most the value of the heap
[[nodiscard]] bool gap_closes(const TakeBreakRule& rule, std::span<const Nimber> values,
                              const PeriodPattern& pattern, HeapSize heap, Nimber gap);

}  // namespace grundy
