/// @file
/// Random rules of several heaps, for tests of properties.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <ostream>
#include <span>

#include <rapidcheck.h>

#include <grundy/lattice/rule.hpp>

namespace grundy {

/// How rapidcheck shows a rule that fails.
inline void showValue(const LatticeRule& rule, std::ostream& out) {
  out << rule.canonical();
}

namespace testing_support {

inline std::uint32_t below(std::uint32_t n) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::uint32_t>(0, n));
}

inline LatticeRay random_ray(unsigned heaps) {
  LatticeRay ray;
  while (ray.step == LatticePoint{}) {
    for (unsigned i = 0; i < heaps; ++i) ray.step[i] = below(3) == 0 ? below(4) : below(2);
  }
  if (below(2) == 0) ray.multiples.assign(1, 1);
  if (below(4) == 0) ray.multiples = {1 + below(3), 4 + below(3)};
  return ray;
}

inline void add_images(LatticeMoves& moves) {
  const auto rays = moves.rays;
  for (LatticeRay image : rays) {
    const std::span<std::uint32_t> step = std::span(image.step).first(moves.heaps);
    std::ranges::sort(step);
    do {
      moves.rays.push_back(image);
    } while (std::ranges::next_permutation(step).found);
  }
}

/// A rule with all primitives of the dimension, few and small enough for the reference; or with
/// rays, vectors and a band of two heaps only.
inline rc::Gen<LatticeRule> random_rule(unsigned heaps, bool lines) {
  return rc::gen::exec([=] {
    LatticeMoves moves;
    moves.heaps = heaps;
    const unsigned primitives = 1 + below(4);
    for (unsigned i = 0; i < primitives; ++i) {
      const unsigned kind = lines ? 0 : below(5);
      if (kind == 3) {
        moves.boxes.push_back({1 + below((1u << heaps) - 1)});
      } else if (kind == 4) {
        const unsigned first = below(heaps - 1);
        moves.bands.push_back({first, first + 1 + below(heaps - 1 - first), 1 + below(4)});
      } else {
        moves.rays.push_back(random_ray(heaps));
      }
    }
    // The engine of lines takes a band beside these rays.
    if (lines && heaps == 2 && below(3) == 0) {
      moves.rays.push_back({.step = {1, 0}, .multiples = {}});
      moves.rays.push_back({.step = {0, 1}, .multiples = {}});
      moves.bands.push_back({0, 1, below(4) == 0 ? 5 + below(20) : 1 + below(4)});
    }
    if (!lines && below(8) == 0) moves.families.push_back(LatticeFamily::kChomp);
    if (!lines && below(8) == 0) moves.families.push_back(LatticeFamily::kEnds);
    if (!lines && below(16) == 0) moves.families.push_back(LatticeFamily::kBalanced);
    if (!lines && heaps == 2 && below(8) == 0) {
      if (below(4) != 0) moves = LatticeMoves();  // alone
      moves.families.push_back(below(2) == 0 ? LatticeFamily::kEuclid
                                             : LatticeFamily::kEuclidToZero);
    }
    moves.pass = below(6) == 0;
    moves.misere = below(3) == 0;
    // Of more heaps a step may have more images than a rule may have primitives.
    if (heaps <= 6 && below(2) == 0) add_images(moves);
    return LatticeRule(moves);
  });
}

}  // namespace testing_support
}  // namespace grundy
