/// @file
/// Sets of numbers of tokens that a move may remove.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include <grundy/types.hpp>

namespace grundy {

/// A subtraction game.
struct SubtractionRule {
  enum class Kind : std::uint8_t {
    kFinite,
    kAllBut,
    kSquares,
    kPrimes,
    kFactorials,
    kFibonacci,
    kPowersOfTwo
  };
  Kind kind = Kind::kFinite;
  /// kFinite: the set; kAllBut: its complement; ascending, distinct, positive. Else empty.
  std::vector<HeapSize> elements;

  /// All s <= limit that may be removed, ascending.
  [[nodiscard]] std::vector<HeapSize> allowed_up_to(HeapSize limit) const;
  friend bool operator==(const SubtractionRule&, const SubtractionRule&) = default;
};

}  // namespace grundy
