// SPDX-License-Identifier: MIT
#include "engines/heap/subtraction/levels.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "engines/heap/block_run.hpp"

namespace grundy {
namespace {

/// Number of heaps of one task of the pull: eight 512-bit vectors.
constexpr HeapSize kRowHeaps = 4096;
/// Number of words after the members of a level that vector loads and shifts may touch.
constexpr std::size_t kSlackWords = 2 * kVectorWords;
/// A pull with fewer loads is not worth the start of tasks.
constexpr std::size_t kParallelPull = 1u << 14;

/// The least multiple of `unit` that is not below n.
constexpr HeapSize round_up(HeapSize n, HeapSize unit) noexcept {
  return (n + unit - 1) / unit * unit;
}

/// For sets with many small elements every heap pushes a long bitset, which short blocks keep
/// short. For other sets long blocks save pulls.
HeapSize default_block(const std::vector<HeapSize>& taps) {
  constexpr HeapSize kShort = 4096;
  constexpr HeapSize kLong = 1u << 15;
  const auto below = [&](HeapSize limit) {
    return std::lower_bound(taps.begin(), taps.end(), limit) - taps.begin();
  };
  return below(kShort) > 64 ? kShort : kLong;
}

}  // namespace

LevelSolver::LevelSolver(const SubtractionRule& rule, HeapSize count, std::optional<HeapSize> block,
                         const SubtractionKernels& kernels, Executor& executor)
    : kernels_(kernels), executor_(executor) {
  const std::vector<HeapSize> taps = rule.allowed_up_to(count == 0 ? 0 : count - 1);
  const HeapSize wanted = block.value_or(default_block(taps));
  block_ = round_up(std::min(wanted, std::max<HeapSize>(count, 1)), kWordBits);
  reach_ = round_up(taps.empty() ? 0 : taps.back(), kWordBits);
  front_ = block_ + kWordBits;
  // Blocks may begin at any word, so the last block may end a block after the table.
  capacity_ =
      std::min(front_ + round_up(count, kWordBits) + block_, 2 * (reach_ + front_) + 2 * block_);
  for (const HeapSize s : taps) {
    taps_[s % 8].push_back(s);
    if (s >= block_) continue;
    const auto word = static_cast<std::size_t>(s / kWordBits);
    if (near_.empty() || near_.back().word != word) near_.push_back({word, 0});
    near_.back().distances |= Word{1} << (s % kWordBits);
  }
  if (near_.empty() || near_.front().word != 0) near_.insert(near_.begin(), {0, 0});
  scratch_.resize(block_);
}

std::uint64_t LevelSolver::memory_bytes(const SubtractionRule& rule, HeapSize count,
                                        std::uint64_t values) {
  const auto taps = rule.allowed_up_to(count == 0 ? 0 : count - 1);
  const HeapSize block = default_block(taps);
  const HeapSize reach = taps.empty() ? 0 : taps.back();
  const HeapSize bits = std::min(count + 2 * block, 2 * reach + 5 * block) + block;
  return taps.size() * sizeof(HeapSize) * 2 + values * (bits / 8 + 256) + block * sizeof(Nimber);
}

void LevelSolver::add_level() {
  levels_.push_back({std::vector<Word>(capacity_ / kWordBits + kSlackWords),
                     std::vector<Word>(block_ / kWordBits + kSlackWords)});
}

void LevelSolver::slide(HeapSize begin) {
  if (begin + front_ - origin_ + block_ <= capacity_) return;
  // Bit 0 becomes the farthest heap that can be an option in this block.
  const HeapSize origin = begin + front_ - reach_ - block_;
  const auto skipped = static_cast<std::size_t>((origin - origin_) / kWordBits);
  for (Level& level : levels_) {
    const std::size_t words = std::min(skipped, level.members.size());
    std::copy(level.members.begin() + words, level.members.end(), level.members.begin());
    std::fill(level.members.end() - words, level.members.end(), Word{0});
  }
  origin_ = origin;
}

void LevelSolver::pull_row(Level& level, HeapSize begin, HeapSize end, std::size_t row) const {
  const HeapSize first = row * kRowHeaps;
  const auto words = static_cast<std::size_t>(std::min(block_ - first, kRowHeaps) / kWordBits);
  Word* const cover = level.cover.data() + first / kWordBits;
  std::fill_n(cover, words, Word{0});
  const auto* const base =
      reinterpret_cast<const std::uint8_t*>(level.members.data() + word_of(begin + first));
  // A shift by s = 8q + r is a move by q bytes and a shift by r bits. The byte moves of one residue
  // are ORed first and then shifted once, together with the word before them for the bits that come
  // in.
  std::array<Word, kRowHeaps / kWordBits + kVectorWords> moved;
  std::array<std::uint64_t, 256> back;
  for (std::size_t r = 0; r < taps_.size(); ++r) {
    const auto& taps = taps_[r];
    const auto live =
        static_cast<std::size_t>(std::lower_bound(taps.begin(), taps.end(), end) - taps.begin());
    if (live == 0) continue;
    moved.fill(0);
    for (std::size_t t = 0; t < live; t += back.size()) {
      const std::size_t n = std::min(back.size(), live - t);
      for (std::size_t i = 0; i < n; ++i) back[i] = taps[t + i] / 8;
      kernels_.or_earlier(reinterpret_cast<std::uint8_t*>(moved.data()),
                          round_up(words + 1, kVectorWords) * sizeof(Word), base - sizeof(Word),
                          back.data(), n);
    }
    kernels_.or_shifted(cover, moved.data(), round_up(words, kVectorWords),
                        static_cast<unsigned>(r));
  }
}

void LevelSolver::pull(HeapSize begin, HeapSize end) {
  const std::size_t rows = (block_ + kRowHeaps - 1) / kRowHeaps;
  const std::size_t tasks = rows * levels_.size();
  std::size_t taps = 0;
  for (const auto& group : taps_) taps += std::min<std::size_t>(group.size(), end);
  const auto task = [&](std::size_t i) { pull_row(levels_[i / rows], begin, end, i % rows); };
  if (executor_.threads() > 1 && tasks * taps >= kParallelPull) {
    executor_.parallel_for(tasks, task);
  } else {
    for (std::size_t i = 0; i < tasks; ++i) task(i);
  }
}

void LevelSolver::decide(std::size_t first, std::size_t word, std::size_t words, Word undecided) {
  Nimber* const values = scratch_.data() + word * kWordBits;
  const Word within = near_.front().distances;
  for (Nimber v = 0; undecided != 0; ++v) {
    if (v == levels_.size()) add_level();
    Level& level = levels_[v];
    Word free = undecided & ~level.cover[word];
    if (free == 0) continue;
    Word joined = 0;
    Word next = 0;
    while (free != 0) {
      const int bit = std::countr_zero(free);
      joined |= Word{1} << bit;
      values[bit] = v;
      free = free & (free - 1) & ~(within << bit);
      next |= within >> 1 >> (kWordBits - 1 - bit);
      for (std::size_t i = 1; i < near_.size() && word + near_[i].word < words; ++i) {
        Word* const cover = level.cover.data() + word + near_[i].word;
        cover[0] |= near_[i].distances << bit;
        cover[1] |= near_[i].distances >> 1 >> (kWordBits - 1 - bit);
      }
    }
    level.cover[word + 1] |= next;
    level.members[first + word] = joined;
    undecided &= ~joined;
  }
}

void LevelSolver::adopt(HeapSize begin, HeapSize end, const ValueBuffer& table) {
  if (end + reach_ + block_ < table.size()) return;  // no later heap reaches these
  slide(begin);
  const std::size_t first = word_of(begin);
  table.values().subspan(begin, end - begin).visit([&](auto values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      while (values[i] >= levels_.size()) add_level();
      levels_[values[i]].members[first + i / kWordBits] |= Word{1} << (i % kWordBits);
    }
  });
}

void LevelSolver::solve(HeapSize begin, ValueBuffer& table) {
  const HeapSize end = table.size();
  slide(begin);
  pull(begin, end);
  const auto words = static_cast<std::size_t>((end - begin + kWordBits - 1) / kWordBits);
  for (std::size_t word = 0; word < words; ++word) {
    const HeapSize left = end - begin - word * kWordBits;
    const Word heaps = left >= kWordBits ? ~Word{0} : (Word{1} << left) - 1;
    decide(word_of(begin), word, words, heaps);
  }
  store_values(table, begin, std::span(scratch_).first(end - begin));
}

}  // namespace grundy
