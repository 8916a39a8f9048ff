/// @file
/// The golden rows about millions of positions, and Moore's theorem on such a table. Slow.
// SPDX-License-Identifier: MIT
#include <algorithm>

#include <gtest/gtest.h>

#include "engines/lattice/golden_positions.hpp"
#include "engines/lattice/golden_tables.hpp"

namespace grundy {
namespace {

TEST(LatticeLarge, Positions) {
  constexpr std::uint32_t kNone = testing_support::kSmallHeap + 1;
  EXPECT_EQ(testing_support::check_positions(kNone, 1u << 20), 6U);
}

/// Among them OEIS A395126: Chomp of four rows has 4316097 P-positions up to 500; and up to 1000,
/// of 4.2e10 positions.
TEST(LatticeLarge, WholeTables) {
  EXPECT_EQ(testing_support::check_tables(testing_support::kFewPositions, 100'000'000'000), 18U);
}

TEST(LatticeLarge, FourHeapMooreHasPowersOfFiveZeros) {
  // 5^7 zeros in the cube; the sorted ones are counted by the permutations they stand for.
  const auto executor = make_executor();
  const LatticeRule rule = resolve_game("moore(4,2)", GameKind::kLattice).lattice();
  const auto table =
      testing_support::table_by("auto", rule, LatticeShape::cube(4, 128, true), *executor).values();
  std::uint64_t zeros = 0;
  for (std::uint64_t rank = 0; rank < table.size(); ++rank) {
    if (table[rank] > 0) continue;
    LatticePoint p = position_of(4, rank);
    do {
      ++zeros;
    } while (std::next_permutation(p.begin(), p.begin() + 4));
  }
  EXPECT_EQ(zeros, 78125u);
}

}  // namespace
}  // namespace grundy
