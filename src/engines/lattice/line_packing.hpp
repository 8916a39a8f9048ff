/// @file
/// The lines through a tile of a table of two heaps, packed to the words that are living there.
///
/// Every position lies on one line of each direction. So a value that all lines of one direction
/// hold is *dead* in the tile: each position there has an option with this value. A value that no
/// position can reach is dead too. Blocks of words that are not entirely dead are copied side by
/// side (kernels/line_kernels.hpp), and written back when the tile is solved.
///
/// When the lines of a direction are written back, the words that all of them hold are noted for
/// the next tile with the same lines. Other tiles may add values to these lines meanwhile; then a
/// few words are copied in vain.
///
/// Cost: the living words of all lines of the tile, read and written once in each direction.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/huge_pages.hpp"
#include "engines/lattice/diagonal_tiles.hpp"
#include "engines/lattice/line_sets.hpp"
#include "kernels/line_kernels.hpp"

namespace grundy {

/// An object is reused from tile to tile.
class LinePacking {
 public:
  static constexpr std::uint32_t kDead = ~std::uint32_t{0};

  LinePacking(LineSets& lines, unsigned plane, const LineKernels& kernels)
      : lines_(lines), accesses_(lines.accesses(plane)), kernels_(kernels) {}

  /// Packs the lines of a tile.
  /// @param growth a bound of how far a position of the tile may exceed all values that its lines
  /// hold; see TileSolver::growth()
  /// @param spare the number of empty, consecutive sets that the owner uses
  void pack(const TileArea& area, std::size_t growth, std::size_t spare);
  /// Writes the packed lines back to their sets.
  void unpack();

  [[nodiscard]] const PackedBits& bits() const noexcept { return bits_; }
  /// The first of the spare sets.
  [[nodiscard]] std::uint64_t spare_set() const noexcept { return spare_; }
  /// The packed set of a line of entry k of LineSets::accesses(plane).
  [[nodiscard]] std::uint64_t set_of(std::size_t k, std::uint64_t line) const noexcept {
    return runs_[run_of_[k]].set_of(line);
  }
  /// Whether the sets of entry k descend for the positions of an antidiagonal, by ascending x. They
  /// are consecutive if no lines share a number.
  [[nodiscard]] bool descends(std::size_t k) const noexcept {
    return runs_[run_of_[k]].backwards != accesses_[k].mirrored;
  }
  /// The value of bit 0 of each word of a packed set.
  [[nodiscard]] const std::uint32_t* values() const noexcept { return values_.data(); }
  /// The index of a value in a packed set; kDead if the value is dead.
  [[nodiscard]] std::uint32_t index_of(Nimber value) const noexcept {
    const std::size_t block = value / kBlockBits;
    if (block >= index_of_block_.size() || index_of_block_[block] == kDead) return kDead;
    return index_of_block_[block] + value % kBlockBits;
  }
  /// Notes which words of the lines through a part of the tile are full, below word `unseen`.
  void note_full(const TileArea& part, std::size_t unseen);
  /// Lists the words with a value that is living in a part of the tile, and all words from
  /// `unseen` on. @pre the lines have been noted, as far as that
  void living_words(const TileArea& part, std::size_t unseen, std::vector<std::uint32_t>& list);

 private:
  static constexpr std::size_t kBlock = LineMemory::kBlock;  ///< the unit of copying, in words
  static constexpr std::uint32_t kBlockBits = 64 * kBlock;

  /// All consecutive lines of a family that go through the tile. A ray and its mirror image have
  /// one run if their lines overlap, because a line must have one copy only.
  ///
  /// Along an antidiagonal the number of the line changes by a + b. Lines at this distance have
  /// consecutive sets: they form a chain.
  struct Run {
    std::uint64_t first = 0, last = 0;
    std::uint64_t apart = 1;
    bool backwards = false;                    ///< sets ascend as lines descend
    std::uint64_t set = 0;                     ///< the first set
    std::uint64_t pitch = 0;                   ///< distance between chains
    std::size_t first_part = 0, end_part = 0;  ///< its parts
    std::uint64_t* held = nullptr;             ///< LineSets::held_by_all()
    std::size_t end = 0;                       ///< its lines are empty from this word on

    [[nodiscard]] std::uint64_t count() const noexcept { return last - first + 1; }
    [[nodiscard]] std::uint64_t set_of(std::uint64_t line) const noexcept {
      const std::uint64_t i = backwards ? last - line : line - first;
      return set + (apart == 1 ? i : i % apart * pitch + i / apart);
    }
    [[nodiscard]] std::uint64_t chains() const noexcept { return std::min(apart, count()); }
    [[nodiscard]] std::uint64_t chain_length(std::uint64_t chain) const noexcept {
      return (count() - chain + apart - 1) / apart;
    }
  };

  /// The part of a chain whose lines belong to one group (line_memory.hpp).
  struct Part {
    std::uint64_t group = 0;
    std::uint64_t set = 0;       ///< the first set
    std::size_t count = 0;       ///< sets
    std::int64_t at = 0;         ///< where the line of the first set begins in a piece, in words
    std::int64_t next = kBlock;  ///< from there to the line of the next set
  };

  void find_runs(const TileArea& area, std::size_t spare);
  void find_ranges(const TileArea& part);
  [[nodiscard]] FullWords full_words() noexcept {
    constexpr std::size_t kPitch = FullWords::kPitch;
    return {full_.data(), (values_.size() + kPitch - 1) / kPitch * kPitch};
  }
  void find_parts(const Run& run);
  void find_living(std::size_t growth);
  /// The number of a living block in the lines.
  [[nodiscard]] std::size_t block_of(std::size_t living) const noexcept {
    return living_[living] / kBlockBits;
  }
  /// Calls `copy` for each word of the sets of a part in block number `block` of those that live,
  /// with a piece of its lines.
  template <class Word, class Copy>
  void for_words_of(const Part& part, Word* piece, std::size_t block, Copy copy) const;
  /// The sets of a part in a word of a block.
  [[nodiscard]] std::span<std::uint64_t> words_of(const Part& part, std::size_t block,
                                                  std::size_t word) const {
    return {bits_.words + (kBlock * block + word) * bits_.stride + part.set, part.count};
  }

  LineSets& lines_;
  const std::span<const LineAccess> accesses_;
  const LineKernels& kernels_;
  PackedBits bits_;

  std::vector<Run> runs_;
  std::vector<std::size_t> run_of_;  ///< the run of every access
  std::vector<Part> parts_;          ///< of all runs
  std::uint64_t spare_ = 0;
  std::vector<Nimber> living_;                 ///< the first value of each block
  std::vector<std::uint32_t> index_of_block_;  ///< the inverse of living_
  std::vector<std::uint32_t> values_;          ///< see values()
  std::vector<std::uint64_t, HugePageAllocator<std::uint64_t>> words_;
  std::vector<ChunkRange> ranges_;     ///< of a part of the tile
  std::vector<std::uint64_t> chunks_;  ///< chunks in the ranges of each direction
  std::vector<std::uint8_t> full_;     ///< which words of lines are full
  std::vector<std::uint32_t> noted_;   ///< the words that note_full() looks at
};

}  // namespace grundy
