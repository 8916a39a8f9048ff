/// @file
/// The period that a table claims, checked on its stored values.
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <stop_token>

#include <grundy/heap/rule.hpp>
#include <grundy/machine.hpp>
#include <grundy/table.hpp>
#include <grundy/verify.hpp>

namespace grundy {

/// The first heap from which on the certified period gives all values. Every value below it needs
/// another proof. The number of heaps if no period is certified.
HeapSize periodic_from(const HeapRule& rule, const TableInfo& info);

/// Whether the period claims, for heaps below `verified_to`, as many equalities as a theorem about
/// the rule needs. A saltus of splits and all-but sets need more than equalities.
bool equalities_suffice(const HeapRule& rule, const PeriodReport& period);

/// Returns the fault of the claimed period, if there is one. The checks are:
/// - certified: the theorem applies to the rule and its bound lies within the heaps compared;
///   G(n + p) = G(n) + saltus for every stored heap from the preperiod on; preperiod and period
///   cannot be made smaller; for all-but sets the values used recur; a saltus of splits is proved
///   anew (theory/saltus_theorem.hpp); the sparse space of a window certificate is that of the
///   values (window_check.hpp);
/// - candidate: the equalities that were seen.
///
/// Nothing is known if a stop was requested.
/// @param largest no stored value is larger
std::optional<WrongValue> check_period(const TableReader& table, const HeapRule& rule,
                                       Nimber largest, Executor& executor, std::stop_token stop);

}  // namespace grundy
