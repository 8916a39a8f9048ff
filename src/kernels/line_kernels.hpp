/// @file
/// Inner loops of the lattice wavefront (src/engines/lattice): bit sets of the values on lines, and
/// copies of parts of them.
///
/// Equal cache lines of sets in consecutive places are neighbours, so that memory of values that no
/// set reaches is not touched. Copies lie side by side: equal words of sets with consecutive
/// numbers are neighbours, so that a vector holds equal words of several sets.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace grundy {

/// Number of words before and after the sets that place_cells() may read, and number of elements
/// after a list.
inline constexpr std::size_t kSetSlack = 8;

/// Sets of bits, one for each line. A set is cut into blocks of kBlock words. Places are cut into
/// groups; block after block, a group has the block of each of its sets.
struct LineBits {
  static constexpr std::size_t kBlock = 8;  ///< a cache line
  static constexpr std::size_t kGroup = 2048;

  std::uint64_t* words = nullptr;
  std::size_t stride = 0;                 ///< words of a set, in whole blocks
  std::size_t bits = 0;                   ///< no set has a bit at or beyond this
  std::uint32_t* low = nullptr;           ///< leading words of a set that are known to be full
  std::uint32_t* high = nullptr;          ///< all words of a set from this one on are empty
  const std::uint64_t* places = nullptr;  ///< the place of each set

  /// The first block of a set. The next one comes kGroup blocks later.
  [[nodiscard]] std::uint64_t* set(std::uint64_t s) const noexcept {
    const std::uint64_t place = places[s];
    return words + place / kGroup * kGroup * stride + place % kGroup * kBlock;
  }
  [[nodiscard]] static constexpr std::size_t offset_of(std::size_t word) noexcept {
    return word / kBlock * kGroup * kBlock + word % kBlock;
  }
  [[nodiscard]] std::uint64_t& word(std::uint64_t s, std::size_t w) const noexcept {
    return set(s)[offset_of(w)];
  }
  /// Calls `visit` with the address and the number of consecutive words, for the words begin ..
  /// end-1 of a set.
  template <class Visit>
  void for_pieces(std::uint64_t s, std::size_t begin, std::size_t end, Visit visit) const {
    std::uint64_t* const at = set(s);
    if (begin % kBlock != 0 && begin < end) {
      const std::size_t count = std::min(end, begin / kBlock * kBlock + kBlock) - begin;
      visit(at + offset_of(begin), count);
      begin += count;
    }
    // Most pieces have a constant length, which the compiler knows.
    for (; begin + kBlock <= end; begin += kBlock) visit(at + offset_of(begin), kBlock);
    if (begin < end) visit(at + offset_of(begin), end - begin);
  }
  /// Notes the full and the empty words of a set after it has taken bits below word `end`.
  void taken(std::uint64_t s, std::size_t end) const noexcept {
    const std::uint64_t* const at = set(s);
    while (low[s] < end && ~at[offset_of(low[s])] == 0) ++low[s];
    while (end > high[s] && at[offset_of(end - 1)] == 0) --end;
    if (end > high[s]) high[s] = static_cast<std::uint32_t>(end);
  }
};

/// Sets that lie side by side: word w of set s is words[w * stride + s].
struct PackedBits {
  std::uint64_t* words = nullptr;
  std::size_t stride = 0;
};

/// The sets of cells 0, 1, ... in one direction. The set of cell c has the number list[c]. If there
/// is no list, it has the number first + c, or first - c if sets descend.
struct CellSets {
  std::uint64_t first = 0;
  bool descend = false;
  const std::int64_t* list = nullptr;

  [[nodiscard]] bool ascend() const noexcept { return list == nullptr && !descend; }
  [[nodiscard]] std::uint64_t of(std::size_t cell) const noexcept {
    if (list != nullptr) return static_cast<std::uint64_t>(list[cell]);
    return descend ? first - cell : first + cell;
  }
};

/// Consecutive sets of one direction, all or a part.
struct SetRange {
  std::size_t direction = 0;
  std::uint64_t first = 0, count = 0;
};

/// The sets in which place_cells() looks for gaps.
struct CellSearch {
  PackedBits bits;
  const std::uint32_t* word = nullptr;   ///< the words to look at, ascending
  const std::uint32_t* value = nullptr;  ///< the value of bit 0 of each word of a set
  const CellSets* sets = nullptr;
  std::size_t marked = 0;  ///< number of leading directions that take the values that are found
  std::size_t count = 0;
};

struct LineKernels {
  /// The bits that all of `count` words have.
  std::uint64_t (*all_of)(const std::uint64_t* words, std::size_t count) noexcept;
  /// Lists the words below `words` that have a bit which in every direction some set lacks. Returns
  /// the number of these words. Ranges of the same direction must be neighbours.
  std::size_t (*living_words)(const PackedBits& bits, std::size_t words, const SetRange* ranges,
                              std::size_t count, std::uint32_t* list) noexcept;
  /// For every one of `cells` cells, of which no two share a set: finds the least value that is in
  /// none of its sets, adds it to the marked sets, and writes it to `to`, which moves by `step`
  /// from cell to cell. There must be such a value. Returns how many words of the list it has read.
  std::size_t (*place_cells)(const CellSearch& search, std::size_t cells, std::uint32_t* to,
                             std::ptrdiff_t step) noexcept;

  /// The functions for one target (kernels/targets.hpp); null if there are none.
  static const LineKernels* of_target(std::int64_t target) noexcept;
};

}  // namespace grundy
