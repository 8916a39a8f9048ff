/// @file
/// What one digit of a code allows, by the number of heaps that are left: the one place where
/// engines read digits. (Proofs and the reference engine read them by themselves.)
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include <grundy/heap/rule.hpp>

namespace grundy {

struct DigitMoves {
  /// Into exactly so many nonempty heaps.
  struct Split {
    unsigned heaps;  ///< 2 or more
    SplitConstraint constraint;
  };

  bool whole = false;         ///< no token may be left
  bool single = false;        ///< one heap may be left
  std::vector<Split> splits;  ///< ascending
  /// Every number of heaps from 2 on that is above `explicit_heaps` is allowed so, too.
  std::optional<SplitConstraint> beyond;
  unsigned explicit_heaps = 0;

  explicit DigitMoves(const Digit& digit);
};

}  // namespace grundy
