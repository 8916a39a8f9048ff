/// @file
/// Games with coins on a strip of squares 0, 1, 2, ..: Welter's game, Silver Dollar, hexad. A
/// position is the set of squares with a coin, all below 64.
///
/// - Welter: a coin moves left to any empty square (Welter 1954).
/// - Silver Dollar without a dollar: a coin moves left over empty squares (de Bruijn).
/// - Hexad, or mathematical blackjack: 6 of the cards 0 .. 11; a card is replaced by a lower one
///   that is absent, and the sum stays at least 21 (Kahane and Ryba 2001).
// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace grundy::graph {

/// Squares of a set in ascending order, `0,3,7`; `-` if there are none.
std::string squares_text(std::uint64_t squares);
/// The inverse of squares_text(). @throws Error(kUsage) if a square is not below `count` or occurs
/// twice
std::uint64_t parse_squares(std::string_view text, unsigned count);

/// The common base of the games.
class SquareSet {
 public:
  using Position = std::uint64_t;
  static constexpr unsigned kMostSquares = 64;

  SquareSet(std::string_view start, unsigned squares)
      : squares_(squares), start_(parse_squares(start, squares)) {}

  [[nodiscard]] Position start() const noexcept { return start_; }
  [[nodiscard]] Position canonical(Position p) const noexcept { return p; }
  /// Whether p has as many coins as the start position, all of them on the strip.
  [[nodiscard]] bool contains(Position p) const noexcept {
    return (squares_ == kMostSquares || p >> squares_ == 0) &&
           std::popcount(p) == std::popcount(start_);
  }
  [[nodiscard]] std::string text(Position p) const { return squares_text(p); }
  [[nodiscard]] Position parse(std::string_view text) const {
    return parse_squares(text, squares_);
  }

 protected:
  static constexpr Position bit(unsigned square) noexcept { return Position{1} << square; }
  static unsigned lowest(Position p) noexcept { return static_cast<unsigned>(std::countr_zero(p)); }
  /// The sum of the squares.
  [[nodiscard]] static std::uint32_t sum(Position p) noexcept {
    std::uint32_t sum = 0;
    for (; p != 0; p &= p - 1) sum += lowest(p);
    return sum;
  }

 private:
  unsigned squares_;
  Position start_;
};

class Welter : public SquareSet {
 public:
  explicit Welter(std::string_view start) : SquareSet(start, kMostSquares) {}
  [[nodiscard]] std::uint32_t potential(Position p) const noexcept { return sum(p); }

  template <class Visit>
  void options(Position p, const Visit& visit) const {
    for (Position rest = p; rest != 0; rest &= rest - 1) {
      const Position coin = rest & (0 - rest);
      for (Position free = ~p & (coin - 1); free != 0; free &= free - 1) {
        visit((p ^ coin) | (free & (0 - free)));
      }
    }
  }
};

class SilverDollar : public SquareSet {
 public:
  explicit SilverDollar(std::string_view start) : SquareSet(start, kMostSquares) {}
  [[nodiscard]] std::uint32_t potential(Position p) const noexcept { return sum(p); }

  template <class Visit>
  void options(Position p, const Visit& visit) const {
    for (Position rest = p; rest != 0; rest &= rest - 1) {
      const Position coin = rest & (0 - rest);
      for (Position to = coin >> 1; to != 0 && (p & to) == 0; to >>= 1) visit((p ^ coin) | to);
    }
  }
};

class Hexad : public SquareSet {
 public:
  static constexpr std::uint32_t kLeastSum = 21;
  static constexpr unsigned kCards = 12;

  Hexad() : SquareSet("6,7,8,9,10,11", kCards) {}
  [[nodiscard]] std::uint32_t potential(Position p) const noexcept { return sum(p); }
  [[nodiscard]] bool contains(Position p) const noexcept {
    return SquareSet::contains(p) && sum(p) >= kLeastSum;
  }
  /// @throws Error(kUsage) unless the text is 6 cards with a sum of at least 21
  [[nodiscard]] Position parse(std::string_view text) const;

  template <class Visit>
  void options(Position p, const Visit& visit) const {
    const std::uint32_t total = sum(p);
    for (Position rest = p; rest != 0; rest &= rest - 1) {
      const Position card = rest & (0 - rest);
      for (Position free = ~p & (card - 1); free != 0; free &= free - 1) {
        if (total - lowest(card) + lowest(free) < kLeastSum) continue;
        visit((p ^ card) | (free & (0 - free)));
      }
    }
  }
};

}  // namespace grundy::graph
