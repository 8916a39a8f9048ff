/// @file
/// Finds the period of a heap game in its values, and proves it where a theorem applies.
// SPDX-License-Identifier: MIT
#pragma once

#include <grundy/heap/rule.hpp>
#include <grundy/period_report.hpp>
#include <grundy/types.hpp>

namespace grundy {

/// Searches the values of heaps 0 .. table.size()-1 for a period and proves it where it can:
/// - a rule that leaves at most H heaps, unconstrained, and removes at most t tokens: the theorem
///   of Guy and Smith (1956) for H = 2, and after them for H >= 3;
/// - a finite subtraction set: a window of max(S) values that recurs;
/// - such a rule with H >= 3 and a saltus: witnesses that move, and no option with the value of the
///   pattern (the section on the saltus in src/theory/README.md);
/// - all-but subtraction sets, also with a saltus: the state of used values recurs.
/// Runs of the engine `sparse` have one more proof, the window certificate (src/theory/README.md).
/// Anything else that repeats is a candidate. O(n) time and 2n to 4n bytes for n values. A
/// candidate with a saltus and H >= 3 takes quadratic time in the first 2^15 values.
PeriodReport find_period(const HeapRule& rule, Values table);

}  // namespace grundy
