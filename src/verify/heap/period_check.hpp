/// @file
/// The period that a table or a class of a family claims, checked on its stored values.
// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <stop_token>

#include <grundy/heap/rule.hpp>
#include <grundy/machine.hpp>
#include <grundy/table.hpp>
#include <grundy/verify.hpp>

namespace grundy {

/// A period that is claimed, and the values that must bear it out.
struct ValuesClaim {
  const PeriodReport& period;
  HeapSize count;     ///< there are values of heaps 0 .. count - 1
  HeapSize computed;  ///< heaps below were computed; those from here on follow from the period
  Nimber largest;     ///< no value is larger
  HeapSize piece;     ///< as many heaps are best read at a time
  /// Copies the values of heaps begin .. begin + out.size() - 1. Any thread.
  std::function<void(HeapSize begin, std::span<Nimber> out)> read;
};

/// What a table claims. @param table must outlive the claim
ValuesClaim claim_of(const TableReader& table);

/// What is claimed of values in memory, all of them computed. Both must outlive the claim.
ValuesClaim claim_of(const PeriodReport& period, std::span<const Nimber> values);

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
/// @pre a claimed period is not 0, and preperiod + period is at most claim.computed
std::optional<WrongValue> check_period(const ValuesClaim& claim, const HeapRule& rule,
                                       Executor& executor, std::stop_token stop);

}  // namespace grundy
