/// @file
/// Chomp on a Young diagram: choose a square, take it and all squares below and to the right of it.
/// The square in the top left corner is poison and may not be taken (Gale 1974).
///
/// Rows x_1 <= .. <= x_R, counted from the bottom, are numbered as multisets (numbering.hpp).
/// A move to the square in column j of row i cuts every longer row, from the lowest to i, down to
/// j. The number of the option is a difference of prefix sums, so an option costs O(1). The empty
/// shape would have the number 0. No move reaches it, because nobody may take the poison, so all
/// numbers are lowered by one.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "games/graph/numbering.hpp"

namespace grundy::graph {

class Chomp {
 public:
  using Position = std::uint64_t;
  static constexpr unsigned kMostRows = 32;
  static constexpr unsigned kMostColumns = 1024;
  /// Row lengths from the bottom up.
  using Rows = std::array<std::uint32_t, kMostRows>;
  /// The rows of another shape. The rows of a similar shape are found from them.
  using Hint = Rows;

  /// @param rows lengths from the top: descending, positive
  /// @throws Error(kUsage) if `rows` is not of this form, or there are more than 2^40 shapes
  explicit Chomp(const std::vector<std::uint64_t>& rows);

  [[nodiscard]] Position start() const noexcept { return start_; }
  [[nodiscard]] Position canonical(Position p) const noexcept { return p; }
  /// Whether p is a shape in the rectangle.
  [[nodiscard]] bool contains(Position p) const noexcept { return p < count_; }
  /// The number of shapes in the rectangle, if the start position is the whole rectangle; 0
  /// otherwise.
  [[nodiscard]] std::uint64_t size() const noexcept { return start_ + 1 == count_ ? count_ : 0; }

  /// Squares besides the poison.
  [[nodiscard]] std::uint32_t potential(Position p, Hint& x) const noexcept {
    unpack(p, x);
    std::uint32_t squares = 0;
    for (unsigned i = 0; i < height_; ++i) squares += x[i];
    return squares - 1;
  }
  [[nodiscard]] std::uint32_t potential(Position p) const noexcept {
    Hint hint{};
    return potential(p, hint);
  }

  template <class Visit>
  void options(Position p, Hint& x, const Visit& visit) const {
    unpack(p, x);
    const unsigned height = height_;
    // rest[i] is the rank of row i and the rows above it, minus one. If the rows low .. i are cut
    // to j, the rank is that of the rows above, of the rows below, and of i + 1 - low rows of
    // length j.
    std::array<std::uint64_t, kMostRows + 1> rest;
    rest[height] = std::uint64_t{0} - 1;
    for (unsigned i = height; i-- > 0;) rest[i] = rest[i + 1] + numbers_.term(i, x[i]);
    unsigned low = 0;
    for (std::uint32_t j = 0; j < x[height - 1]; ++j) {
      while (x[low] <= j) ++low;
      const std::uint64_t* const column = &sums_[std::size_t{j} * (kMostRows + 1)];
      const std::uint64_t below = rest[0] - rest[low] - column[low];
      const unsigned top = j == 0 ? height - 1 : height;  // the poison is in the top row
      for (unsigned i = low; i < top; ++i) visit(below + rest[i + 1] + column[i + 1]);
    }
  }
  template <class Visit>
  void options(Position p, const Visit& visit) const {
    Hint hint{};
    options(p, hint, visit);
  }

  /// Row lengths from the top: `5,3,1`.
  [[nodiscard]] std::string text(Position p) const;
  /// @throws Error(kUsage)
  [[nodiscard]] Position parse(std::string_view text) const;

 private:
  /// Turns the rows of some shape into those of p.
  void unpack(Position p, Rows& x) const noexcept { numbers_.unpack(p + 1, x); }
  [[nodiscard]] Rows rows(Position p) const noexcept {
    Rows x{};
    unpack(p, x);
    return x;
  }
  [[nodiscard]] Position number(const Rows& x) const noexcept { return numbers_.number(x) - 1; }

  /// @throws Error(kUsage) unless the lengths fit into this rectangle
  [[nodiscard]] Rows checked(const std::vector<std::uint64_t>& from_top) const;

  unsigned height_ = 0;
  std::uint32_t width_ = 0;
  std::uint64_t count_ = 0;
  MultisetNumbers numbers_;
  Position start_ = 0;
  /// sums_[length][i]: the ranks of i rows of this length at the bottom of the shape.
  std::vector<std::uint64_t> sums_;
};

}  // namespace grundy::graph
