/// @file
/// How far a sequence agrees with itself, for every shift at once.
///
/// The Z function (Main and Lorentz 1984; Gusfield 1997, ch. 1): the match length at shift i is the
/// largest m with at(j) == at(i + j) for all j < m. One pass computes all of them in O(length)
/// comparisons: inside the match that reaches furthest right a shift repeats an earlier answer, and
/// only values beyond that match are compared. The result is exact; nothing is hashed.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <memory>

namespace grundy {

/// Calls `visit(shift, match)` for shift = 1, 2, .., max_shift until it returns true. Matches
/// longer than `cap` are reported as `cap`. `Index` must hold `length`. Memory: min(max_shift, cap)
/// entries of type Index.
/// @pre max_shift <= length
template <std::unsigned_integral Index, class At, class Visit>
void for_each_self_overlap(std::size_t length, std::size_t max_shift, std::size_t cap, At at,
                           Visit visit) {
  // A look-up is always at an index below the length of some match, hence below `cap`.
  const std::size_t kept = std::min(max_shift, cap) + 1;
  const auto match_at = std::make_unique_for_overwrite<Index[]>(kept);
  std::size_t left = 0, right = 0;  // the match [left, right) that reaches furthest
  for (std::size_t shift = 1; shift <= max_shift; ++shift) {
    const std::size_t longest = std::min(cap, length - shift);
    std::size_t match = 0;
    if (shift < right) {
      match = std::min<std::size_t>({match_at[shift - left], right - shift, longest});
    }
    if (shift + match >= right) {
      while (match < longest && at(match) == at(shift + match)) ++match;
      left = shift;
      right = shift + match;
    }
    if (shift < kept) match_at[shift] = static_cast<Index>(match);
    if (visit(shift, match)) return;
  }
}

}  // namespace grundy
