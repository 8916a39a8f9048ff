/// @file
/// Shared by the parser and the printer of lattice rules.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <grundy/lattice/rule.hpp>

#include "core/text_cursor.hpp"

namespace grundy {

inline constexpr std::size_t kMaxPrimitives = 4096;
inline constexpr std::size_t kMaxMultiples = std::size_t{1} << 16;

/// A family with its word in the notation, and its moves in English.
struct NamedFamily {
  LatticeFamily family;
  std::string_view word;
  std::string_view words;
};

inline constexpr std::array<NamedFamily, 5> kFamilies = {{
    {LatticeFamily::kChomp, "chomp",
     "choose a heap and a number j below its size, cut this heap, any of those equal to it and "
     "every "
     "smaller heap to at most j, but never leave all heaps empty"},
    {LatticeFamily::kEuclid, "euclid",
     "take a positive multiple of the smaller heap from the larger, which must not become empty"},
    {LatticeFamily::kEuclidToZero, "euclid0",
     "take a positive multiple of the smaller heap, if it is not empty, from the larger, or from "
     "either of two equal heaps"},
    {LatticeFamily::kEnds, "ends",
     "take any number of tokens from the first or from the last nonempty heap of the row"},
    {LatticeFamily::kBalanced, "balanced",
     "take amounts from the heaps, not all zero, whose nim-sum is zero"},
}};
inline constexpr std::string_view kPassWord = "pass";
inline constexpr std::string_view kMisereWord = "misere";

constexpr const NamedFamily& named(LatticeFamily family) noexcept {
  return *std::ranges::find(kFamilies, family, &NamedFamily::family);
}

/// Reads terms joined by '+' and adds them to `moves`, whose number of heaps is known.
/// @throws Error that says, in `origin`, the place and what was expected there
void parse_terms(std::string_view text, const TextOrigin& origin, LatticeMoves& moves);

}  // namespace grundy
