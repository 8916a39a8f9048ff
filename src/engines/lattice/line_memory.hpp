/// @file
/// The memory of the sets of values on lines (line_sets.hpp).
///
/// A set is cut into blocks of kBlock words, and lines are cut into groups of kGroup. Equal blocks
/// of the lines of a group are neighbours in memory; together they are a *piece*. A piece takes
/// memory from the first time that something is written there until all of its words are full.
/// Values come to lines in bands, so most pieces of a large table are empty or full at any time.
// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "core/zero_pages.hpp"

namespace grundy {

/// Several threads may read and write different lines at the same time, also of the same piece.
class LineMemory {
 public:
  using Word = std::uint64_t;
  static constexpr std::size_t kBlock = 8;  ///< a cache line
  static constexpr std::size_t kGroup = 256;

  /// Makes sets whose words are all 0. @throws Error(kFailure) if the system has no such address
  /// range
  void allocate(std::uint64_t lines, std::size_t blocks);

  [[nodiscard]] static constexpr std::uint64_t groups(std::uint64_t lines) noexcept {
    return (lines + kGroup - 1) / kGroup;
  }
  [[nodiscard]] std::size_t blocks() const noexcept { return blocks_; }

  /// The words of the first line of a group in a block. Those of the next line come kBlock words
  /// later.
  [[nodiscard]] const Word* piece(std::uint64_t group, std::size_t block) const noexcept {
    return at(group, block).load(std::memory_order_acquire);
  }
  /// The same to write there. The piece takes memory.
  [[nodiscard]] Word* writable(std::uint64_t group, std::size_t block) {
    Word* const words = at(group, block).load(std::memory_order_acquire);
    return words == empty_ || words == full_ ? take(group, block) : words;
  }
  /// The words of a line in a block.
  [[nodiscard]] const Word* read(std::uint64_t line, std::size_t block) const noexcept {
    return piece(line / kGroup, block) + line % kGroup * kBlock;
  }
  [[nodiscard]] Word* write(std::uint64_t line, std::size_t block) {
    return writable(line / kGroup, block) + line % kGroup * kBlock;
  }

  /// Whether a piece is empty, or full, and takes no memory.
  [[nodiscard]] bool is_empty(std::uint64_t group, std::size_t block) const noexcept {
    return piece(group, block) == empty_;
  }
  [[nodiscard]] bool is_full(std::uint64_t group, std::size_t block) const noexcept {
    return piece(group, block) == full_;
  }
  /// Sets all bits of a piece, or none, and gives its memory back. @pre no other thread uses a line
  /// of the group
  void fill(std::uint64_t group, std::size_t block) { give_back(group, block, full_); }
  void clear(std::uint64_t group, std::size_t block) { give_back(group, block, empty_); }

  /// The bytes of the words that took memory at one time, at most, and of what finds them.
  [[nodiscard]] std::uint64_t bytes() const noexcept;

 private:
  static constexpr std::size_t kPiece = kGroup * kBlock;

  [[nodiscard]] const std::atomic<Word*>& at(std::uint64_t group,
                                             std::size_t block) const noexcept {
    return pieces_[group * blocks_ + block];
  }
  Word* take(std::uint64_t group, std::size_t block);
  void give_back(std::uint64_t group, std::size_t block, Word* words);

  std::size_t blocks_ = 0;
  ZeroPages data_;  ///< the empty piece, the full one, then memory for pieces
  Word *empty_ = nullptr, *full_ = nullptr, *fresh_ = nullptr;
  std::vector<std::atomic<Word*>> pieces_;
  std::mutex mutex_;
  std::vector<Word*> free_;  ///< memory before fresh_ that no piece has
};

}  // namespace grundy
