/// @file
/// Isomorphism of sets of cells against the definition, and the table of positions that play alike.
// SPDX-License-Identifier: MIT
#include "games/graph/isomorphism.hpp"

#include <bit>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "engines/graph/alike_table.hpp"
#include "kernels/kernels.hpp"

namespace grundy::graph {
namespace {

/// Whether the map of the first cells of a can be extended to all of them: each goes to a cell of b
/// that is free, and is beside another one exactly if its image is.
bool extends(const Board& board, const std::vector<std::uint64_t>& a, std::uint64_t b,
             std::vector<std::uint64_t>& images) {
  if (images.size() == a.size()) return true;
  const std::uint64_t around = board.around(a[images.size()]);
  for (std::uint64_t rest = b; rest != 0; rest &= rest - 1) {
    const std::uint64_t image = rest & (0 - rest);
    bool fits = true;
    for (std::size_t i = 0; i < images.size(); ++i) {
      fits = fits && images[i] != image &&
             ((around & a[i]) != 0) == ((board.around(image) & images[i]) != 0);
    }
    if (!fits) continue;
    images.push_back(image);
    if (extends(board, a, b, images)) return true;
    images.pop_back();
  }
  return false;
}

bool are_isomorphic_by_definition(const Board& board, std::uint64_t a, std::uint64_t b) {
  if (std::popcount(a) != std::popcount(b)) return false;
  std::vector<std::uint64_t> cells, images;
  for (; a != 0; a &= a - 1) cells.push_back(a & (0 - a));
  return extends(board, cells, b, images);
}

bool is_connected(const Board& board, std::uint64_t set) {
  std::uint64_t part = set & (0 - set);
  for (std::uint64_t before = 0; part != before;) {
    before = part;
    part |= board.around(part) & set;
  }
  return part == set;
}

// All connected sets of a board, one of each form: whatever is called isomorphic is, the hashes of
// isomorphic sets are equal on all kernels, and hardly an isomorphism is missed.
TEST(Isomorphism, IsThatOfTheDefinition) {
  std::size_t alike = 0, missed = 0, other = 0;
  for (const auto& [rows, columns] : {std::pair{4U, 4U}, {3U, 5U}, {2U, 8U}}) {
    const Board board(rows, columns);
    // By numbers of cells and of edges.
    std::map<std::pair<unsigned, unsigned>, std::vector<std::uint64_t>> sets;
    for (std::uint64_t set = 1; set <= board.all(); ++set) {
      if (board.canonical(set) != set || !is_connected(board, set)) continue;
      const unsigned edges = count_ones(board.with_right(set)) + count_ones(board.with_lower(set));
      sets[{count_ones(set), edges}].push_back(set);
    }
    for (const auto& entry : sets) {
      const std::vector<std::uint64_t>& same_size = entry.second;
      std::vector<std::uint64_t> hashes(same_size.size()), others(same_size.size());
      isomorphism_hashes(board, select_kernels("auto"), same_size, hashes);
      isomorphism_hashes(board, available_kernels().front(), same_size, others);
      ASSERT_EQ(hashes, others);
      for (std::size_t i = 0; i < same_size.size(); ++i) {
        for (std::size_t k = 0; k <= i; ++k) {
          const std::uint64_t a = same_size[i], b = same_size[k];
          const bool expected = are_isomorphic_by_definition(board, a, b);
          const bool found = are_isomorphic(board, select_kernels("auto"), a, b);
          ASSERT_TRUE(expected || !found) << board.text(a) << ' ' << board.text(b);
          ASSERT_TRUE(!expected || hashes[i] == hashes[k]) << board.text(a) << ' ' << board.text(b);
          alike += found && i != k ? 1 : 0;
          missed += expected && !found ? 1 : 0;
          other += hashes[i] == hashes[k] && !expected ? 1 : 0;
        }
      }
    }
  }
  EXPECT_GT(alike, 1000U);
  EXPECT_LT(missed, alike / 100);
  EXPECT_LT(other, alike / 20);
}

TEST(Isomorphism, SetsOfOtherSizesAreNotIsomorphic) {
  const Board board(4, 6);
  const KernelSet& kernels = select_kernels("auto");
  const auto is = [&](const char* a, const char* b) {
    return are_isomorphic(board, kernels, board.parse(a), board.parse(b));
  };
  EXPECT_TRUE(is("oooo", "o/oo/.o"));
  EXPECT_TRUE(is("ooo.oo", "oo/../oo/o"));
  EXPECT_FALSE(is("ooo", "oooo"));
  EXPECT_FALSE(is("oo/oo", "ooo/o"));
  EXPECT_FALSE(is(".o./ooo", "oo/.oo"));
  EXPECT_TRUE(is("", ""));
}

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
