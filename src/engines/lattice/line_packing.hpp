/// @file
/// The lines through a tile of a table of two heaps, packed to the words that are alive there.
///
/// Every position lies on one line of each direction. So a value that all lines of one direction
/// hold is *dead* in the tile: each position there has an option of this value. So is a value that
/// no position can reach. Blocks of words that are not all dead are copied side by side
/// (kernels/line_kernels.hpp), and written back when the tile is solved.
///
/// What all lines of a direction hold is noted when they are written back, for the next tile with
/// the same lines. Other tiles may give them more meanwhile; then a few words are copied in vain.
///
/// Cost: the living words of all lines of the tile, read and written once each way.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/huge_pages.hpp"
#include "engines/lattice/diagonal_tiles.hpp"
#include "engines/lattice/line_sets.hpp"
#include "kernels/line_kernels.hpp"

namespace grundy {

/// Reused from tile to tile.
class LinePacking {
 public:
  static constexpr std::uint32_t kDead = ~std::uint32_t{0};

  LinePacking(LineSets& lines, unsigned plane, const LineKernels& kernels)
      : lines_(lines), accesses_(lines.accesses(plane)), kernels_(kernels) {}

  /// Packs the lines of a tile.
  /// @param growth how far a position of the tile may exceed all values that its lines hold;
  ///   TileSolver::growth() says why there is a bound
  /// @param spare the number of empty sets that the owner uses, all consecutive
  void pack(const TileArea& area, std::size_t growth, std::size_t spare);
  /// Writes what the packed lines hold to their sets.
  void unpack();

  [[nodiscard]] const PackedBits& bits() const noexcept { return bits_; }
  /// The first of the spare sets.
  [[nodiscard]] std::uint64_t spare_set() const noexcept { return spare_; }
  /// The set of a line that entry k of LineSets::accesses(plane) finds.
  [[nodiscard]] std::uint64_t set_of(std::size_t k, std::uint64_t line) const noexcept {
    return runs_[run_of_[k]].set_of(line);
  }
  /// Whether the sets that entry k finds for the positions of an antidiagonal, by ascending x,
  /// descend. They are consecutive if no lines share a number.
  [[nodiscard]] bool descends(std::size_t k) const noexcept {
    return runs_[run_of_[k]].backwards != accesses_[k].mirrored;
  }
  /// The value of bit 0 of each word of a packed set.
  [[nodiscard]] const std::uint32_t* values() const noexcept { return values_.data(); }
  /// The index in a packed set of a value; kDead if it is dead.
  [[nodiscard]] std::uint32_t index_of(Nimber value) const noexcept {
    const std::size_t block = value / kBlockBits;
    if (block >= index_of_block_.size() || index_of_block_[block] == kDead) return kDead;
    return index_of_block_[block] + value % kBlockBits;
  }
  /// Lists the words with a value that is alive in a part of the tile.
  [[nodiscard]] const std::uint32_t* living_words(const TileArea& part);

 private:
  /// The unit of what is copied, in words: a cache line.
  static constexpr std::size_t kBlock = 8;
  static constexpr std::uint32_t kBlockBits = 64 * kBlock;

  /// Consecutive lines of a family, all that go through the tile. Those of a ray and of its mirror
  /// image are one run where they overlap: a line must have one copy only.
  ///
  /// Along an antidiagonal the number of the line changes by a + b. Lines that are so far apart
  /// have consecutive sets: they are a chain.
  struct Run {
    std::uint64_t first = 0, last = 0;
    std::uint64_t apart = 1;
    bool backwards = false;         ///< sets ascend while lines descend
    std::uint64_t set = 0;          ///< the first one
    std::uint64_t pitch = 0;        ///< from chain to chain
    std::uint64_t* held = nullptr;  ///< LineSets::held_by_all()

    [[nodiscard]] std::uint64_t count() const noexcept { return last - first + 1; }
    [[nodiscard]] std::uint64_t set_of(std::uint64_t line) const noexcept {
      const std::uint64_t i = backwards ? last - line : line - first;
      return set + (apart == 1 ? i : i % apart * pitch + i / apart);
    }
    [[nodiscard]] std::uint64_t chain_length(std::uint64_t chain) const noexcept {
      return (count() - chain + apart - 1) / apart;
    }
    [[nodiscard]] std::uint64_t line_at(std::uint64_t chain, std::uint64_t i) const noexcept {
      return backwards ? last - chain - i * apart : first + chain + i * apart;
    }
  };

  void find_runs(const TileArea& area, std::size_t spare);
  void find_living(std::size_t growth);
  /// Calls `copy` for up to kBlock consecutive sets of a run at a time.
  template <class Copy>
  void for_blocks_of(const Run& run, Copy copy) const;

  LineSets& lines_;
  const std::span<const LineAccess> accesses_;
  const LineKernels& kernels_;
  PackedBits bits_;

  std::vector<Run> runs_;
  std::vector<std::size_t> run_of_;  ///< for every access
  std::uint64_t spare_ = 0;
  std::vector<Nimber> living_;                 ///< the first value of each block
  std::vector<std::uint32_t> index_of_block_;  ///< its inverse
  std::vector<std::uint32_t> values_;          ///< as values() says
  std::vector<std::uint64_t, HugePageAllocator<std::uint64_t>> words_;
  std::vector<SetRange> ranges_;             ///< of a part
  std::vector<std::uint32_t> living_words_;  ///< of it
};

}  // namespace grundy
