/// @file
/// Poset games: take an element and everything above it. Chomp in any number of dimensions and
/// Subset Takeaway (Gale) are of this kind.
///
/// There are at most 64 elements; a position is the set of those that are left. Elements that are
/// connected through comparable elements form components, and components are independent.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace grundy::graph {

/// A partial order.
struct SmallPoset {
  static constexpr unsigned kMostElements = 64;

  std::vector<std::string> names;                    ///< one for each element
  std::array<std::uint64_t, kMostElements> above{};  ///< elements >= this one, including itself
};

/// Reads a file with a line `a < b` (or `a b`) for each relation and a line `a` for each element
/// without relations. Relations that follow from others may be left out. Elements are non-negative
/// integers; `#` starts a comment.
/// @throws Error(kCorrupt) that names the line, or the cycle
SmallPoset parse_poset_file(std::string_view content);

/// The cells of a box except the corner 0,..,0, as in Chomp: the poison is not part of the poset.
/// @throws Error(kUsage) if there are no cells or more than 64
SmallPoset box_poset(const std::vector<std::uint64_t>& sizes);

/// The nonempty proper subsets of a set of n elements by inclusion; 1 <= n <= 6.
/// @throws Error(kUsage)
SmallPoset subset_poset(std::uint64_t n);

class PosetGame {
 public:
  using Position = std::uint64_t;

  explicit PosetGame(SmallPoset poset);

  [[nodiscard]] Position start() const noexcept { return start_; }
  [[nodiscard]] Position canonical(Position p) const noexcept { return p; }
  [[nodiscard]] bool contains(Position p) const noexcept { return (p & ~start_) == 0; }
  [[nodiscard]] std::uint32_t potential(Position p) const noexcept {
    return static_cast<std::uint32_t>(std::popcount(p));
  }

  template <class Visit>
  void options(Position p, const Visit& visit) const {
    for (Position rest = p; rest != 0; rest &= rest - 1) {
      visit(p & ~poset_.above[static_cast<unsigned>(std::countr_zero(rest))]);
    }
  }

  template <class Visit>
  void components(Position p, const Visit& visit) const {
    while (p != 0) {
      Position part = p & (0 - p);
      for (Position frontier = part; frontier != 0;) {
        const auto v = static_cast<unsigned>(std::countr_zero(frontier));
        const Position fresh = comparable_[v] & p & ~part;
        part |= fresh;
        frontier = (frontier & (frontier - 1)) | fresh;
      }
      p &= ~part;
      visit(part);
    }
  }

  /// The names of the elements, `1,12,3`; `-` if there are none.
  [[nodiscard]] std::string text(Position p) const;
  /// @throws Error(kUsage)
  [[nodiscard]] Position parse(std::string_view text) const;

 private:
  SmallPoset poset_;
  Position start_ = 0;
  std::array<std::uint64_t, SmallPoset::kMostElements> comparable_{};
};

}  // namespace grundy::graph
