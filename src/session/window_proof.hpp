/// @file
/// Finds the window certificate (theory/sparse_certificate.hpp) in the values of a table, whatever
/// engine computed them.
///
/// While the engine `sparse` is at work, it tells its sparse space, and PeriodWatch needs some
/// thousand values that recur. Here everything comes from the values. The split is the best one for
/// all values. The depth of witnesses is looked for in the one period of heaps that the proof is
/// about.
// SPDX-License-Identifier: MIT
#pragma once

#include <grundy/heap/rule.hpp>
#include <grundy/period.hpp>
#include <grundy/types.hpp>

namespace grundy {

/// What find_period() finds and, for a candidate, the window certificate if the values have one.
/// O(n) for n values. A candidate of period p costs p times the splits that a heap takes to meet
/// the smaller values of the rare type.
PeriodReport period_of_table(const HeapRule& rule, Values table);

}  // namespace grundy
