/// @file
/// Theorems about whole tables.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engines/lattice/lattice_testing.hpp"

namespace grundy {
namespace {

using testing_support::cube_of;

TEST(LatticeTheorems, NimIsTheNimSum) {
  for (std::uint32_t x = 0; x < 20; ++x) {
    static const auto table = cube_of("nim(3)", 20);
    for (std::uint32_t y = 0; y < 20; ++y) {
      for (std::uint32_t z = 0; z < 20; ++z) EXPECT_EQ(table.at({x, y, z}), x ^ y ^ z);
    }
  }
}

// C. L. Bouton, Annals of Mathematics 3 (1901): as in normal play, unless all heaps have one token
// at most.
TEST(LatticeTheorems, MisereNimHasTheValuesOfNimWithLargerHeaps) {
  const LatticeRule rule = LatticeRule::parse("3: sym (1,0,0)* + misere");
  for (const char* engine : {"reference", "auto"}) {
    const auto table = testing_support::table_by(engine, rule, LatticeShape::cube(3, 12));
    for (std::uint32_t x = 0; x < 12; ++x) {
      for (std::uint32_t y = 0; y < 12; ++y) {
        for (std::uint32_t z = 0; z < 12; ++z) {
          const Nimber sum = x ^ y ^ z;
          EXPECT_EQ(table.at({x, y, z}), std::max({x, y, z}) < 2 ? sum ^ 1 : sum);
        }
      }
    }
  }
}

// A. S. Fraenkel, Wythoff games, continued fractions, cedar trees and Fibonacci searches (1984):
// only the first two P-positions of Wythoff's game are others in misère play.
TEST(LatticeTheorems, MisereWythoffHasTheZerosOfWythoffButTwo) {
  const LatticeRule rule = LatticeRule::parse("2: sym (1,0)* + (1,1)* + misere");
  const auto normal = cube_of("wythoff", 400);
  for (const char* engine : {"reference", "frontier", "wavefront"}) {
    const auto misere = testing_support::table_by(engine, rule, LatticeShape::cube(2, 400));
    for (std::uint32_t x = 0; x < 400; ++x) {
      for (std::uint32_t y = x; y < 400; ++y) {
        const bool is_zero = std::pair(x, y) == std::pair(0u, 1u) ||
                             std::pair(x, y) == std::pair(2u, 2u) ||
                             (normal.at({x, y}) == 0 && y > 2);
        EXPECT_EQ(misere.at({x, y}) == 0, is_zero) << engine << ' ' << x << ' ' << y;
      }
    }
  }
}

TEST(LatticeTheorems, OneOrAllOfThreeIsNim) {
  EXPECT_EQ(cube_of("wythoff-all(3)", 32).values(), cube_of("nim(3)", 32).values());
}

TEST(LatticeTheorems, WythoffZerosLieOnTheGoldenBeams) {
  constexpr std::uint32_t kSize = 300;
  const auto table = cube_of("wythoff", kSize);
  const double phi = (1 + std::sqrt(5.0)) / 2;
  std::set<std::pair<std::uint32_t, std::uint32_t>> zeros;
  for (std::uint32_t n = 0; std::floor(n * phi * phi) < kSize; ++n) {
    zeros.emplace(static_cast<std::uint32_t>(n * phi), static_cast<std::uint32_t>(n * phi * phi));
  }
  for (std::uint32_t y = 0; y < kSize; ++y) {
    for (std::uint32_t x = 0; x <= y; ++x) {
      EXPECT_EQ(table.at({x, y}) == 0, zeros.contains({x, y})) << x << ' ' << y;
    }
  }
}

/// Every value occurs once in a row of Wythoff's game, and in a column: within this square every
/// one below a third of its side, and none twice.
TEST(LatticeTheorems, WythoffRowsAndColumnsArePermutations) {
  constexpr std::uint32_t kSize = 256;
  const auto table = testing_support::table_by(
      "auto", resolve_game("wythoff", GameKind::kLattice).lattice(), LatticeShape::cube(2, kSize));
  for (std::uint32_t x = 0; x < kSize; ++x) {
    std::set<Nimber> row;
    std::set<Nimber> column;
    for (std::uint32_t y = 0; y < kSize; ++y) {
      EXPECT_TRUE(row.insert(table.at({x, y})).second);
      EXPECT_TRUE(column.insert(table.at({y, x})).second);
    }
    for (Nimber v = 0; v < kSize / 3 && x < 40; ++v) {
      EXPECT_TRUE(row.contains(v) && column.contains(v)) << x << ' ' << v;
    }
  }
}

/// T. A. Jenkyns and J. P. Mayberry (1980): Moore's Nim_k on k + 1 heaps, k > 1.
TEST(LatticeTheorems, JenkynsMayberry) {
  constexpr std::uint32_t kSizes[] = {0, 0, 0, 40, 20, 12, 8, 6, 5};
  for (std::uint32_t heaps = 3; heaps <= kMaxLatticeHeaps; ++heaps) {
    const std::uint32_t size = kSizes[heaps];
    const auto table =
        cube_of("moore(" + std::to_string(heaps) + "," + std::to_string(heaps - 1) + ")", size);
    for (std::uint64_t rank = 0; rank < sorted_count(heaps, size); ++rank) {
      const LatticePoint p = position_of(heaps, rank);
      const std::uint32_t sum = std::accumulate(p.begin(), p.end(), 0u);
      const std::uint32_t least = p[0];
      const std::uint32_t rest = sum - heaps * least;
      const std::uint32_t base = 1 + rest * (rest + 1) / 2;
      EXPECT_EQ(table.at(p), least < base ? sum : base - 1 + (least - base) % (rest + 1)) << rank;
    }
  }
}

/// Moore: a P-position if every binary place has a number of ones divisible by k + 1.
TEST(LatticeTheorems, FourHeapMooreHasPowersOfFiveZeros) {
  const auto table = cube_of("moore(4,2)", 8);
  unsigned zeros = 0;
  for (std::uint32_t i = 0; i < 8 * 8 * 8 * 8; ++i) {
    zeros += table.at({i % 8, i / 8 % 8, i / 64 % 8, i / 512}) == 0 ? 1 : 0;
  }
  EXPECT_EQ(zeros, 125u);
}

/// M. Dufour and S. Heubach (2013): of CN(n, n - 1) the P-positions have equal heaps.
TEST(LatticeTheorems, CircularNimOfAllHeapsButOne) {
  for (const std::uint32_t heaps : {3u, 5u, 7u, 8u}) {
    const std::uint32_t size = heaps < 7 ? 6 : 3;
    const auto table = cube_of(fmt::format("circular-nim({},{})", heaps, heaps - 1), size);
    LatticePoint p{};
    for (bool more = true; more;) {
      const auto last = p.begin() + heaps;
      EXPECT_EQ(table.at(p) == 0, std::all_of(p.begin(), last, [&](auto x) { return x == p[0]; }));
      unsigned i = 0;
      while (i < heaps && ++p[i] == size) p[i++] = 0;
      more = i < heaps;
    }
  }
}

TEST(LatticeTheorems, CyclicNimhoff) {
  for (const std::uint32_t h : {2u, 3u, 5u}) {
    const auto table = cube_of("cyclic-nimhoff(3," + std::to_string(h) + ")", 16);
    for (std::uint32_t x = 0; x < 16; ++x) {
      for (std::uint32_t y = x; y < 16; ++y) {
        for (std::uint32_t z = y; z < 16; ++z) {
          EXPECT_EQ(table.at({x, y, z}), h * (x / h ^ y / h ^ z / h) + (x + y + z) % h);
        }
      }
    }
  }
}

/// G. Nivasch (2006).
TEST(LatticeTheorems, EuclidIsTheFloorOfADifference) {
  const auto table = cube_of("euclid", 60);
  for (std::uint32_t x = 1; x < 60; ++x) {
    for (std::uint32_t y = x; y < 60; ++y) {
      EXPECT_EQ(table.at({x, y}), (y * y - x * x) / (x * y)) << x << ' ' << y;
    }
  }
}

/// Rows below the first of one square each: the hook is a sum of two heaps.
TEST(LatticeTheorems, HookChompIsANimSum) {
  const auto table = cube_of("chomp(5)", 9);
  for (std::uint32_t arm = 1; arm < 9; ++arm) {
    for (std::uint32_t rows = 1; rows <= 5; ++rows) {
      LatticePoint p{};
      for (std::uint32_t i = 0; i < rows; ++i) p[4 - i] = 1;
      p[4] = arm;
      EXPECT_EQ(table.at(p), (rows - 1) ^ (arm - 1)) << rows << ' ' << arm;
    }
  }
}

/// A bar of 3 x n has one winning bite (proved in arXiv:2605.23837).
TEST(LatticeTheorems, ThreeRowChompHasOneOpening) {
  constexpr std::uint32_t kSize = 40;
  const auto table = cube_of("chomp(3)", kSize);
  const LatticeRule rule = resolve_game("chomp(3)", GameKind::kLattice).lattice();
  for (std::uint32_t n = 1; n < kSize; ++n) {
    std::set<LatticePoint> wins;
    for_each_option(rule, {n, n, n}, [&](LatticePoint q) {
      std::sort(q.begin(), q.begin() + 3);
      if (table.at(q) == 0) wins.insert(q);
    });
    EXPECT_EQ(wins.size(), 1u) << n;
  }
}

}  // namespace
}  // namespace grundy
