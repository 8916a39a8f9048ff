/// @file
/// Random rules given by formulas, made of all that the notation has. Every move of them leaves a
/// smaller heap.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace grundy::test {

/// Fills the holes of a pattern, `#` with a number from 1 to 9, `$` with a set of three.
template <class Below>
std::string filled(std::string_view pattern, Below below) {
  std::string out;
  for (const char c : pattern) {
    if (c == '#') {
      out += std::to_string(1 + below(9));
    } else if (c == '$') {
      out += '{';
      for (int i = 0; i < 3; ++i) out += (i > 0 ? "," : "") + std::to_string(below(12));
      out += '}';
    } else {
      out += c;
    }
  }
  return out;
}

/// `below(bound)` draws from 0 .. bound-1.
template <class Below>
std::string random_formula(Below below) {
  static constexpr std::array<std::string_view, 16> kTargets = {"n - d",
                                                                "n - d",
                                                                "n - #*d",
                                                                "n - d*d",
                                                                "n - #",
                                                                "floor(n/(d+1))",
                                                                "floor(n/(#+1))",
                                                                "n mod d",
                                                                "n - gcd(d, n)",
                                                                "floor((n-1)/d)",
                                                                "n - 1 - d mod #",
                                                                "d - 1",
                                                                "n - (d + #)",
                                                                "n - d - floor(n/#)",
                                                                "floor((n - d)/#)",
                                                                "(n - d) mod (# + d)"};
  static constexpr std::array<std::string_view, 34> kConditions = {"d | n",
                                                                   "not d | n",
                                                                   "gcd(d, n) = 1",
                                                                   "gcd(n, d) = 1",
                                                                   "gcd(d, n) > 1",
                                                                   "gcd(d, n) != 1",
                                                                   "d in squares",
                                                                   "d in primes",
                                                                   "d in fibonacci",
                                                                   "not d in primes",
                                                                   "not d in squares",
                                                                   "d in powers of 2",
                                                                   "d in $",
                                                                   "not d in $",
                                                                   "d mod # in $",
                                                                   "n mod # in $",
                                                                   "n mod # = 1",
                                                                   "2*d < n",
                                                                   "d*d <= n",
                                                                   "# + d*d < n",
                                                                   "n - d*d = #",
                                                                   "d*d > #*n",
                                                                   "#*d > n - #",
                                                                   "d != #",
                                                                   "d > #",
                                                                   "d <= #*#*#",
                                                                   "d + # <= n",
                                                                   "n - #*d = #",
                                                                   "d | n + #",
                                                                   "gcd(d, n + #) = 1",
                                                                   "# < d < n",
                                                                   "d <= floor(n/#)",
                                                                   "floor(n/d) mod # = 1",
                                                                   "#*d >= n mod (#*#) - d"};
  std::string text = "n -> ";
  for (std::uint64_t clauses = 1 + below(3); clauses > 0; --clauses) {
    for (std::uint64_t targets = 1 + (below(4) == 0 ? 1 : 0); targets > 0; --targets) {
      text += filled(kTargets[below(kTargets.size())], below) + (targets > 1 ? ", " : "");
    }
    for (std::uint64_t conditions = below(4), i = 0; i < conditions; ++i) {
      text += (i == 0 ? " : " : ", ") + filled(kConditions[below(kConditions.size())], below);
    }
    if (clauses > 1) text += "; ";
  }
  return text;
}

}  // namespace grundy::test
