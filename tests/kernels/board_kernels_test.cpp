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

constexpr std::pair<unsigned, unsigned> kBoards[] = {{2, 2},  {2, 31}, {3, 3}, {3, 5}, {4, 9},
                                                     {4, 16}, {5, 8},  {6, 6}, {7, 9}, {8, 8}};

/// Sets of cells of a board. The larger `fullness` is, the fewer cells are gone.
std::vector<std::uint64_t> random_sets(const TestBoard& board, int fullness,
                                       std::mt19937_64& random) {
  std::vector<std::uint64_t> sets(1 + random() % kMostSets);
  for (std::uint64_t& set : sets) {
    set = 0;
    for (int i = 0; i <= fullness; ++i) set |= random() >> (64 - board.cells);
  }
  return sets;
}

/// A part in which a way leads through every second row, from one end to the other.
std::uint64_t winding_set(const TestBoard& board) {
  std::uint64_t set = 0;
  for (unsigned row = 0; row < board.shape.rows; ++row) {
    for (unsigned column = 0; column < board.shape.columns; ++column) {
      const unsigned bend = row % 4 == 1 ? board.shape.columns - 1 : 0;
      if (row % 2 == 0 || column == bend) {
        set |= std::uint64_t{1} << (row * board.shape.columns + column);
      }
    }
  }
  return set;
}

TEST(BoardKernels, TakeApart) {
  std::mt19937_64 random(5);
  std::size_t parts = 0, small = 0;
  for (const auto& [rows, columns] : kBoards) {
    const TestBoard board(rows, columns);
    for (int round = 0; round < 300; ++round) {
      std::vector<std::uint64_t> sets = random_sets(board, round % 5, random);
      if (round == 0) sets.back() = winding_set(board);
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

/// The set with its rows and its columns in reverse order.
std::uint64_t half_turn(std::uint64_t set, unsigned cells) {
  std::uint64_t turned = 0;
  for (unsigned cell = 0; cell < cells; ++cell) {
    turned |= (set >> cell & 1) << (cells - 1 - cell);
  }
  return turned;
}

TEST(BoardKernels, Colours) {
  std::mt19937_64 random(6);
  for (const auto& [rows, columns] : kBoards) {
    const TestBoard board(rows, columns);
    for (int round = 0; round < 200; ++round) {
      const std::vector<std::uint64_t> sets = random_sets(board, round % 5, random);
      std::vector<std::uint64_t> turned;
      for (const std::uint64_t set : sets) turned.push_back(half_turn(set, board.cells));
      BoardColours expected{}, found{};
      const BoardKernels& scalar = available_kernels().front().boards;
      scalar.colour(board.shape, sets.data(), sets.size(), expected);
      std::vector<std::uint64_t> hashes(sets.size()), others(sets.size());
      scalar.hash_colours(expected, sets.size(), hashes.data());
      for (const KernelSet& set : available_kernels()) {
        set.boards.colour(board.shape, sets.data(), sets.size(), found);
        set.boards.hash_colours(found, sets.size(), others.data());
        ASSERT_EQ(others, hashes) << set.name << ' ' << rows << 'x' << columns;
        for (std::size_t plane = 0; plane < kColourPlanes; ++plane) {
          for (std::size_t i = 0; i < sets.size(); ++i) {
            ASSERT_EQ(found.planes[plane][i], expected.planes[plane][i])
                << set.name << ' ' << rows << 'x' << columns;
          }
        }
        // Half a turn takes colours with it.
        set.boards.colour(board.shape, turned.data(), sets.size(), found);
        set.boards.hash_colours(found, sets.size(), others.data());
        ASSERT_EQ(others, hashes) << set.name << ' ' << rows << 'x' << columns;
        for (std::size_t plane = 0; plane < kColourPlanes; ++plane) {
          for (std::size_t i = 0; i < sets.size(); ++i) {
            ASSERT_EQ(found.planes[plane][i], half_turn(expected.planes[plane][i], board.cells));
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace grundy
