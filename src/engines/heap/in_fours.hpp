/// @file
/// The order of heaps for filter_pairs(): those that share loads come first.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "kernels/filter_kernels.hpp"

namespace grundy {

/// Writes the numbers below `count` that are wanted to `which`, which has room for `count`: first
/// those of heaps that share loads, four by four. Returns how many there are. Asks once for each.
template <class Wanted>
std::size_t in_fours(std::size_t count, const Wanted& wanted, std::uint32_t* which) {
  constexpr std::size_t kFour = 4 * kFilterApart;
  std::uint32_t* fours = which;           // their end
  std::uint32_t* others = which + count;  // their begin
  for (std::size_t i = 0; i < count; i += i % kFour == kFilterApart - 1 ? kFour - i % kFour : 1) {
    std::uint32_t own[4];
    std::size_t some = 0;
    for (std::size_t k = i; k < std::min(count, i + kFour); k += kFilterApart) {
      if (wanted(k)) own[some++] = static_cast<std::uint32_t>(k);
    }
    if (some == 4) {
      fours = std::copy_n(own, 4, fours);
    } else {
      others = std::copy_backward(own, own + some, others);
    }
  }
  if (others != fours)
    fours = std::copy(others, which + count, fours);
  else
    fours = which + count;
  return static_cast<std::size_t>(fours - which);
}

}  // namespace grundy
