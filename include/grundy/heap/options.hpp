/// @file
/// The moves in one heap, one by one, from the definition of the game.
// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <limits>
#include <vector>

#include <grundy/error.hpp>
#include <grundy/heap/rule.hpp>
#include <grundy/sink.hpp>
#include <grundy/types.hpp>

namespace grundy {

/// One move in one heap.
struct HeapMove {
  HeapSize taken = 0;          ///< tokens removed; 0 for a mere split
  std::vector<HeapSize> left;  ///< the heaps in its place, ascending; empty if it is gone

  friend bool operator==(const HeapMove&, const HeapMove&) = default;
};

/// No bound on the heaps of a move.
inline constexpr HeapSize kNoBound = std::numeric_limits<HeapSize>::max();

/// Calls `visit` once for every option of a heap of n tokens: fewest tokens taken first, then
/// fewest heaps left, then smallest heaps first. kStop from `visit` ends it. An option is visited
/// only if all of its heaps but the largest have at most `most_small` tokens. To pass is not among
/// them (HeapRule::pass()): it leaves the heap without its pass, which has no number.
/// O(1) for each option of at most two heaps; for formulas, O(n) evaluations.
/// @throws Error(kUsage) if a formula gives an option that is no smaller heap, or has numbers too
/// large
void for_each_option(const HeapRule& rule, HeapSize n,
                     const std::function<Flow(const HeapMove&)>& visit,
                     HeapSize most_small = kNoBound);

}  // namespace grundy
