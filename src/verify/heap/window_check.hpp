/// @file
/// The window certificate of a table (theory/sparse_certificate.hpp), proved anew from its
/// values.
///
/// The numbers in the file are claims. That they suffice is arithmetic; that they are true is read
/// from the table: every heap below `verified_to` is common but for the rare ones that are counted,
/// and in the one period before that heap every smaller value of the rare type has a witness no
/// deeper than it is said. That takes O(1) for each heap below, and for each heap of the period as
/// many splits as it takes to meet those values, D at most.
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <grundy/heap/rule.hpp>
#include <grundy/machine.hpp>
#include <grundy/period.hpp>
#include <grundy/table.hpp>
#include <grundy/verify.hpp>

namespace grundy {

/// Whether the claims, if true, prove the period of the rule. @pre period.sparse
bool window_certificate_applies(const HeapRule& rule, const PeriodReport& period);

/// The first claim about the sparse space that the values of the table refute, if any.
/// @param largest no stored value is larger
/// @pre window_certificate_applies(), and G(n + p) = G(n) holds for the stored values
std::optional<WrongValue> check_window_certificate(const TableReader& table, const HeapRule& rule,
                                                   Nimber largest, Executor& executor);

}  // namespace grundy
