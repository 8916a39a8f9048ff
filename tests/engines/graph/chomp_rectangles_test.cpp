/// @file
/// The record of Chomp on all boards up to 16 x 16, computed a second time by the definition. One
/// table of all shapes has every board in it. Slow.
///
/// A shape is its row lengths, longest first. Shapes are numbered in lexicographic order, in which
/// every option comes before its shape: with n rows, the number of a shape is the sum of
/// C(length + n - 1 - k, n - k) over its rows k. A shape and its transpose have the same value.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace grundy {
namespace {

/// The values of all shapes in a square.
class ChompSquare {
 public:
  static constexpr unsigned kMostRows = 16;

  explicit ChompSquare(unsigned side) : side_(side) {
    for (unsigned k = 0; k < side; ++k) {
      for (unsigned length = 0; length <= side; ++length) {
        below_[k][length] = length == 0 ? 0 : binomial(length + side - 1 - k, side - k);
      }
    }
    for (unsigned column = 0; column < side; ++column) {
      for (unsigned k = 0; k < side; ++k) {
        cut_[column][k + 1] = cut_[column][k] + below_[k][column];
      }
    }
    values_.resize(binomial(2 * side, side));
    values_[0] = kNoMove;
    fill();
  }

  [[nodiscard]] unsigned value(unsigned rows, unsigned columns) const {
    std::uint32_t number = 0;
    for (unsigned k = 0; k < rows; ++k) number += below_[k][columns];
    return values_[number];
  }

 private:
  /// Stands for the board without squares: nobody takes the poison. Values are less.
  static constexpr std::uint8_t kNoMove = 255;

  static std::uint32_t binomial(std::uint64_t n, std::uint64_t k) {
    std::uint64_t all = 1;
    for (std::uint64_t i = 1; i <= k; ++i) all = all * (n - k + i) / i;
    return static_cast<std::uint32_t>(all);
  }

  void fill() {
    for (std::uint32_t number = 1; number < values_.size(); ++number) {
      // The next shape: the last row that may be longer is, and rows behind it are empty.
      unsigned k = side_ - 1;
      while (rows_[k] == (k == 0 ? side_ : rows_[k - 1])) --k;
      ++rows_[k];
      for (unsigned row = k + 1; row < side_; ++row) rows_[row] = 0;
      for (std::uint32_t& height : columns_) height = std::min(height, k + 1);
      columns_[rows_[k] - 1] = k + 1;
      for (unsigned row = k; row < side_; ++row) {
        before_[row + 1] = before_[row] + below_[row][rows_[row]];
      }
      std::uint32_t transpose = 0;
      for (unsigned row = 0; row < side_; ++row) transpose += below_[row][columns_[row]];
      values_[number] = transpose < number ? values_[transpose] : mex(number);
    }
  }

  /// The least number that no option has.
  std::uint8_t mex(std::uint32_t number) {
    std::array<std::uint8_t, kNoMove + 1> seen{};
    for (unsigned column = 0; column < rows_[0]; ++column) {
      // A square of this column is taken in row k: rows from there to `height` end before it.
      const std::uint32_t height = columns_[column];
      const auto& cut = cut_[column];
      const std::uint32_t rest = number - before_[height] + cut[height];
      for (unsigned k = 0; k < height; ++k) seen[values_[rest + before_[k] - cut[k]]] = 1;
    }
    const auto found = std::find(seen.begin(), seen.begin() + kNoMove, 0) - seen.begin();
    EXPECT_LT(found, kNoMove) << number;
    return static_cast<std::uint8_t>(found);
  }

  unsigned side_;
  /// How many shapes with the same rows before row k have a shorter one there.
  std::array<std::array<std::uint32_t, kMostRows + 1>, kMostRows> below_{};
  /// Of a column: the sum of below_ over the first rows if all of them end before it.
  std::array<std::array<std::uint32_t, kMostRows + 1>, kMostRows> cut_{};
  std::array<std::uint32_t, kMostRows> rows_{}, columns_{};  ///< of the shape, and its transpose
  std::array<std::uint32_t, kMostRows + 1> before_{};        ///< sums of below_ over the first rows
  std::vector<std::uint8_t> values_;
};

TEST(ChompRectangles, TheRecordIsComputedByTheDefinition) {
  const ChompSquare square(ChompSquare::kMostRows);
  std::ifstream file(std::filesystem::path(GRUNDY_GOLDEN_DIR) / "records" / "chomp-rectangles-16" /
                     "values.csv");
  unsigned boards = 0;
  for (std::string line; std::getline(file, line);) {
    unsigned rows = 0, columns = 0, value = 0;
    if (std::sscanf(line.c_str(), "%u,%u,%u,", &rows, &columns, &value) != 3) continue;
    EXPECT_EQ(square.value(rows, columns), value) << rows << " x " << columns;
    ++boards;
  }
  EXPECT_EQ(boards, 136U);
}

}  // namespace
}  // namespace grundy
