/// @file
/// The period of one subtraction set, found with level sets.
///
/// Level set v has bit n set if heap n has the value v. If w is at most the least move, the heaps
/// n .. n + w - 1 have no options among each other. Then their options of value v are one word of
/// level set v for each move, and their values follow from an OR over moves and one mask for each
/// value. This takes some ten instructions for each move and up to 56 heaps.
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include <grundy/census.hpp>

namespace grundy::atlas {

class SetPeriodSearch {
 public:
  /// @param last the largest heap that may be computed
  explicit SetPeriodSearch(HeapSize last) : last_(last) {}

  /// @pre 1 to 8 moves, ascending
  SetPeriod find(std::span<const HeapSize> moves);

 private:
  template <std::size_t kMoves>
  SetPeriod find_of(std::span<const HeapSize> moves);

  HeapSize last_;
  std::vector<unsigned char> levels_;  ///< kept from set to set
};

}  // namespace grundy::atlas
