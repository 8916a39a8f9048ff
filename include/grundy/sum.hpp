/// @file
/// Sums of heap games: value, outcome, and every move that wins.
///
/// In a sum a player moves in one component and leaves the others alone. Its Grundy value is the
/// nim-sum of the values of its components (Sprague 1935, Grundy 1939). The player to move wins
/// exactly if the nim-sum s is not 0: a winning move takes some heap of value g to a position of
/// value g xor s. Such a move exists wherever g xor s < g, because g is the mex of the values of
/// its options. Where g xor s > g it may exist too, and only a look at the options tells.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <grundy/heap/options.hpp>
#include <grundy/heap/rule.hpp>
#include <grundy/period.hpp>
#include <grundy/types.hpp>

namespace grundy {

/// One game and what is known of the values of its heaps.
struct GameValues {
  std::string name;  ///< for people
  HeapRule rule;
  std::vector<Nimber> first;  ///< the values of heaps 0 .. first.size()-1
  PeriodReport period;
  /// The value of a heap beyond `first` where the period does not give it; may be empty.
  std::function<Nimber(HeapSize)> beyond{};

  /// `first` reaches far enough for a certified period to give the value of every heap.
  [[nodiscard]] bool periodic() const noexcept;
  /// The value of heap n. @throws Error(kUsage) if it is not known
  [[nodiscard]] Nimber value(HeapSize n) const;
  /// The nim-sum of the values of the heaps that a move leaves.
  [[nodiscard]] Nimber value(const HeapMove& move) const;
};

/// How much of the moves from one heap to one value is listed.
enum class Listing {
  kEvery,    ///< all of them
  kOne,      ///< one of possibly very many
  kUnknown,  ///< too many options to look through
};

/// Moves in one heap to positions of one value.
struct MovesToValue {
  Nimber wanted = 0;
  Listing listing = Listing::kEvery;
  std::vector<HeapMove> moves{};
};

/// Options of one heap that are looked through for a full list.
inline constexpr std::uint64_t kMostOptions = 4'000'000;

/// The moves from heap n to the value `wanted`: all of them if the heap has at most `most_options`
/// options, or if a period with a saltus gives all values of the game. Else one move, if there is
/// any. It is found with a certified period p and preperiod e (no saltus): every value that is
/// reached is reached by an option whose heaps, except the largest, have at most e + p tokens,
/// because p tokens may go from any larger heap to the largest without a change of value.
/// @throws Error(kUsage) if the value of an option is needed and not known
MovesToValue moves_to_value(const GameValues& game, HeapSize n, Nimber wanted,
                            std::uint64_t most_options = kMostOptions);

/// One component of a sum.
struct SumHeap {
  const GameValues* game;
  HeapSize size;
};

/// The nim-sum of the values of the heaps; 0 exactly if the player to move loses.
/// @throws Error(kUsage) if one of them is not known
Nimber sum_value(std::span<const SumHeap> heaps);

/// For every heap the moves in it that win, listed as by moves_to_value(); no moves at all if the
/// nim-sum is 0. @throws Error(kUsage) as moves_to_value()
std::vector<MovesToValue> winning_moves(std::span<const SumHeap> heaps,
                                        std::uint64_t most_options = kMostOptions);

}  // namespace grundy
