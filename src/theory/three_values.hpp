/// @file
/// Nim-sums of three values that grow by multiples of a saltus, bit by bit.
///
/// x + y + z = (x xor y xor z) + 2 maj(x, y, z), where maj has the bits that two of the three have.
/// So a nim-sum of values with a known sum is given by their majority. Do f_j + q_j s_j have a
/// given majority and nim-sum for some q_j >= 0? This is a question about the lowest bits, which
/// the parities of the q_j decide, and the same question about the halves.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include <grundy/types.hpp>

namespace grundy {

/// Three values f_j + q_j s_j with unknown q_j >= 0 whose bitwise majority is asked for.
struct ThreeValues {
  struct Term {
    std::uint64_t value = 0;  ///< f
    bool grows = false;       ///< the value may grow by multiples of the saltus
    friend auto operator<=>(const Term&, const Term&) = default;
  };
  std::array<Term, 3> terms;
  std::uint64_t majority = 0;

  friend auto operator<=>(const ThreeValues&, const ThreeValues&) = default;

  /// Whether the values have the majority as they are, with all q_j = 0.
  [[nodiscard]] bool solved() const noexcept {
    const auto& [x, y, z] = terms;
    return ((x.value & y.value) | (x.value & z.value) | (y.value & z.value)) == majority;
  }
  [[nodiscard]] std::uint64_t nim_sum() const noexcept {
    return terms[0].value ^ terms[1].value ^ terms[2].value;
  }

  /// Calls body(rest, bit) for all parities of the q_j that give the lowest bit of the majority:
  /// the question about the halves, terms ascending, and the lowest bit of the nim-sum.
  template <class Body>
  void for_each_half(Nimber saltus, Body body) const {
    for (unsigned odd = 0; odd < 8; ++odd) {
      ThreeValues rest = *this;
      bool possible = true;
      for (unsigned j = 0; j < 3; ++j) {
        if ((odd >> j & 1u) == 0) continue;
        possible = possible && rest.terms[j].grows;
        rest.terms[j].value += saltus;
      }
      const auto ones =
          (rest.terms[0].value & 1u) + (rest.terms[1].value & 1u) + (rest.terms[2].value & 1u);
      if (!possible || ones / 2 != (majority & 1u)) continue;
      for (Term& term : rest.terms) term.value >>= 1;
      rest.majority >>= 1;
      std::ranges::sort(rest.terms);
      body(rest, ones & 1u);
    }
  }
};

}  // namespace grundy
