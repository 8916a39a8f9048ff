/// @file
/// The parts of positions of Cram in every kernel set, compared with `scalar`, on random boards.
// SPDX-License-Identifier: MIT
#include "kernels/board_kernels.hpp"

#include <array>
#include <bit>
#include <random>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/kernels.hpp"

namespace grundy {
namespace {

struct TestBoard {
  TestBoard(unsigned rows, unsigned columns) : cells(rows * columns) {
    for (std::size_t i = 0; i < small.size(); ++i) small[i] = static_cast<std::uint8_t>(i * 7 % 61);
    shape = {rows, columns, (std::uint64_t{1} << columns) - 1, 0, spread.data(), small.data()};
    for (unsigned row = 0; row < rows; ++row) {
      shape.last_column |= std::uint64_t{1} << ((row + 1) * columns - 1);
      for (std::size_t part = 0; part < spread.size(); ++part) {
        spread[part] |= std::uint64_t{part >> row & 1} << (row * columns);
      }
    }
  }

  unsigned cells;
  std::array<std::uint64_t, 256> spread{};
  std::vector<std::uint8_t> small = std::vector<std::uint8_t>((std::size_t{1} << 16) + 7);
  BoardShape shape{};
};

TEST(BoardKernels, TakeApart) {
  std::mt19937_64 random(5);
  std::size_t parts = 0, small = 0;
  for (const auto& [rows, columns] : {std::pair{2U, 2U},
                                      {2U, 31U},
                                      {3U, 3U},
                                      {3U, 5U},
                                      {4U, 9U},
                                      {4U, 16U},
                                      {5U, 8U},
                                      {6U, 6U},
                                      {7U, 9U},
                                      {8U, 8U}}) {
    const TestBoard board(rows, columns);
    const std::uint64_t all = ~std::uint64_t{0} >> (64 - board.cells);
    for (int round = 0; round < 300; ++round) {
      // The more often words are joined, the fewer cells are gone.
      std::vector<std::uint64_t> sets(1 + random() % kMostSets);
      for (std::uint64_t& set : sets) {
        set = 0;
        for (int i = 0; i <= round % 5; ++i) set |= random() & all;
      }
      BoardParts expected{}, found{};
      available_kernels().front().boards.take_apart(board.shape, sets.data(), sets.size(),
                                                    expected);
      parts += expected.ends[sets.size() - 1];
      for (std::size_t i = 0; i < sets.size(); ++i) small += expected.values[i] != 0 ? 1 : 0;
      for (const KernelSet& set : available_kernels()) {
        found = {};
        set.boards.take_apart(board.shape, sets.data(), sets.size(), found);
        ASSERT_EQ(found.ends, expected.ends) << set.name << ' ' << rows << 'x' << columns;
        ASSERT_EQ(found.values, expected.values) << set.name << ' ' << rows << 'x' << columns;
        for (std::size_t i = 0; i < found.ends[sets.size() - 1]; ++i) {
          ASSERT_EQ(found.parts[i], expected.parts[i]) << set.name << ' ' << rows << 'x' << columns;
        }
      }
    }
  }
  EXPECT_GT(parts, 5000U);
  EXPECT_GT(small, 5000U);
}

}  // namespace
}  // namespace grundy
