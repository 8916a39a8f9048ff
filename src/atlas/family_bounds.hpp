/// @file
/// The bounds of a family in braces, such as `{max<=512,size=3}`.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

#include "core/text_cursor.hpp"

namespace grundy {

/// The largest member of the sets of a family, and the number of members of a set.
struct FamilyBounds {
  std::uint64_t largest = 0;
  std::uint64_t size = 0;
};

/// Reads both bounds, in either order, and the closing brace. The opening brace has been read
/// before. Counts are as in parse_count(). @param relation of the size: `=` or `<=`
/// @throws Error with the place and what was expected there
FamilyBounds read_bounds(TextCursor& text, std::string_view relation);

}  // namespace grundy
