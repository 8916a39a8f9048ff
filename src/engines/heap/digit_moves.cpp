// SPDX-License-Identifier: MIT
#include "engines/heap/digit_moves.hpp"

namespace grundy {

DigitMoves::DigitMoves(const Digit& digit)
    : whole(digit.constraint(0)), single(digit.constraint(1)), explicit_heaps(digit.max_heaps()) {
  for (unsigned k = 2; k <= explicit_heaps; ++k) {
    if (const auto constraint = digit.constraint(k)) splits.push_back({k, *constraint});
  }
  if (digit.and_more) beyond = digit.constraint(explicit_heaps);
}

}  // namespace grundy
