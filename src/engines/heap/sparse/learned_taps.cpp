// SPDX-License-Identifier: MIT
#include "engines/heap/sparse/learned_taps.hpp"

#include <algorithm>

#include <grundy/machine.hpp>

#include "engines/heap/sparse/code_tables.hpp"

namespace grundy::sparse {
namespace {

constexpr HeapSize kTapGrowth = 2;  ///< learn again when the table has grown by this factor

constexpr std::size_t kWorth = 256;  ///< a code that is left open costs as much as this many marks
constexpr std::size_t kNext = 4096;  ///< number of taps that are ranked after those that mark
constexpr std::size_t kMostPairs = 1u << 15;  ///< the most pairs that are considered

/// Pairs of common heaps, as taps of the smaller heap.
std::vector<Tap> pair_taps(const SparseTable& table, HeapSize longest) {
  std::vector<Tap> taps;
  const Split& split = table.split();
  const std::size_t splits = table.moves().splits.size();
  const HeapSize step = longest * splits / kMostPairs | 1;
  for (HeapSize a = 1; a <= longest; a += step) {
    const Nimber value = table.window()[a];
    if (!split.is_common(value, a)) continue;
    for (const SplitMove& move : table.moves().splits) {
      taps.push_back({a + move.take, split.squeeze(value)});
    }
  }
  return taps;
}

}  // namespace

void LearnedTaps::update(const SparseTable& table, const PhaseShape& shape, Executor& executor) {
  if (table.split() == split_ && shape == shape_ && table.size() < kTapGrowth * learned_) return;
  split_ = table.split();
  shape_ = shape;
  learned_ = table.size();
  std::vector<Tap> far = all_taps(table);
  std::erase_if(far, [&](const Tap& tap) { return tap.offset < 2 * shape.block; });
  const HeapSize deepest = witness_reach(table, shape);
  const std::vector<Tap> pairs = pair_taps(table, deepest);
  table.note_depth(deepest);
  HeapSize reach = 0;
  for (const Tap& tap : far) reach = std::max(reach, tap.offset);
  for (const Tap& tap : pairs) reach = std::max(reach, tap.offset);
  const TapRanking ranking(table, CodeTables(split_, shape.code_limit), reach);
  exclusion_ = ranking.rank(far, ranking.codes(), kWorth, kNext, executor);
  witness_ = ranking.rank(pairs, ranking.limits(), kWorth, 0, executor);
}

}  // namespace grundy::sparse
