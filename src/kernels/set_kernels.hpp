/// @file
/// Inner loops of the lattice frontier (src/engines/lattice): sets of values, cut into banks. A set
/// has one cache line in each bank.
///
/// A *row* is a run of positions along the last heap. Each position has several sets; the numbers
/// of each of these sets form an arithmetic progression along the row.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace grundy {

/// Number of words of one set in a bank, and number of values in these words.
inline constexpr std::size_t kBankWords = 8;
inline constexpr std::uint32_t kBankValues = 64 * kBankWords;

/// Sets by number. The values c * kBankValues .. (c + 1) * kBankValues - 1 of set s are the bits of
/// the kBankWords words at banks[c] + kBankWords * s.
struct BankedSets {
  std::uint64_t* const* banks;
  std::size_t count;   ///< number of banks
  std::uint16_t* low;  ///< for every set, a number of leading banks in which it is full
};

/// One set for every position of a row: number first + i * step for position i.
struct SetStride {
  std::uint64_t first;
  std::int64_t step;
};

struct SetKernels {
  /// For every one of `cells` positions in order: finds the least value that none of its `count`
  /// sets holds, writes it to `values`, and adds it to the first `marked` sets. There must be such
  /// a value below count * kBankValues. May raise `low` of those sets.
  void (*place_row)(const BankedSets& sets, const SetStride* rows, std::size_t marked,
                    std::size_t count, std::size_t cells, std::uint32_t* values) noexcept;
  /// For every position in order: makes `into` the union of the `count` sets of `from` and the
  /// value of the position.
  void (*extend_row)(const BankedSets& sets, SetStride into, const SetStride* from,
                     std::size_t count, std::size_t cells, const std::uint32_t* values) noexcept;

  /// The functions for one target (kernels/targets.hpp); null if there are none.
  static const SetKernels* of_target(std::int64_t target) noexcept;
};

/// The same functions for sets of outcomes. Set s is the byte s at banks[0]: bit 0 is set if it
/// holds the value 0, and bit 1 if it holds another value. The values of positions are 0, or 1 for
/// any other value.
const SetKernels& outcome_kernels() noexcept;

}  // namespace grundy
