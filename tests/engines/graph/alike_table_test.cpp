/// @file
/// The table of positions that play alike.
// SPDX-License-Identifier: MIT
#include "engines/graph/alike_table.hpp"

#include <random>

#include <gtest/gtest.h>

namespace grundy::graph {
namespace {

TEST(AlikeTable, GivesTheFirstThatIsProved) {
  AlikeTable table(64);
  const auto same_parity = [](std::uint64_t key) {
    return [key](std::uint64_t other) { return (other - key) % 2 == 0; };
  };
  EXPECT_EQ(table.first(7, 10, same_parity(10)), 10U);
  EXPECT_EQ(table.first(7, 12, same_parity(12)), 10U);
  EXPECT_EQ(table.first(7, 13, same_parity(13)), 13U);  // of the same likeness, and not alike
  EXPECT_EQ(table.first(7, 15, same_parity(15)), 13U);
  EXPECT_EQ(table.first(9, 14, same_parity(14)), 14U);
  table.grow(256);
  EXPECT_EQ(table.first(7, 16, same_parity(16)), 10U);
  EXPECT_EQ(table.first(7, 17, same_parity(17)), 13U);
  EXPECT_EQ(table.bytes(), 256U * 64);
}

// A table that is full forgets, and still gives nothing that is not proved.
TEST(AlikeTable, ForgetsWhenItIsFull) {
  AlikeTable table(4);
  std::mt19937_64 random(3);
  std::size_t known = 0;
  for (int i = 0; i < 10'000; ++i) {
    const std::uint64_t key = 1 + random() % 64;
    const std::uint64_t first = table.first(
        hash_key<1>(&key) >> 60, key, [&](std::uint64_t other) { return other % 8 == key % 8; });
    ASSERT_EQ(first % 8, key % 8);
    known += first != key ? 1 : 0;
  }
  EXPECT_GT(known, 100U);
}

}  // namespace
}  // namespace grundy::graph
