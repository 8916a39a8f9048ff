/// @file
/// Inner loops of the lattice wavefront (src/engines/lattice) on copies of the bit sets of the
/// values on lines.
///
/// The copies lie side by side: equal words of sets with consecutive numbers are neighbours, so
/// that a vector holds equal words of several sets.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace grundy {

/// Number of words before and after the sets that place_cells() may read, and number of elements
/// after a list.
inline constexpr std::size_t kSetSlack = 8;

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

/// What words have in common.
struct WordBits {
  std::uint64_t all = ~std::uint64_t{0};  ///< the bits that all words have
  bool is_zero = true;                    ///< no word has a bit
};

/// Which words of sets are full. Byte w of a chunk has a bit for each of kSetSlack sets, from set
/// kSetSlack * chunk on.
struct FullWords {
  std::uint8_t* bytes = nullptr;
  std::size_t pitch = 0;  ///< bytes of a chunk, a multiple of kPitch; more than there are words

  static constexpr std::size_t kPitch = 64;
};

/// Consecutive chunks with sets of one direction.
struct ChunkRange {
  std::size_t direction = 0;
  std::uint64_t first = 0, count = 0;
};

/// The sets in which place_cells() looks for gaps.
struct CellSearch {
  PackedBits bits;
  /// The words to look at, ascending: a list for each LineKernels::group cells.
  const std::uint32_t* const* words = nullptr;
  const std::uint32_t* value = nullptr;  ///< the value of bit 0 of each word of a set
  const CellSets* sets = nullptr;
  std::size_t marked = 0;  ///< number of leading directions that take the values that are found
  std::size_t count = 0;
};

struct LineKernels {
  /// What `count` words have in common. @pre count > 0
  WordBits (*bits_of)(const std::uint64_t* words, std::size_t count) noexcept;
  /// Notes which of `count` words of the sets of a range are full.
  void (*note_full)(const PackedBits& bits, const std::uint32_t* words, std::size_t count,
                    const ChunkRange& range, const FullWords& full) noexcept;
  /// Lists the words below `words` that in every direction are not full in some set of the ranges.
  /// Returns the number of these words. Ranges of the same direction must be neighbours.
  std::size_t (*living_words)(const FullWords& full, std::size_t words, const ChunkRange* ranges,
                              std::size_t count, std::uint32_t* list) noexcept;
  /// For every one of `cells` cells, of which no two share a set: finds the least value that is in
  /// none of its sets, adds it to the marked sets, and writes it to `to`, which moves by `step`
  /// from cell to cell. There must be such a value. Returns the end of the words that it has read.
  std::size_t (*place_cells)(const CellSearch& search, std::size_t cells, std::uint32_t* to,
                             std::ptrdiff_t step) noexcept;
  std::size_t group;  ///< number of cells that read the same list

  /// The functions for one target (kernels/targets.hpp); null if there are none.
  static const LineKernels* of_target(std::int64_t target) noexcept;
};

}  // namespace grundy
