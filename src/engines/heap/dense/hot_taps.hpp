/// @file
/// Finds the options of a heap that have the scarce values, those that few options have.
///
/// A *tap* is one heap of a pair, seen from all heaps: remove `take` tokens and put heap `first`
/// beside the rest. Values below a mex differ much in the number of pairs that have them, and the
/// scarce ones come from few taps: in .007 and .06 at 2^17 heaps, 2 % of the taps reach about 90 %
/// of the values that 20 pairs or fewer have. These *hot* taps stay hot while the table grows by a
/// third.
///
/// They are learned by counting, over a sample of heaps. If there are rare heaps (Winning Ways'
/// sparse space), the count finds them, but it needs no split of the values. Only speed depends on
/// the count. Cost: the pairs of a few dozen heaps, one after another.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "engines/heap/two_heap_moves.hpp"

namespace grundy {

struct HotTap {
  HeapSize take;
  HeapSize first;
  bool unequal;  ///< the other heap must differ in size, under some split that this one serves
};

/// The `count` hottest taps of LaggedSplits, in no particular order, or all if there are fewer.
/// They are judged by heaps below `heaps`, whose values are all below `bound`.
template <class T>
std::vector<HotTap> hot_taps(const std::vector<SplitMove>& splits, const T* values, HeapSize heaps,
                             std::size_t bound, std::size_t count);

}  // namespace grundy
