/// @file
/// The bounds of a family between braces, `{max<=512,size=3}`.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

#include "core/text_cursor.hpp"

namespace grundy {

/// How large the members of a family are, and how many there are in a set.
struct FamilyBounds {
  std::uint64_t largest = 0;
  std::uint64_t size = 0;
};

/// Reads both bounds, in either order, and the brace behind them. The brace in front is read.
/// Counts are as in parse_count(). @param relation of the size: `=` or `<=`
/// @throws Error with the place and what was expected there
FamilyBounds read_bounds(TextCursor& text, std::string_view relation);

}  // namespace grundy
