// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <grundy/lattice/rank.hpp>

namespace grundy {
namespace {

TEST(Rank, CountsPositionsInColexicographicOrder) {
  for (unsigned heaps = 2; heaps <= 6; ++heaps) {
    LatticePoint p{};
    for (std::uint64_t rank = 0; rank < 3000; ++rank) {
      ASSERT_EQ(rank_of(heaps, p), rank);
      ASSERT_EQ(position_of(heaps, rank), p);
      unsigned turned = 0;
      while (turned + 1 < heaps && p[turned] == p[turned + 1]) p[turned++] = 0;
      ++p[turned];
    }
  }
}

TEST(Rank, LargerTablesOnlyAppend) {
  for (std::uint32_t size = 1; size < 9; ++size) {
    const std::uint64_t count = sorted_count(4, size);
    for (std::uint64_t rank = 0; rank < sorted_count(4, 9); ++rank) {
      EXPECT_EQ(position_of(4, rank)[3] < size, rank < count);
    }
  }
}

}  // namespace
}  // namespace grundy
