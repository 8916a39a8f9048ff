// SPDX-License-Identifier: MIT
#include "engines/heap/sparse/phase_shape.hpp"

#include <algorithm>
#include <bit>

namespace grundy::sparse {
namespace {

constexpr HeapSize kWordBlock = 4096;         ///< heaps per block with words of codes
constexpr HeapSize kPlaneBlock = 2048;        ///< and with planes: at most,
constexpr HeapSize kLeastBlock = 256;         ///< at least
constexpr HeapSize kMarkBlock = 512;          ///< and with marks, if threads are few
constexpr std::size_t kFewThreads = 4;        ///< so many do not wait much for the sequential stage
constexpr HeapSize kRowLookback = 1u << 15;   ///< how far back bit rows reach, at most,
constexpr HeapSize kPairLookback = 1u << 17;  ///< and pairs of codes where there are no rows
constexpr std::size_t kMostWordTaps = 512;    ///< more taps cost less with planes than with words
constexpr HeapSize kFarthest = 1u << 14;  ///< the smaller heap of a pair is less, or less than half
                                          ///< of the lookback

/// Heaps per block, if nothing else limits them. Taps whose partners lie at least two blocks back
/// are out of the sequential stage: half of the taps at least, and two thirds with more threads
/// than a few, which would wait for that stage. With marks that stage is small.
HeapSize block_of(const SparseTable& table, std::size_t code_bytes, Nimber code_limit,
                  std::size_t threads) noexcept {
  if (code_bytes > 1) return threads <= kFewThreads ? kMarkBlock : kLargestMarkBlock;
  if (words_pay(table, code_limit)) return kWordBlock;
  const std::size_t parts = threads <= kFewThreads ? 2 : 3;
  HeapSize block = kPlaneBlock;
  while (block > kLeastBlock) {
    const auto near = std::ranges::lower_bound(table.rare(), 2 * block) - table.rare().begin();
    if (static_cast<std::size_t>(near) * parts <= table.rare().size()) break;
    block /= 2;
  }
  return block;
}

}  // namespace

Nimber code_limit_of(const SparseTable& table) noexcept {
  return std::bit_ceil(table.split().squeeze(table.value_limit() - 1) + 1);
}

bool words_pay(const SparseTable& table, Nimber code_limit) noexcept {
  return code_limit <= 64 && table.rare().size() * table.moves().splits.size() <= kMostWordTaps;
}

PhaseShape shape_of(const SparseTable& table, std::size_t code_bytes, HeapSize most,
                    std::size_t threads) noexcept {
  const Nimber code_limit = code_limit_of(table);
  HeapSize lookback =
      std::min(code_bytes == 1 ? kRowLookback : kPairLookback, std::bit_floor(table.size() / 4));
  if (!table.complete()) lookback = std::min(lookback, std::bit_floor(table.newest() / 2));
  const HeapSize block =
      std::min({most, block_of(table, code_bytes, code_limit, threads), lookback / 8});
  return {std::max<HeapSize>(64, block / 64 * 64), lookback, code_limit};
}

HeapSize witness_reach(const SparseTable& table, const PhaseShape& shape) noexcept {
  // Two blocks are a quarter of the lookback at most. The reach counts that quarter in any case: it
  // is reported, and must not depend on how many heaps a block has.
  const HeapSize lost = std::max(2 * shape.block, shape.lookback / 4) + table.moves().largest_take;
  const HeapSize farthest = std::max(kFarthest, shape.lookback / 2);
  return lost < shape.lookback ? std::min(farthest, shape.lookback - lost) - 1 : 0;
}

}  // namespace grundy::sparse
