/// @file
/// The window certificate of a table or a class (theory/sparse_certificate.hpp), proved anew from
/// its values.
///
/// The numbers in the file are claims. Arithmetic shows that they suffice, and the values show that
/// they are true: every heap below `verified_to` is common except the rare ones that are counted,
/// and in the one period before that heap every smaller value of the rare type has a witness no
/// deeper than claimed. This takes O(1) for each heap below. A heap of the period takes as many
/// splits as it needs to meet those values, at most D.
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <grundy/heap/rule.hpp>
#include <grundy/machine.hpp>
#include <grundy/period.hpp>
#include <grundy/verify.hpp>

#include "verify/heap/period_check.hpp"

namespace grundy {

/// Whether the claims, if they are true, prove the period of the rule. @pre period.sparse
bool window_certificate_applies(const HeapRule& rule, const PeriodReport& period);

/// The first claim about the sparse space that the values refute, if there is one.
/// @pre window_certificate_applies(), and G(n + p) = G(n) holds for the stored values
std::optional<WrongValue> check_window_certificate(const ValuesClaim& claim, const HeapRule& rule,
                                                   Executor& executor);

}  // namespace grundy
