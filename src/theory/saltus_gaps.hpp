/// @file
/// Numbers just below an arithmetically periodic value that only splits into three growing heaps
/// reach: whether some option has them at all heaps.
///
/// The *gap* j of heap n is the number F(n) - j, F the values of the pattern. The gaps j of the
/// heaps n + Q p are reached by different splits for different Q, which depend on the bits of Q.
/// Options that belong to one choice of classes have the same F(a) + F(b) + F(c) - F(n), so the
/// nim-sum is F(n) - j if and only if the majority of the three values is one known number and the
/// nim-sum has the bits of F(n) - j. An automaton reads the bits of Q, from the lowest one up, and
/// keeps all that the halves of the values may be: its states are sets, each with the half of F(n)
/// - j. If from every state that it can reach some set of halves is a solution when no more bits
/// come, then the gap is closed for all Q.
// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include <grundy/heap/rule.hpp>
#include <grundy/types.hpp>

#include "theory/period_theorem.hpp"

namespace grundy {

/// True: for all Q >= 0 some option of heap + Q p has the value of the pattern there minus `gap`,
/// if all smaller heaps obey the pattern. False: not known.
/// @pre rule, values and pattern as for options_avoid_pattern(); heap >= max(e, 1); `gap` is not
/// more than the value of the heap
[[nodiscard]] bool gap_closes(const TakeBreakRule& rule, std::span<const Nimber> values,
                              const PeriodPattern& pattern, HeapSize heap, Nimber gap);

}  // namespace grundy
