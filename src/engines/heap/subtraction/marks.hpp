/// @file
/// Bitsets that tell quickly which small values the options of a heap have: the first sieve of
/// candidates.hpp.
///
/// For every value v and every residue r modulo m there is a bitset of the heaps m q + r with value
/// v among the last kReach heaps. Taking s tokens leads from row r to row r - s (mod m), a fixed
/// number of places lower, so a stretch of one row ORs into a stretch of another. If the elements
/// of S are unevenly spread over the residues, so are the heaps of one value. (For the squares
/// modulo 5, a level fills two rows that no square connects.) The elements of S that lead to
/// crowded rows are used first, and only as long as the gain pays for the operation. Marks are
/// exact. Options that are not marked are left to the second sieve.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <span>
#include <vector>

#include <grundy/types.hpp>

#include "core/huge_pages.hpp"
#include "kernels/subtraction_kernels.hpp"

namespace grundy {

class ResidueMarks {
 public:
  /// The number of entries of a candidate list.
  static constexpr std::size_t kListed = 32;
  /// Number of bits of one row that are handled at a time: eight 512-bit vectors.
  static constexpr std::size_t kLanes = 4096;
  /// The distance up to which options are looked up, in heaps.
  static constexpr HeapSize kReach = HeapSize{1} << 22;
  /// Larger values are not kept, and lists of candidates end there.
  static constexpr std::size_t kMaxValues = 1024;

  /// `taps`: the elements of S, ascending. Blocks have at most `max_block` heaps.
  ResidueMarks(std::span<const HeapSize> taps, HeapSize modulus, HeapSize count, HeapSize max_block,
               const SubtractionKernels& kernels);

  // Levels point into rooms.
  ResidueMarks(const ResidueMarks&) = delete;
  ResidueMarks& operator=(const ResidueMarks&) = delete;

  /// Bytes for `values` different values.
  static std::uint64_t memory_bytes(HeapSize modulus, HeapSize count, HeapSize max_block,
                                    std::uint64_t values);

  /// Announces a block of `heaps` heaps. @pre both are multiples of 64 * modulus
  void start_block(HeapSize begin, HeapSize heaps);
  /// Number of units into which list_candidates() splits the block.
  [[nodiscard]] std::size_t units() const noexcept;
  /// Lists the least values that no marked option has, for the heaps of units first .. last-1. The
  /// list of heap begin + i is at lists + i * kListed, ascending. Entries after its last one are
  /// not touched. Values are taken one after another over all these heaps, so that the bits of a
  /// value stay in the cache.
  template <class T>
  void list_candidates(std::size_t first, std::size_t last, T* lists) const;
  /// Adds rows of heaps below those that are announced next. Different rows may be added in
  /// parallel, after make_room() for the largest value.
  template <class T>
  void add_row(HeapSize row, HeapSize begin, std::span<const T> values);
  void make_room(Nimber largest);

 private:
  using Word = std::uint64_t;

  /// Steps from one row to another by elements of S. A step is a number of bytes down in the bits.
  /// The steps are sorted by the residue of the number of places modulo 8, ascending in each.
  struct Step {
    HeapSize from_row = 0;
    std::size_t size = 0;
    std::array<std::vector<std::uint64_t>, 8> down;
    std::array<std::size_t, 8> begin{};  ///< first element that this block may use
    std::array<std::size_t, 8> end{};
  };
  struct Level {
    Word* bits;                          ///< `modulus` rows of row_words_, in a room
    std::vector<std::uint64_t> per_row;  ///< all heaps so far, by row
  };
  /// The bits of so many levels fill a few huge pages.
  static constexpr std::size_t kLevelsOfRoom = 16;
  using Room = std::vector<Word, HugePageAllocator<Word>>;

  /// Up to kLanes heaps of one row.
  struct Unit {
    HeapSize row = 0;
    HeapSize lane = 0;  ///< first place, counted from the first place of the block
    std::size_t lanes = 0;
    std::size_t open = 0;  ///< number of heaps whose lists are not full
    std::array<Word, kLanes / 64> is_open{};
    std::array<std::uint8_t, kLanes> listed{};  ///< lengths of the lists
  };

  [[nodiscard]] Unit unit(std::size_t index) const noexcept;
  /// ORs into `words` the heaps of the unit that have a marked option in the level.
  void cover(const Level& level, const Unit& unit, Word* words) const;
  /// Appends `value` to the lists of the heaps that are not covered.
  template <class T>
  void append(Unit& unit, T value, const Word* covered, T* lists) const;

  HeapSize modulus_;
  HeapSize reach_;  ///< in places
  const SubtractionKernels& kernels_;
  std::size_t row_words_;
  HeapSize origin_ = 0;                   ///< the place of bit kFront
  HeapSize first_ = 0;                    ///< the first place of the block
  HeapSize places_ = 0;                   ///< number of places in a row of the block
  std::vector<std::vector<Step>> steps_;  ///< by the row in which they end
  std::vector<Room> rooms_;
  std::vector<Level> levels_;
};

}  // namespace grundy
