// SPDX-License-Identifier: MIT
#include "engines/lattice/line_memory.hpp"

#include <algorithm>
#include <utility>

namespace grundy {

void LineMemory::allocate(std::uint64_t lines, std::size_t blocks) {
  const std::uint64_t pieces = groups(lines) * blocks;
  data_ = ZeroPages((pieces + 2) * kPiece * sizeof(Word), "the line sets");
  blocks_ = blocks;
  empty_ = data_.as<Word>();
  full_ = empty_ + kPiece;
  fresh_ = full_ + kPiece;
  pieces_ = std::vector<std::atomic<Word*>>(pieces);
  std::fill_n(full_, kPiece, ~Word{0});
  for (auto& piece : pieces_) piece.store(empty_, std::memory_order_relaxed);
}

LineMemory::Word* LineMemory::take(std::uint64_t group, std::size_t block) {
  const std::lock_guard lock(mutex_);
  auto& piece = pieces_[group * blocks_ + block];
  Word* const old = piece.load(std::memory_order_relaxed);
  if (old != empty_ && old != full_) return old;
  Word* words = fresh_;
  const bool is_zero = free_.empty() && old == empty_;
  if (free_.empty()) {
    fresh_ += kPiece;
  } else {
    words = free_.back();
    free_.pop_back();
  }
  if (!is_zero) std::copy_n(old, kPiece, words);
  piece.store(words, std::memory_order_release);
  return words;
}

void LineMemory::give_back(std::uint64_t group, std::size_t block, Word* words) {
  auto& piece = pieces_[group * blocks_ + block];
  if (piece.load(std::memory_order_relaxed) == words) return;
  const std::lock_guard lock(mutex_);
  Word* const old = piece.exchange(words, std::memory_order_acq_rel);
  if (old != empty_ && old != full_) free_.push_back(old);
}

std::uint64_t LineMemory::bytes() const noexcept {
  return static_cast<std::uint64_t>(fresh_ - data_.as<Word>()) * sizeof(Word) +
         pieces_.size() * sizeof(pieces_.front());
}

}  // namespace grundy
