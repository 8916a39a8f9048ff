/// @file
/// The choice of a split, and the codes that it gives values.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "heap/sparse/engine.hpp"
#include "heap/sparse/split.hpp"
#include "heap_testing.hpp"

namespace grundy::sparse {
namespace {

using testing_support::values_by;

/// A row of the table of all octal games with up to three digits: the mask with the fewest rare
/// heaps among heaps 1 to 131072, their number, and the last of them.
struct Row {
  const char* notation;
  Nimber mask;
  bool position;
  HeapSize rare;
  HeapSize last;
};

class SparseStatistics : public testing::TestWithParam<Row> {};

// From ../shared/octal.md, section 1.4: recomputed by an independent program.
INSTANTIATE_TEST_SUITE_P(
    Games, SparseStatistics,
    testing::Values(Row{"0.16", 0x1e, false, 52, 13935}, Row{"0.56", 0x5b, false, 45, 1795},
                    Row{"0.015", 0x7e, false, 236, 11973}, Row{"0.106", 0xd, true, 15, 1103},
                    Row{"0.127", 1, true, 693, 27106}, Row{"0.143", 0x1d, false, 368, 130955},
                    Row{"0.156", 0x1b, false, 14, 357}, Row{"0.166", 0xfd, false, 175, 4281},
                    Row{"0.245", 0xfa, false, 150, 1352}, Row{"0.356", 0x1b, false, 6, 43},
                    Row{"0.444", 0xfb, false, 361, 84341}, Row{"0.774", 0x1fa, false, 351, 3519},
                    Row{"4.045", 0x5f, false, 33, 497}, Row{"4.404", 0xde, false, 131, 1852}),
    [](const auto& game) {
      std::string name = game.param.notation;
      std::replace(name.begin(), name.end(), '.', '_');
      return name;
    });

TEST_P(SparseStatistics, MaskAndRareHeapsTo131072) {
  const Row row = GetParam();
  const HeapRule rule = HeapRule::parse(row.notation);
  const std::vector<Nimber> values = values_by(SparseEngine(), rule, 131073);
  const Moves moves = decode_moves(rule).value();
  const SplitChoice choice = choose_split(moves, Values(std::span(values)));
  EXPECT_EQ(choice.split.mask, row.mask);
  EXPECT_EQ(choice.split.position, row.position);
  EXPECT_EQ(choice.rare, row.rare);
  HeapSize last = 131072;
  while (choice.split.is_common(values[last], last)) --last;
  EXPECT_EQ(last, row.last);
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
