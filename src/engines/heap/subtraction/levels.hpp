/// @file
/// Subtraction games with few different values: one bitset of heaps for every value.
///
/// Level v is the set of heaps of value v. A heap is *covered* at level v if an option has value v.
/// G(n) is the least v at which n is not covered, and then n joins level v. (So the levels are
/// greedy sets, one after another.) For a block of heaps:
/// 1. pull: the cover of every level by earlier heaps is the OR of the level's bits, shifted by
///    every s in S; 512 heaps at a time, levels and ranges of heaps in parallel;
/// 2. push: word by word, the lowest heap that is neither decided nor covered joins the level and
///    covers the heaps s above it, for each s that stays in the block.
///
/// Cost: N |S| V / 512 vector operations for V values, and at most B / 64 words a heap for the
/// pushes in a block of B heaps. Memory: V bits a heap for the last max(S) heaps.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>
#include <vector>

#include <grundy/machine.hpp>

#include "engines/heap/subtraction/solver.hpp"
#include "kernels/subtraction_kernels.hpp"

namespace grundy {

class LevelSolver final : public SubtractionSolver {
 public:
  /// If `block` is not given, the set determines the block size.
  LevelSolver(const SubtractionRule& rule, HeapSize count, std::optional<HeapSize> block,
              const SubtractionKernels& kernels, Executor& executor);

  [[nodiscard]] HeapSize block(HeapSize) const noexcept override { return block_; }
  void adopt(HeapSize begin, HeapSize end, const ValueBuffer& table) override;
  void solve(HeapSize begin, ValueBuffer& table) override;

  /// Bytes besides the table for `values` different values.
  static std::uint64_t memory_bytes(const SubtractionRule& rule, HeapSize count,
                                    std::uint64_t values);

 private:
  using Word = std::uint64_t;
  static constexpr HeapSize kWordBits = 64;

  /// The bits of one value: `members` of heaps from origin_ on, `cover` of the current block.
  struct Level {
    std::vector<Word> members;
    std::vector<Word> cover;
  };
  /// 64 consecutive distances of S, as bits; the first is 64 * word.
  struct NearTaps {
    std::size_t word;
    Word distances;
  };

  void add_level();
  /// Moves the window of remembered heaps so that [begin, begin + block_) fits into it.
  void slide(HeapSize begin);
  void pull(HeapSize begin, HeapSize end);
  void pull_row(Level& level, HeapSize begin, HeapSize end, std::size_t row) const;
  /// Decides the heaps of word `word` of the block that begins at word `first` of the members.
  void decide(std::size_t first, std::size_t word, std::size_t words, Word undecided);

  [[nodiscard]] std::size_t word_of(HeapSize heap) const noexcept {
    return static_cast<std::size_t>((heap + front_ - origin_) / kWordBits);
  }

  const SubtractionKernels& kernels_;
  Executor& executor_;
  HeapSize block_;
  HeapSize reach_;  ///< how far back options lie
  HeapSize front_;  ///< zero bits for heaps below 0; only while origin_ == 0
  HeapSize origin_ = 0;
  HeapSize capacity_;                          ///< bits of `members`
  std::array<std::vector<HeapSize>, 8> taps_;  ///< S by residue modulo 8, ascending
  std::vector<NearTaps> near_;                 ///< S below block_, by words
  std::vector<Level> levels_;
  std::vector<Nimber> scratch_;
};

}  // namespace grundy
