/// @file
/// Inner loops of the lattice wavefront (src/engines/lattice): bit sets of the values on lines, and
/// sets packed from them.
///
/// A cell's sets are given by `count` numbers, slots[cell * count] and up.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace grundy {

/// Words behind a packed set that place_cells() may read (and take for zero bits).
inline constexpr std::size_t kSetSlack = 8;

/// Sets of bits, one for a line.
struct LineBits {
  std::uint64_t* words = nullptr;
  std::size_t stride = 0;
  std::size_t bits = 0;           ///< no set has a bit beyond
  std::uint32_t* low = nullptr;   ///< leading words of a set that are known to be full
  std::uint32_t* high = nullptr;  ///< all words of a set from this one on are empty
  /// Where set s starts, in strides; null: one behind the other, as place_cells() wants them.
  const std::uint64_t* places = nullptr;

  [[nodiscard]] std::uint64_t* set(std::uint64_t s) const noexcept {
    return words + (places == nullptr ? s : places[s]) * stride;
  }
  /// Notes what is full and what is empty in a set that has taken bits below `end`.
  void taken(std::uint64_t s, std::size_t end) const noexcept {
    const std::uint64_t* const at = set(s);
    while (low[s] < end && ~at[low[s]] == 0) ++low[s];
    while (end > high[s] && at[end - 1] == 0) --end;
    if (end > high[s]) high[s] = static_cast<std::uint32_t>(end);
  }
};

struct LineKernels {
  /// into[i] &= from[i].
  void (*and_words)(std::uint64_t* into, const std::uint64_t* from, std::size_t words) noexcept;
  /// Writes the bits of from[word[i]] that masks[i] selects, for i < count, without gaps to `out`;
  /// one word behind the last is written too.
  void (*pack_bits)(const std::uint64_t* from, const std::uint32_t* word,
                    const std::uint64_t* masks, std::size_t count, std::uint64_t* out) noexcept;
  /// Adds to into[word[i]], for i < count, the bits that `packed` holds for masks[i]: the inverse
  /// of pack_bits().
  void (*unpack_bits)(const std::uint64_t* packed, const std::uint32_t* word,
                      const std::uint64_t* masks, std::size_t count, std::uint64_t* into) noexcept;
  /// For every one of `cells` cells in order: finds the least index that is in none of its sets,
  /// writes it to `index`, and adds it to each of the sets. There is such an index.
  void (*place_cells)(const LineBits& sets, const std::uint32_t* slots, std::size_t count,
                      std::size_t cells, std::uint32_t* index) noexcept;

  /// The functions for one target (kernels/targets.hpp); null if there are none.
  static const LineKernels* of_target(std::int64_t target) noexcept;
};

}  // namespace grundy
