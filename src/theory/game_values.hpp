/// @file
/// The known values of one heap game, and the moves from a heap to a given value, also if the heap
/// has too many options to list.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <grundy/heap/options.hpp>
#include <grundy/heap/rule.hpp>
#include <grundy/period.hpp>
#include <grundy/types.hpp>

namespace grundy {

/// One game and the known values of its heaps.
struct GameValues {
  std::string name;  ///< for people
  HeapRule rule;
  std::vector<Nimber> first;  ///< the values of heaps 0 .. first.size()-1
  PeriodReport period;
  /// The value of a heap beyond `first` where the period does not give it; may be empty.
  std::function<std::uint64_t(HeapSize)> beyond{};

  /// `first` reaches far enough for a certified period to give the value of every heap.
  [[nodiscard]] bool periodic() const noexcept;
  /// The value of heap n. @throws Error(kUsage) if it is not known
  [[nodiscard]] std::uint64_t value(HeapSize n) const;
  /// The nim-sum of the values of the heaps that a move leaves.
  [[nodiscard]] std::uint64_t value(const HeapMove& move) const;
};

/// Moves in one heap to positions of one value.
struct MovesToValue {
  std::vector<HeapMove> moves{};
  /// True if `moves` has all of them. If false, the heap has too many options to look through, and
  /// `moves` has one move of possibly very many, or none if none was found.
  bool complete = true;
  /// To pass is such a move, too: it leaves the heap without its pass, which has no number. False
  /// if the heap has too many options to tell.
  bool pass = false;
};

/// A full list of moves is made for heaps of at most this many options.
inline constexpr std::uint64_t kMostOptions = 4'000'000;

/// The moves from heap n to the value `wanted`: all of them if the heap has at most `most_options`
/// options, or if a period with a saltus gives all values of the game. Else one move, if there is
/// any. It is found with a certified period p and preperiod e (no saltus): every value that is
/// reached is reached by an option whose heaps, except the largest, have at most e + p tokens,
/// because p tokens may go from any larger heap to the largest without a change of value.
/// Nothing if `stop` came first.
/// @throws Error(kUsage) if the value of an option is needed and not known
std::optional<MovesToValue> moves_to_value(const GameValues& game, HeapSize n, std::uint64_t wanted,
                                           std::uint64_t most_options = kMostOptions,
                                           const std::stop_token& stop = {});

}  // namespace grundy
