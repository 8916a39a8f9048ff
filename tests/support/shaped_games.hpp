/// @file
/// Games of several heaps with shapes, one for each way in which tables are computed: a square, a
/// sorted square, a box without a symmetry, a box with a pass, a sorted table of three heaps.
// SPDX-License-Identifier: MIT
#pragma once

#include <grundy/lattice/tile.hpp>

namespace grundy::testing_support {

struct ShapedGame {
  const char* rule;
  LatticeShape shape;
};

inline const ShapedGame kShapedGames[] = {
    {"2: sym (1,0)* + (1,1)*", LatticeShape::cube(2, 200)},
    {"2: sym (1,0)* + (1,1)*", LatticeShape::cube(2, 200, true)},
    {"2: (1,0)* + (0,1)*{1,2} + (1,2)", {2, {90, 300}, false}},
    {"3: sym (1,0,0)* + pass", LatticeShape::cube(3, 34)},
    {"3: sym (1,0,0)* + (1,1,1)*", LatticeShape::cube(3, 40, true)}};

}  // namespace grundy::testing_support
