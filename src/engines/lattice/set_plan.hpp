/// @file
/// A lattice rule as sets of values. Tells which sets hold the options of a position, and which
/// sets take its value. The engine `frontier` runs it.
///
/// Heaps are in *slab order* here: y[0] changes slowest. In a sorted table y descends, so that y[0]
/// is the largest heap and the order of positions is that of their ranks; otherwise y is the
/// position itself. A *slab* is all positions of one y[0].
///
/// Which set a primitive gives a position p, and how the set changes when p has the value g:
///
// clang-format off
/// | primitive        | the set of p                                | its change                    |
/// |------------------|---------------------------------------------|-------------------------------|
/// | ray v            | that of the line of p, all multiples        | takes g                       |
/// | box H            | S(p - 1_H)                                  | S(p) = {g} and all S(p - e_i) |
/// | band of width a  | that of the diagonal of p                   | before p is computed          |
/// | chomp rows k..k  | that of the line of p, as for a ray         | takes g                       |
/// | chomp rows i..k  | P(y[k])                                     | P(J + 1) = P(J) and g         |
/// | ends             | that of the line of a heap                  | takes g                       |
// clang-format on
///
/// *Box*, of two heaps or more: S(q) holds the values of all positions that are at most q in the
/// heaps H and equal to q in the other heaps. The union in S(p) is over the heaps i in H.
///
/// *Band*: before p is computed, the set takes the values of p - (1, 1 + e) and p - (1 + e, 1) for
/// 0 <= e < a. The other options of p were options of p - (1, 1).
///
/// *Chomp* with i < k: P(J) holds the values of the positions in which rows i..k have j squares
/// each, for all j < J. It changes if rows i..k of p have J squares each.
///
/// *Ends*: p has this set if all heaps before the heap are empty, or all heaps after it.
///
/// In a sorted table a position stands for all its permutations. Two sets are one if a permutation
/// of the heaps maps one to the other. S is kept for two slabs if H contains y[0], and for one slab
/// otherwise. A set with y[0] fixed exists as long as its slab is in the *window* of the last few
/// slabs; then it is emptied and used for another slab.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <grundy/lattice/rule.hpp>
#include <grundy/lattice/tile.hpp>

namespace grundy {

/// The condition under which a position has a set.
struct SetCondition {
  static constexpr std::uint8_t kNone = 255;

  std::uint8_t empty = 0;                        ///< bit i: y[i] == 0
  std::uint8_t nonempty = 0;                     ///< bit i: y[i] > 0
  bool some_token = false;                       ///< not the origin
  std::uint8_t above = kNone, below = 0;         ///< y[above] > y[below]
  std::uint8_t equal_first = 0, equal_last = 0;  ///< y[equal_first] == .. == y[equal_last]

  [[nodiscard]] bool holds(const LatticePoint& y) const noexcept;
};

/// Numbers positions, or some of their coordinates: the sum of one table entry for each heap,
/// modulo 2^64.
struct SetNumber {
  std::uint64_t base = 0;
  std::array<std::vector<std::uint64_t>, kMaxLatticeHeaps> part;  ///< empty: no contribution

  [[nodiscard]] std::uint64_t operator()(const LatticePoint& y) const noexcept {
    std::uint64_t n = base;
    for (unsigned i = 0; i < kMaxLatticeHeaps; ++i) {
      if (!part[i].empty()) n += part[i][y[i]];
    }
    return n;
  }
};

/// Finds a set of a position.
struct SetAccess {
  SetNumber number;
  SetCondition when;
};

/// A set that becomes the union of other sets and the value of the position.
struct SetUpdate {
  SetAccess into;
  std::vector<SetAccess> from;
};

/// A set that takes the values of p - s, for all s in `steps`, before p reads it.
struct SetGather {
  SetAccess set;
  std::vector<LatticePoint> steps;
};

/// The sets of a rule in a shape.
struct SetPlan {
  unsigned heaps = 0;
  bool sorted = false;
  std::array<std::uint32_t, kMaxLatticeHeaps> extent{};  ///< in slab order

  std::vector<SetAccess> marked;      ///< they hold options and take the value
  std::vector<SetAccess> read;        ///< they only hold options
  std::vector<SetGather> gathers;     ///< they only hold options
  std::vector<SetUpdate> updates;     ///< in this order, when the value is known
  std::vector<LatticePoint> vectors;  ///< further options p - v
  SetNumber position;                 ///< the number of a position in the order of the table

  std::uint64_t sets = 0;
  /// The `stride` sets from first + w * stride on belong to the slab y[0] in the window, where
  /// w = y[0] mod `window`.
  struct Window {
    std::uint64_t first, stride;
  };
  std::uint32_t window = 0;
  std::vector<Window> windows;

  /// The most tokens that a vector or a gathered step takes from one heap.
  [[nodiscard]] std::uint32_t reach() const noexcept;
};

/// @param window the largest number of consecutive slabs that are worked on at the same time
/// @pre the primitives are rays, bands, boxes, chomp (sorted shape only), ends or pass
SetPlan make_set_plan(const LatticeRule& rule, const LatticeShape& shape, std::uint32_t window);

}  // namespace grundy
