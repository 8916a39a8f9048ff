/// @file
/// All multisets of k heaps of at most m tokens as one dense game. The moves of the rule must leave
/// at most one heap, and a move must be able to take a single token, so that every multiset is
/// reached.
///
/// A heap that is reduced moves down past the heaps that are larger than its rest. Their terms in
/// the number (numbering.hpp) change as it passes them, so an option costs O(1).
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "games/graph/heap_sum.hpp"
#include "games/graph/numbering.hpp"

namespace grundy::graph {

class HeapMultisets {
 public:
  using Position = std::uint64_t;

  /// Whether the rule is of this kind for `heaps` heaps of at most `largest` tokens, and the
  /// multisets of such heaps can be numbered.
  static bool suits(const HeapMoves& moves, std::size_t heaps);
  /// @pre suits()
  HeapMultisets(HeapMoves moves, std::size_t heaps);

  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  [[nodiscard]] Position start() const noexcept { return size_ - 1; }
  [[nodiscard]] Position canonical(Position p) const noexcept { return p; }
  [[nodiscard]] bool contains(Position p) const noexcept { return p < size_; }

  /// The heap sizes of another position, ascending. A similar position is found from them.
  using Hint = std::array<std::uint8_t, kMostSummands>;

  /// The number of tokens.
  [[nodiscard]] std::uint32_t potential(Position p, Hint& x) const noexcept {
    numbers_.unpack(p, x);
    std::uint32_t tokens = 0;
    for (std::size_t i = 0; i < heaps_; ++i) tokens += x[i];
    return tokens;
  }
  [[nodiscard]] std::uint32_t potential(Position p) const noexcept {
    Hint hint{};
    return potential(p, hint);
  }

  template <class Visit>
  void options(Position p, Hint& x, const Visit& visit) const {
    numbers_.unpack(p, x);
    for (std::size_t i = 0; i < heaps_; ++i) {
      if (i > 0 && x[i] == x[i - 1]) continue;  // equal heaps have the same options
      std::size_t place = i;
      std::uint64_t others = p - numbers_.term(i, x[i]);
      for (const std::uint8_t left : left_[x[i]]) {
        for (; place > 0 && x[place - 1] > left; --place) {
          others += numbers_.term(place, x[place - 1]) - numbers_.term(place - 1, x[place - 1]);
        }
        visit(others + numbers_.term(place, left));
      }
    }
  }
  template <class Visit>
  void options(Position p, const Visit& visit) const {
    Hint hint{};
    options(p, hint, visit);
  }

  [[nodiscard]] std::string text(Position p) const;
  /// @throws Error(kUsage)
  [[nodiscard]] Position parse(std::string_view text) const;

 private:
  std::size_t heaps_;
  std::uint64_t size_ = 0;
  std::vector<std::vector<std::uint8_t>> left_;  ///< for each heap, the heaps that a move may
                                                 ///< leave, descending
  MultisetNumbers numbers_;
};

}  // namespace grundy::graph
