// SPDX-License-Identifier: MIT
#include "engines/heap/sparse/phase_shape.hpp"

#include <algorithm>
#include <bit>

#include "kernels/row_kernels.hpp"

namespace grundy::sparse {
namespace {

/// The most heaps in a block. Threads join once for each, and longer blocks have cheaper rows.
constexpr HeapSize kLongestBlock = 8192;
constexpr HeapSize kRowLookback = 1u << 15;   ///< how far back bit rows reach, with planes
constexpr HeapSize kPairLookback = 1u << 17;  ///< and how far pairs, if there are no rows
constexpr HeapSize kWordLookback = 1u << 16;  ///< and with words, whose rows are few
constexpr Nimber kMostRows = 1024;            ///< rows of more codes would take too much memory
constexpr Nimber kMostCommonRows = 272;       ///< for more codes, pairs in planes cost less
constexpr std::size_t kMostWordTaps = 512;    ///< with more taps, planes cost less than words
constexpr HeapSize kWordFarthest = 1u << 14;  ///< the smaller heap of a pair is below, with words,
constexpr HeapSize kFarthest = 1u << 15;      ///< or else below this or half of the lookback

/// The lookback, as far as the table has values for it.
HeapSize lookback_within(const SparseTable& table, HeapSize wanted) noexcept {
  HeapSize lookback = std::min(wanted, std::bit_floor(table.size() / 4));
  if (!table.complete()) lookback = std::min(lookback, std::bit_floor(table.newest() / 2));
  return lookback;
}

/// How far back rows reach in a table that is long enough.
HeapSize lookback_of(const SparseTable& table, Nimber code_limit, Nimber common) noexcept {
  if (!rows_pay(common, code_limit)) return kPairLookback;
  return words_pay(table, code_limit) ? kWordLookback : kRowLookback;
}

}  // namespace

Nimber code_limit_of(const SparseTable& table) noexcept {
  return std::bit_ceil(table.split().squeeze(table.value_limit() - 1) + 1);
}

bool words_pay(const SparseTable& table, Nimber code_limit) noexcept {
  return code_limit <= 64 && table.rare().size() * table.moves().splits.size() <= kMostWordTaps;
}

bool rows_pay(Nimber common, Nimber code_limit) noexcept {
  return common <= kMostCommonRows && code_limit <= kMostRows;
}

PhaseShape shape_of(const SparseTable& table, Nimber common, HeapSize most) noexcept {
  const Nimber code_limit = code_limit_of(table);
  const HeapSize lookback = lookback_within(table, lookback_of(table, code_limit, common));
  const HeapSize block = std::min({most, kLongestBlock, lookback / 8});
  return {std::max<HeapSize>(64, block / 64 * 64), lookback, code_limit};
}

HeapSize witness_reach(const SparseTable& table, const PhaseShape& shape) noexcept {
  // Two blocks are at most a quarter of the lookback. The reach counts that quarter in any case,
  // because it is reported and must not depend on the number of heaps in a block.
  const HeapSize lost = std::max(2 * shape.block, shape.lookback / 4) + table.moves().largest_take;
  HeapSize farthest =
      words_pay(table, shape.code_limit) ? kWordFarthest : std::max(kFarthest, shape.lookback / 2);
  if (!table.complete()) farthest = std::min(farthest, table.window().first_end());
  return lost < shape.lookback ? std::min(farthest, shape.lookback - lost) - 1 : 0;
}

HeapSize searched_reach(const SparseTable& table, const PhaseShape& shape) noexcept {
  return witness_reach(table, shape) / kPairStep * kPairStep;
}

HeapSize noted_reach(const SparseTable& table, const PhaseShape& shape) noexcept {
  PhaseShape deepest = shape;
  if (shape.code_limit > 256) deepest.lookback = lookback_within(table, kPairLookback);
  return witness_reach(table, deepest);
}

}  // namespace grundy::sparse
