/// @file
/// The window certificate (theory/sparse_certificate.hpp) found in the values of a table, whatever
/// engine computed them.
///
/// While the engine `sparse` is at work it tells its sparse space, and PeriodWatch needs some
/// thousand values that recur. Here the values tell all: the split is the best of all values, and
/// the depth of witnesses is looked for in the one period of heaps that the proof is about. So the
/// result depends on the values alone.
// SPDX-License-Identifier: MIT
#pragma once

#include <grundy/heap/rule.hpp>
#include <grundy/period.hpp>
#include <grundy/types.hpp>

namespace grundy {

/// What find_period() finds, and the window certificate of a candidate where the values have one.
/// O(n) for n values; for a candidate of period p, p times the splits that a heap takes to meet the
/// smaller values of the rare type.
PeriodReport period_of_table(const HeapRule& rule, Values table);

}  // namespace grundy
