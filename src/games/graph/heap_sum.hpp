/// @file
/// Sums of heaps as one game: positions are multisets of heaps, and no theorem is used.
///
/// The graph is the product of the graphs of its heaps, up to their order. The Sprague-Grundy
/// theorem is about this product, so a position is never split into components. A position is the
/// list of heap sizes in descending order, one byte each, without empty heaps. N is the number of
/// bytes; if N is 8, no heap exceeds 127.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <grundy/heap/rule.hpp>

namespace grundy::graph {

inline constexpr std::uint64_t kLargestSummand = 255;
inline constexpr std::size_t kMostSummands = 32;

/// The lists of heaps that moves may leave of one heap. Each list is there once, one after another.
struct MovesOfHeap {
  std::vector<std::uint8_t> heaps;
  std::vector<std::uint32_t> end;  ///< list i: heaps up to end[i] (exclusive)
};
/// For each size of the heap.
using HeapMoves = std::vector<MovesOfHeap>;

/// The moves of heaps up to `largest`. @throws Error(kFailure) if there are more than 10 million
HeapMoves heap_moves(const HeapRule& rule, std::uint64_t largest);

/// For each size of the heap: the most heaps that a move may leave of it.
std::vector<std::size_t> most_left(const HeapMoves& moves);

/// The most heaps that play can make of `heaps`.
std::size_t most_in_play(const HeapMoves& moves, std::span<const std::uint8_t> heaps);

/// Reads `5+3+1` or `5,3,1`; `0` for no heaps. @throws Error(kUsage) if the text is not of this
/// form, a heap exceeds `largest`, or there are more than `most` heaps
std::vector<std::uint8_t> parse_heaps(std::string_view text, std::uint64_t largest,
                                      std::size_t most);
/// The inverse of parse_heaps().
std::string heaps_text(std::span<const std::uint8_t> heaps);

/// @throws Error(kFailure) because there is no room for another heap
[[noreturn]] void too_many_heaps(std::size_t most);

template <std::size_t N>
class HeapSum {
 public:
  using Position = std::array<std::uint8_t, N>;

  HeapSum(HeapMoves moves, std::span<const std::uint8_t> heaps)
      : moves_(std::move(moves)), most_left_(most_left(moves_)), start_(descending(heaps)) {}

  [[nodiscard]] Position start() const noexcept { return start_; }
  [[nodiscard]] Position canonical(const Position& p) const noexcept { return p; }

  /// Whether the heaps are in order and have their moves listed, and there is room for all heaps
  /// that a move may leave. A sum without that room has no table.
  [[nodiscard]] bool contains(const Position& p) const noexcept {
    if (!std::ranges::is_sorted(p, std::ranges::greater()) || p[0] >= moves_.size()) return false;
    const std::size_t heaps = N - static_cast<std::size_t>(std::ranges::count(p, 0));
    return std::all_of(p.begin(), p.begin() + heaps,
                       [&](std::uint8_t heap) { return heaps - 1 + most_left_[heap] <= N; });
  }

  /// Twice the number of tokens minus the number of heaps, because a move may split a heap and take
  /// nothing.
  [[nodiscard]] std::uint32_t potential(const Position& p) const noexcept {
    std::uint32_t tokens = 0, heaps = 0;
    for (const std::uint8_t heap : p) {
      tokens += heap;
      heaps += heap != 0 ? 1 : 0;
    }
    return 2 * tokens - heaps;
  }

  template <class Visit>
  void options(const Position& p, const Visit& visit) const {
    for (std::size_t i = 0; i < N && p[i] != 0; ++i) {
      if (i + 1 < N && p[i + 1] == p[i]) continue;  // equal heaps have the same options
      Position rest = p;
      for (std::size_t k = i; k + 1 < N; ++k) rest[k] = rest[k + 1];
      rest[N - 1] = 0;
      const MovesOfHeap& moves = moves_[p[i]];
      const std::uint8_t* heap = moves.heaps.data();
      for (const std::uint32_t end : moves.end) {
        Position option = rest;
        for (const std::uint8_t* const last = moves.heaps.data() + end; heap != last; ++heap) {
          insert(option, *heap);
        }
        visit(option);
      }
    }
  }

  [[nodiscard]] std::string text(const Position& p) const { return heaps_text(p); }
  [[nodiscard]] Position parse(std::string_view text) const {
    return descending(parse_heaps(text, moves_.size() - 1, N));
  }

 private:
  static Position descending(std::span<const std::uint8_t> heaps) {
    Position p{};
    for (const std::uint8_t heap : heaps) insert(p, heap);
    return p;
  }

  static void insert(Position& p, std::uint8_t heap) {
    if (p[N - 1] != 0) too_many_heaps(N);
    if constexpr (N == 8) {
      // Compares all bytes at once. They are below 128, so the subtraction leaves the top bit of
      // exactly those bytes that exceed the heap. These bytes come first.
      constexpr std::uint64_t kOnes = 0x0101010101010101u;
      const auto all = std::bit_cast<std::uint64_t>(p);
      const std::uint64_t larger = ((all | kOnes << 7) - kOnes * (heap + 1u)) >> 7 & kOnes;
      const std::uint64_t first = larger * 255;  // all bits of these bytes: 2^(8k) - 1
      p = std::bit_cast<Position>((all & first) | (all & ~first) << 8 | (first + 1) * heap);
      return;
    }
    std::size_t at = N - 1;
    for (; at > 0 && p[at - 1] < heap; --at) p[at] = p[at - 1];
    p[at] = heap;
  }

  HeapMoves moves_;
  std::vector<std::size_t> most_left_;
  Position start_;
};

}  // namespace grundy::graph
