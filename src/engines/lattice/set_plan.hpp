/// @file
/// A lattice rule as sets of values: which sets hold the options of a position, and which take its
/// value. The engine frontier_engine.hpp runs it.
///
/// Heaps are in *slab order* here: y[0] changes slowest. In a sorted table y descends, so that y[0]
/// is the largest heap and the order of positions is that of their ranks; otherwise y is the
/// position itself. A *slab* is all positions of one y[0].
///
/// | primitive | the set of a position p | its change when p has the value g |
/// |---|---|---|
/// | ray v, all multiples | of the line of p | takes g |
/// | box H, two heaps or more | S(p - 1_H), where S(q) holds the values of all positions that are
/// at most q in H and equal elsewhere | S(p) = {g} and the union of the S(p - e_i), i in H |
/// | band of width a | of the diagonal of p; first it takes the values of p - (1, 1 + e) and of
/// p - (1 + e, 1), e < a: the others were options of p - (1, 1) | none |
/// | chomp, rows i..k cut to j | i = k: of the line, as a ray. i < k: P(J) for J = y[k], the values
/// of the positions in which rows i..k have j squares each, j < J | if rows i..k of p have J
/// squares each, P(J + 1) = P(J) and g | | ends | of the line of a heap, if those before it (behind
/// it) are empty | takes g |
///
/// In a sorted table positions stand for all their permutations, and sets that a permutation of the
/// heaps carries into each other are one. S is kept for two slabs if H contains y[0], else for one;
/// sets with y[0] fixed live for a *window* of a few slabs and are emptied when they are used
/// again.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <grundy/lattice/rule.hpp>
#include <grundy/lattice/tile.hpp>

namespace grundy {

/// When a position has a set.
struct SetCondition {
  static constexpr std::uint8_t kNone = 255;

  std::uint8_t empty = 0;                        ///< bit i: y[i] == 0
  std::uint8_t nonempty = 0;                     ///< bit i: y[i] > 0
  bool some_token = false;                       ///< not the origin
  std::uint8_t above = kNone, below = 0;         ///< y[above] > y[below]
  std::uint8_t equal_first = 0, equal_last = 0;  ///< y[equal_first] == .. == y[equal_last]

  [[nodiscard]] bool holds(const Point& y) const noexcept;
};

/// A numbering of (some coordinates of) positions: a sum of one table entry a heap, modulo 2^64.
struct SetNumber {
  std::uint64_t base = 0;
  std::array<std::vector<std::uint64_t>, kMaxLatticeHeaps> part;  ///< empty: no contribution

  [[nodiscard]] std::uint64_t operator()(const Point& y) const noexcept {
    std::uint64_t n = base;
    for (unsigned i = 0; i < kMaxLatticeHeaps; ++i) {
      if (!part[i].empty()) n += part[i][y[i]];
    }
    return n;
  }
};

/// The set of a position.
struct SetAccess {
  SetNumber number;
  SetCondition when;
};

/// A set that becomes the union of others and the value of the position.
struct SetUpdate {
  SetAccess into;
  std::vector<SetAccess> from;
};

/// A set that takes the values of p - s, for all s of `steps`, before it is read.
struct SetGather {
  SetAccess set;
  std::vector<Point> steps;
};

/// The sets of a rule in a shape.
struct SetPlan {
  unsigned heaps = 0;
  bool sorted = false;
  std::array<std::uint32_t, kMaxLatticeHeaps> extent{};  ///< in slab order

  std::vector<SetAccess> marked;   ///< hold options and take the value
  std::vector<SetAccess> read;     ///< hold options only
  std::vector<SetGather> gathers;  ///< hold options only
  std::vector<SetUpdate> updates;  ///< in this order, after the value is known
  std::vector<Point> vectors;      ///< further options p - v
  SetNumber position;              ///< the number of a position in the order of the table

  std::uint64_t sets = 0;
  bool thin = false;  ///< slabs must come one by one: S is kept
  /// Sets first + w * stride, w = y[0] mod `window`, and up belong to one slab.
  struct Window {
    std::uint64_t first, stride;
  };
  std::uint32_t window = 0;
  std::vector<Window> windows;

  /// The largest number of tokens from one heap among vectors and gathered steps.
  [[nodiscard]] std::uint32_t reach() const noexcept;
};

/// @param window how many consecutive slabs are worked on at the same time, at most
/// @pre the primitives are rays, bands, boxes, chomp (sorted shape only), ends or pass
SetPlan make_set_plan(const LatticeRule& rule, const LatticeShape& shape, std::uint32_t window);

}  // namespace grundy
