/// @file
/// What the parser and the printer of lattice rules share.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <grundy/lattice/rule.hpp>

namespace grundy {

inline constexpr std::size_t kMaxPrimitives = 4096;
inline constexpr std::size_t kMaxMultiples = std::size_t{1} << 16;

/// A family's word in the notation, and its moves in English.
struct NamedFamily {
  Family family;
  std::string_view word;
  std::string_view words;
};

inline constexpr std::array<NamedFamily, 5> kFamilies = {{
    {Family::kChomp, "chomp",
     "choose a heap and a number j below its size, cut this heap to j and every smaller heap, and "
     "any of the equal heaps behind it, to at most j, but never leave all heaps empty"},
    {Family::kEuclid, "euclid",
     "take a positive multiple of the smaller heap from the larger, which must not become empty"},
    {Family::kEuclidToZero, "euclid0",
     "take a positive multiple of the smaller heap, if it is not empty, from the larger"},
    {Family::kEnds, "ends",
     "take any number of tokens from the first or from the last nonempty heap of the row"},
    {Family::kBalanced, "balanced",
     "take amounts from the heaps, not all zero, whose nim-sum is zero"},
}};
inline constexpr std::string_view kPassWord = "pass";

constexpr const NamedFamily& named(Family family) noexcept {
  return *std::ranges::find(kFamilies, family, &NamedFamily::family);
}

/// Where a text stands, for messages about it.
struct TextOrigin {
  std::string name = "lattice rule";  ///< of the text, or of the file that it is part of
  std::uint64_t line = 1, column = 1;
};

/// Reads terms joined by '+' and adds them to `moves`, whose number of heaps is known.
/// @throws Error(kUsage) with name, line and column, and what was expected there
void parse_terms(std::string_view text, const TextOrigin& origin, LatticeMoves& moves);

}  // namespace grundy
