/// @file
/// Nim-sums of values that grow by multiples of a saltus, bit by bit.
///
/// The sum of values exceeds their nim-sum by twice their *carry*: the sum of 2^b floor(m / 2) over
/// all bits b, where m of the values have bit b. (The carry of three values has the bits that two
/// of them have.) So a nim-sum of values with a known sum is given by their carry. Do f_j + q_j s
/// have a given carry and nim-sum for some q_j >= 0? This is a question about the lowest bits,
/// which the parities of the q_j decide, and the same question about the halves.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <grundy/types.hpp>

namespace grundy {

/// Values f_j + q_j s with unknown q_j >= 0 whose carry is asked for.
struct GrowingValues {
  struct Term {
    std::uint64_t value = 0;  ///< f
    bool grows = false;       ///< the value may grow by multiples of the saltus; if not, q = 0
    friend auto operator<=>(const Term&, const Term&) = default;
  };
  std::vector<Term> terms;  ///< in ascending order
  std::uint64_t carry = 0;

  friend auto operator<=>(const GrowingValues&, const GrowingValues&) = default;

  [[nodiscard]] std::uint64_t sum() const noexcept {
    std::uint64_t total = 0;
    for (const Term& term : terms) total += term.value;
    return total;
  }
  [[nodiscard]] std::uint64_t nim_sum() const noexcept {
    std::uint64_t total = 0;
    for (const Term& term : terms) total ^= term.value;
    return total;
  }
  /// Whether the values have the carry as they are, with all q_j = 0.
  [[nodiscard]] bool solved() const noexcept { return sum() == nim_sum() + 2 * carry; }

  /// Puts the terms in order and drops those that are always 0.
  void normalize() {
    std::erase(terms, Term{});
    std::ranges::sort(terms);
  }

  /// Takes the lowest bits away, where 2^bits divides the saltus: what is left is the question
  /// about the rest, with the saltus divided by 2^bits. Returns false if there is no solution,
  /// because the q_j do not change these bits, and they do not have the carry.
  [[nodiscard]] bool drop_fixed_bits(unsigned bits) {
    for (; bits > 0; --bits) {
      std::uint64_t ones = 0;
      for (Term& term : terms) {
        ones += term.value % 2;
        term.value /= 2;
      }
      if (ones / 2 > carry || (carry - ones / 2) % 2 != 0) return false;
      carry = (carry - ones / 2) / 2;
    }
    return true;
  }

  /// Calls body(rest, bit) for all parities of the q_j that the carry allows: the question about
  /// the halves, and the lowest bit of the nim-sum. Of equal terms only their number of odd q_j
  /// counts.
  template <class Body>
  void for_each_half(Nimber saltus, const Body& body) const {
    GrowingValues rest{std::vector<Term>(terms.size()), 0};
    choose_parity(saltus, 0, false, 0, rest, body);
  }

 private:
  template <class Body>
  void choose_parity(Nimber saltus, std::size_t j, bool last_odd, std::uint64_t ones,
                     GrowingValues& rest, const Body& body) const {
    if (ones / 2 > carry) return;
    if (j == terms.size()) {
      if ((carry - ones / 2) % 2 != 0) return;
      GrowingValues half{rest.terms, (carry - ones / 2) / 2};
      half.normalize();
      body(half, ones & 1u);
      return;
    }
    const Term& term = terms[j];
    const bool equal_to_odd = last_odd && term == terms[j - 1];
    for (unsigned odd = equal_to_odd ? 1 : 0; odd <= (term.grows ? 1u : 0u); ++odd) {
      const std::uint64_t value = term.value + std::uint64_t{odd} * saltus;
      rest.terms[j] = {value / 2, term.grows};
      choose_parity(saltus, j + 1, odd != 0, ones + value % 2, rest, body);
    }
  }
};

}  // namespace grundy
