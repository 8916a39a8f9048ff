/// @file
/// Ranges `a..b` of the numbers of a set, as all notations of one heap have them.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include <fmt/format.h>

#include <grundy/types.hpp>

#include "core/text_cursor.hpp"
#include "games/heap/notation.hpp"

namespace grundy {

/// Adds first .. last to the elements. @param place where the range stands in the text
/// @throws Error(kUsage) if the range is empty or the set becomes too large
inline void append_range(const TextCursor& text, std::size_t place, HeapSize first, HeapSize last,
                         std::vector<HeapSize>& elements) {
  if (last < first) text.fail_at(place, "the range ends before it begins");
  if (last - first >= kMaxElements || elements.size() + (last - first) >= kMaxElements) {
    text.fail_at(place, fmt::format("the set has more than {} numbers", kMaxElements));
  }
  for (HeapSize n = first; n < last; ++n) elements.push_back(n);
  elements.push_back(last);
}

}  // namespace grundy
