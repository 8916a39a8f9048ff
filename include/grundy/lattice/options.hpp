/// @file
/// The options of a position of several heaps, one by one, from the definition of the game.
// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include <grundy/lattice/rule.hpp>
#include <grundy/types.hpp>

namespace grundy {

/// Calls `visit` with every option of p, in no particular order; options may repeat. Heaps keep
/// their places, so an option of a sorted position need not be sorted. To pass is not among them.
/// O(1) for each option; for Chomp, O(2^heaps) besides.
void for_each_option(const LatticeRule& rule, const LatticePoint& p,
                     const std::function<void(const LatticePoint&)>& visit);
/// Does the same for p in a plane (LatticeRule::planes()), and passes the plane of each option. The
/// pass comes last: it may be used once, from a position that has another option.
/// @pre plane < rule.planes()
void for_each_option(const LatticeRule& rule, const LatticePoint& p, unsigned plane,
                     const std::function<void(const LatticePoint&, unsigned)>& visit);

/// Whether p has no option. O(primitives); O(2^heaps) for Chomp.
bool is_terminal(const LatticeRule& rule, const LatticePoint& p);

/// An upper bound of the options that for_each_option() tries for p; repeated options count every
/// time. To pass is not among them. O(primitives); O(2^heaps) for Chomp.
double option_bound(const LatticeRule& rule, const LatticePoint& p) noexcept;

}  // namespace grundy
