/// @file
/// The choice of a split, and the codes that it gives values.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engines/heap/sparse/engine.hpp"
#include "engines/heap/sparse/split.hpp"
#include "heap_testing.hpp"

namespace grundy::sparse {
namespace {

using testing_support::values_by;

// A first value with a new bit: with the bit and without, whichever makes fewer heaps rare.
TEST(Split, NewBitsAreDecidedByCounting) {
  const TwoHeapMoves moves = splitting_moves(HeapRule::parse("0.167")).value();
  std::vector<Nimber> values = values_by(SparseEngine(), HeapRule::parse("0.167"), 20000);
  ASSERT_EQ(choose_split(moves, std::span<const Nimber>(values)).split.mask, 0x3d);
  const HeapSize rare = choose_split(moves, std::span<const Nimber>(values)).rare;
  for (const auto& [value, mask] : {std::pair{64u, 0x7du}, {65u, 0x3du}, {66u, 0x7du}}) {
    std::vector<Nimber> grown = values;
    grown.push_back(value);
    const SplitChoice choice = choose_split(moves, std::span<const Nimber>(grown));
    EXPECT_EQ(choice.split.mask, mask) << value;
    EXPECT_EQ(choice.rare, rare) << "the new heap is common";
    grown.insert(grown.end(), 3, value ^ 1);  // which belong to the other variant
    EXPECT_EQ(choose_split(moves, std::span<const Nimber>(grown)).split.mask, mask ^ 0x40) << value;
  }
}

// Where splits remove even and odd numbers of tokens, the parity of the heap may not take part; and
// it could not help much: f with parity for the even ones and g for the odd ones, both with few
// rare heaps, make f + g a form without parity whose rare heaps are at most those of both together.
TEST(Split, MixedParitiesLeaveTheParityOut) {
  for (const char* notation : {"0.47", "0.44", "0.77", "0.447", "0.46", "4.4", "0.0407"}) {
    const HeapRule rule = HeapRule::parse(notation);
    const TwoHeapMoves moves = splitting_moves(rule).value();
    bool even = false;
    bool odd = false;
    for (const SplitMove& split : moves.splits) (split.take % 2 == 0 ? even : odd) = true;
    EXPECT_EQ(moves.one_parity(), !(even && odd)) << notation;
    const auto values = values_by(SparseEngine(), rule, 5000);
    const SplitChoice choice = choose_split(moves, std::span<const Nimber>(values));
    EXPECT_TRUE(moves.one_parity() || !choice.split.parity) << notation;
    // No mask has fewer rare heaps.
    for (Nimber mask = 1; mask < 64; ++mask) {
      for (const bool position : {false, true}) {
        if (position && !moves.one_parity()) continue;
        const Split other = make_split(moves, mask, position);
        HeapSize rare = 0;
        for (HeapSize n = 1; n < values.size(); ++n) rare += other.is_common(values[n], n) ? 0 : 1;
        EXPECT_GE(rare, choice.rare) << notation << ", mask " << mask;
      }
    }
  }
}

TEST(Split, CodesAreLinearOrderedAndReversible) {
  for (const Split& split : {Split{0xfe, false, true}, Split{0x1ee, false, true},
                             Split{0xd, true, false}, Split{1, true, true}}) {
    for (HeapSize n = 0; n < 2; ++n) {
      for (const bool common : {false, true}) {
        Nimber expected = 0;
        for (Nimber value = 0; value < 1024; ++value) {
          if (split.is_common(value, n) != common) continue;
          EXPECT_EQ(split.squeeze(value), expected) << "codes count the values of a type";
          EXPECT_EQ(split.expand(expected, common, n), value);
          ++expected;
        }
      }
    }
    EXPECT_EQ(split.squeeze(0x2a5) ^ split.squeeze(0x13c), split.squeeze(0x2a5 ^ 0x13c));
  }
}

}  // namespace
}  // namespace grundy::sparse
