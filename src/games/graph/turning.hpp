/// @file
/// Coin-turning games (Lenstra; Winning Ways, ch. 14). A move turns some coins; the one at the
/// highest place goes from heads to tails. A position is the set of heads.
///
/// - Mock Turtles turns one, two or three coins, Ruler any number of consecutive coins. The coins
///   lie in a row, and places count from 1.
/// - Turning Corners turns the corners of a rectangle in a plane: (x,y), (x,y'), (x',y) and (x',y')
///   with x' < x and y' < y. The value of a head at (x,y) is the nim-product of x and y.
///
/// Two heads at one place cancel, as equal games do in a sum. So a position is the sum of its
/// single heads, and these are its components.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace grundy::graph {

class TurningCoins {
 public:
  enum class Kind : std::uint8_t { kMockTurtles, kRuler, kCorners };
  /// Bit k: the coin at place k shows heads.
  using Position = std::array<std::uint64_t, 4>;
  static constexpr unsigned kMostPlaces = 256;
  /// The most places if positions are not split: play can then take 2^20 moves.
  static constexpr unsigned kMostWholePlaces = 20;
  static constexpr unsigned kColumns = 16;  ///< of the plane: (x,y) is place 16 x + y

  /// @param split whether positions are replaced by their heads
  /// @throws Error(kUsage) if there are no such heads in this game
  TurningCoins(Kind kind, std::string_view heads, bool split);

  [[nodiscard]] Position start() const noexcept { return start_; }
  [[nodiscard]] Position canonical(const Position& p) const noexcept { return p; }
  [[nodiscard]] bool contains(const Position& p) const noexcept {
    return split_ || (p[0] >> kMostWholePlaces == 0 && p[1] == 0 && p[2] == 0 && p[3] == 0);
  }

  /// Single heads become lower heads. A set, read as a binary number, becomes a smaller one.
  [[nodiscard]] std::uint32_t potential(const Position& p) const noexcept {
    if (!split_) return static_cast<std::uint32_t>(p[0]);
    for (unsigned word = 4; word-- > 0;) {
      if (p[word] != 0) return 64 * word + static_cast<std::uint32_t>(std::bit_width(p[word]));
    }
    return 0;
  }

  template <class Visit>
  void options(const Position& p, const Visit& visit) const {
    for_each_head(p, [&](unsigned head) {
      switch (kind_) {
        case Kind::kMockTurtles:
          turn_up_to_three(p, head, visit);
          break;
        case Kind::kRuler:
          turn_run(p, head, visit);
          break;
        case Kind::kCorners:
          turn_corners(p, head, visit);
      }
    });
  }

  template <class Visit>
  void components(const Position& p, const Visit& visit) const {
    for_each_head(p, [&](unsigned head) { visit(turned(Position{}, head)); });
  }

  /// Places of the heads: `3,7`, or in the plane `2.5,3.3`; `-` if there are none.
  [[nodiscard]] std::string text(const Position& p) const;
  /// @throws Error(kUsage)
  [[nodiscard]] Position parse(std::string_view text) const;

 private:
  static Position turned(Position p, unsigned place) noexcept {
    p[place / 64] ^= std::uint64_t{1} << place % 64;
    return p;
  }

  template <class F>
  static void for_each_head(const Position& p, F&& call) {
    for (unsigned word = 0; word < 4; ++word) {
      for (std::uint64_t rest = p[word]; rest != 0; rest &= rest - 1) {
        call(64 * word + static_cast<unsigned>(std::countr_zero(rest)));
      }
    }
  }

  template <class Visit>
  void turn_up_to_three(const Position& p, unsigned head, const Visit& visit) const {
    const Position one = turned(p, head);
    visit(one);
    for (unsigned i = 0; i < head; ++i) {
      const Position two = turned(one, i);
      visit(two);
      for (unsigned j = 0; j < i; ++j) visit(turned(two, j));
    }
  }

  template <class Visit>
  void turn_run(Position p, unsigned head, const Visit& visit) const {
    for (unsigned i = head + 1; i-- > 0;) visit(p = turned(p, i));
  }

  template <class Visit>
  void turn_corners(const Position& p, unsigned head, const Visit& visit) const {
    for (unsigned x = 0; x < head / kColumns; ++x) {
      for (unsigned y = 0; y < head % kColumns; ++y) {
        const Position near = turned(turned(p, head), x * kColumns + y);
        visit(turned(turned(near, x * kColumns + head % kColumns), head / kColumns * kColumns + y));
      }
    }
  }

  Kind kind_;
  bool split_;
  Position start_;
};

}  // namespace grundy::graph
