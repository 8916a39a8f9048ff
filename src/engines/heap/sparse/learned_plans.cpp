// SPDX-License-Identifier: MIT
#include "engines/heap/sparse/learned_plans.hpp"

#include <algorithm>
#include <utility>

#include <grundy/machine.hpp>

#include "engines/heap/sparse/bit_rows.hpp"
#include "engines/heap/sparse/code_density.hpp"
#include "engines/heap/sparse/code_tables.hpp"
#include "engines/heap/sparse/cover.hpp"

namespace grundy::sparse {
namespace {

constexpr HeapSize kPlanGrowth = 4;  ///< learn again when the table has grown by this factor

/// The number of densest rows of a code that are considered, and the number of covers of the sample
/// that are chosen. The second cover makes up for a small sample.
constexpr std::size_t kPool = 2048;
constexpr std::size_t kCovers = 2;

/// Pairs {a, n - take - a} of common heaps, as taps of the smaller heap a. It is so small that the
/// partners lie in the rows, also for the block that is proved, two blocks back.
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
      // or_shifted() reads 8 bytes further. From 64 heaps back it does not touch the next block,
      // whose rows are being written. There are plenty of pairs. Pairs whose offsets are multiples
      // of 4 cost less, because they need only two bit shifts.
      if (offset >= 64 && offset % 4 == 0) taps.push_back({offset, split.squeeze(value)});
    }
  }
  return taps;
}

}  // namespace

void LearnedPlans::update(const SparseTable& table, const PhaseShape& shape,
                          const KernelSet& kernels, Executor& executor) {
  if (table.split() == split_ && shape == shape_ && table.size() < kPlanGrowth * learned_) return;
  split_ = table.split();
  shape_ = shape;
  learned_ = table.size();
  const CodeDensity density(table, shape.code_limit);
  const CodeTables codes(split_, shape.code_limit);
  const HeapSample sample(table, kernels, codes, shape.lookback);
  const std::vector<Tap> pairs = witness_taps(table, shape);
  const std::size_t stride = BitRows::stride_of(shape.lookback, 2 * shape.block);
  witness_ = std::vector<RowPlan>(shape.code_limit);
  executor.parallel_for(witness_.size(), [&](std::size_t i) {
    const auto code = static_cast<Nimber>(i);
    std::vector<std::uint64_t> open = sample.greater_limits(code);
    if (std::ranges::all_of(open, [](std::uint64_t w) { return w == 0; })) return;
    witness_[i] = RowPlan(
        sample.cover(density.densest(code, pairs, kPool), std::move(open), kCovers), stride);
  });
}

}  // namespace grundy::sparse
