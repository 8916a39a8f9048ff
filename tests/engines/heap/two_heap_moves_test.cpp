/// @file
/// Digits are read as the right moves.
// SPDX-License-Identifier: MIT
#include "engines/heap/two_heap_moves.hpp"

#include <gtest/gtest.h>

#include "engines/heap/sparse/split.hpp"

namespace grundy {
namespace {

using Sizes = std::vector<HeapSize>;

TEST(TwoHeapMoves, ReadsDigits) {
  // d0: two heaps; d1 = 7: none, one or two; d2 = 1; d3 = 3; d4: two equal heaps.
  const auto moves = TwoHeapMoves::of(HeapRule::parse("4!.7134="));
  ASSERT_TRUE(moves.has_value());
  ASSERT_EQ(moves->splits.size(), 2u);
  EXPECT_EQ(moves->splits[0].take, 0u);
  EXPECT_TRUE(moves->splits[0].unequal);
  EXPECT_EQ(moves->splits[0].pairs(6), 2u);  // 1+5, 2+4
  EXPECT_EQ(moves->splits[1].take, 1u);
  EXPECT_FALSE(moves->splits[1].unequal);
  EXPECT_EQ(moves->splits[1].pairs(7), 3u);  // 1+5, 2+4, 3+3
  EXPECT_EQ(moves->splits[1].pairs(2), 0u);
  EXPECT_EQ(moves->splits[1].pairs(1), 0u);
  EXPECT_EQ(moves->singles, (Sizes{1, 3}));
  EXPECT_EQ(moves->wholes, (Sizes{1, 2, 3}));
  EXPECT_EQ(moves->halves, Sizes{4});
  EXPECT_EQ(moves->largest_take, 4u);
  EXPECT_FALSE(moves->one_parity());
}

TEST(TwoHeapMoves, ReadsSubtractionSets) {
  const auto moves = TwoHeapMoves::of(HeapRule::parse("S{2,5}"));
  ASSERT_TRUE(moves.has_value());
  EXPECT_TRUE(moves->splits.empty());
  EXPECT_EQ(moves->singles, (Sizes{2, 5}));
  EXPECT_EQ(moves->wholes, (Sizes{2, 5}));
  EXPECT_EQ(moves->largest_take, 5u);
}

TEST(TwoHeapMoves, RefusesMoreHeapsAndTakesWithoutBound) {
  EXPECT_FALSE(TwoHeapMoves::of(HeapRule::parse("hex:0.8")).has_value());
  EXPECT_FALSE(TwoHeapMoves::of(HeapRule::parse("0.[3]")).has_value());
}

TEST(SplittingMoves, NeedsASplitAndNoEqualHalves) {
  EXPECT_TRUE(sparse::splitting_moves(HeapRule::parse("0.6")).has_value());
  EXPECT_FALSE(sparse::splitting_moves(HeapRule::parse("0.33")).has_value());
  EXPECT_FALSE(sparse::splitting_moves(HeapRule::parse("4!.7134=")).has_value());
  EXPECT_FALSE(sparse::splitting_moves(HeapRule::parse("hex:0.8")).has_value());
}

}  // namespace
}  // namespace grundy
