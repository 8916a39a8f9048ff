/// @file
/// The moves of one digit of a code, by the number of heaps that are left. This is the one place
/// where engines read digits. (Proofs and the reference engine read them by code of their own.)
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include <grundy/heap/rule.hpp>

namespace grundy {

struct DigitMoves {
  /// A split into exactly this many nonempty heaps.
  struct Split {
    unsigned heaps;  ///< 2 or more
    SplitConstraint constraint;
  };

  bool whole = false;         ///< no token may be left
  bool single = false;        ///< one heap may be left
  std::vector<Split> splits;  ///< ascending
  /// Constraint for all numbers of heaps above `explicit_heaps`, from 2 on, if they are allowed.
  std::optional<SplitConstraint> beyond;
  unsigned explicit_heaps = 0;

  explicit DigitMoves(const Digit& digit);
};

}  // namespace grundy
