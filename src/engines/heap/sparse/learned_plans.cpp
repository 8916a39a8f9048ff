// SPDX-License-Identifier: MIT
#include "engines/heap/sparse/learned_plans.hpp"

#include <algorithm>
#include <utility>

#include <grundy/machine.hpp>

#include "engines/heap/sparse/code_tables.hpp"
#include "engines/heap/sparse/cover.hpp"
#include "engines/heap/sparse/witness.hpp"

namespace grundy::sparse {
namespace {

constexpr HeapSize kGrowth = 4;  ///< learn again when the table is so many times as large

/// The densest rows per code that are considered, and how often their choice covers the sample:
/// twice makes up for a small sample.
constexpr std::size_t kPool = 2048;
constexpr std::size_t kCovers = 2;

/// Pairs {a, n - take - a} of common heaps, a so small that the partners of the block that is
/// proved, two before the one that is chained, lie in the rows.
std::vector<Tap> witness_taps(const SparseTable& table, const PhaseShape& shape) {
  std::vector<Tap> taps;
  const Split& split = table.split();
  const HeapSize longest = witness_reach(table, shape);
  table.note_depth(longest);
  for (HeapSize a = 1; a <= longest; ++a) {
    const Nimber value = table.window()[a];
    if (!split.is_common(value, a)) continue;
    for (const SplitMove& move : table.moves().splits) {
      const HeapSize offset = a + move.take;
      // or_shifted() reads 8 bytes on: from 64 back it does not touch the next block, whose rows
      // are being made. There are plenty: those that need the same few bit shifts cost less.
      if (offset >= 64 && offset % 4 == 0) taps.push_back({offset, split.squeeze(value)});
    }
  }
  return taps;
}

}  // namespace

void LearnedPlans::update(const SparseTable& table, const PhaseShape& shape,
                          const SparseKernels& kernels, Executor& executor) {
  if (table.split() == split_ && shape == shape_ && table.size() < kGrowth * learned_) return;
  split_ = table.split();
  shape_ = shape;
  learned_ = table.size();
  const CodeDensity density(table, shape.code_limit);
  const CodeTables codes(split_, shape.code_limit);
  const HeapSample sample(table, kernels, codes, shape.row_window);
  const std::vector<Tap> pairs = witness_taps(table, shape);
  witness_ = std::vector<RowPlan>(shape.code_limit);
  executor.parallel_for(witness_.size(), [&](std::size_t i) {
    const auto code = static_cast<Nimber>(i);
    std::vector<std::uint64_t> open = sample.greater_limits(code);
    if (std::ranges::all_of(open, [](std::uint64_t w) { return w == 0; })) return;
    witness_[i] = RowPlan(
        sample.cover(density.densest(code, pairs, kPool), std::move(open), kCovers), shape.stride);
  });
}

}  // namespace grundy::sparse
