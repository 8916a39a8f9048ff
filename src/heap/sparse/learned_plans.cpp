// SPDX-License-Identifier: MIT
#include "heap/sparse/learned_plans.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "heap/sparse/code_tables.hpp"
#include "heap/sparse/cover.hpp"
#include "schedule/executor.hpp"

namespace grundy::sparse {
namespace {

constexpr HeapSize kGrowth = 4;  ///< learn again when the table is so many times as large

/// One in so many heaps may have a code beyond those that are guessed.
constexpr HeapSize kBeyond = 64;
/// The densest rows per code that are considered, and how often their choice covers the sample:
/// twice or thrice makes up for a small sample.
constexpr std::size_t kGuessPool = 2048;
constexpr std::size_t kGuessCovers = 3;
constexpr std::size_t kWitnessPool = 2048;
constexpr std::size_t kWitnessCovers = 2;

constexpr HeapSize kFarthest = 1u << 14;  ///< the smaller heap of a witness pair is less

/// Pairs {a, n - take - a} of common heaps, a so small that partners of the block before lie in the
/// rows.
std::vector<Tap> witness_taps(const SparseTable& table, const PhaseShape& shape) {
  std::vector<Tap> taps;
  const Split& split = table.split();
  const HeapSize longest =
      std::min(kFarthest, shape.row_window - 2 * shape.block - table.moves().largest_take);
  table.note_depth(longest - 1);
  for (HeapSize a = 1; a < longest; ++a) {
    const Nimber value = table.window()[a];
    if (!split.is_common(value, a)) continue;
    for (const SplitMove& move : table.moves().splits) {
      // There are plenty: those whose rows need the same few bit shifts cost less.
      const HeapSize offset = a + move.take;
      if (offset % 4 == 0) taps.push_back({offset, split.squeeze(value)});
    }
  }
  return taps;
}

}  // namespace

template <class T>
void LearnedPlans::update(const SparseTable& table, const PhaseShape& shape,
                          const SparseKernels& kernels, const std::vector<Tap>& far_taps,
                          Executor& executor) {
  if (table.split() == split_ && shape == shape_ && table.size() < kGrowth * learned_) return;
  split_ = table.split();
  shape_ = shape;
  learned_ = table.size();
  const CodeDensity density(table, shape.code_limit);
  const CodeTables codes(split_, shape.code_limit);
  const HeapSample<T> sample(table, kernels, codes, shape.row_window);
  const auto plan = [&](Nimber code, const std::vector<Tap>& taps, std::size_t pool,
                        std::vector<std::uint64_t> open, std::size_t covers) {
    return RowPlan(sample.cover(density.densest(code, taps, pool), std::move(open), covers),
                   shape.stride);
  };
  const Nimber guesses = std::min<Nimber>(density.quantile(kBeyond), std::numeric_limits<T>::max());
  guess_ = std::vector<RowPlan>(far_taps.empty() ? 0 : guesses);
  executor.parallel_for(guess_.size(), [&](std::size_t i) {
    const auto code = static_cast<Nimber>(i);
    guess_[i] = plan(code, far_taps, kGuessPool, sample.greater_codes(code), kGuessCovers);
  });
  const std::vector<Tap> pairs = witness_taps(table, shape);
  witness_ = std::vector<RowPlan>(shape.code_limit);
  executor.parallel_for(witness_.size(), [&](std::size_t i) {
    const auto code = static_cast<Nimber>(i);
    std::vector<std::uint64_t> open = sample.greater_limits(code);
    if (std::ranges::all_of(open, [](std::uint64_t w) { return w == 0; })) return;
    witness_[i] = plan(code, pairs, kWitnessPool, std::move(open), kWitnessCovers);
  });
}

template void LearnedPlans::update<std::uint8_t>(const SparseTable&, const PhaseShape&,
                                                 const SparseKernels&, const std::vector<Tap>&,
                                                 Executor&);
template void LearnedPlans::update<std::uint16_t>(const SparseTable&, const PhaseShape&,
                                                  const SparseKernels&, const std::vector<Tap>&,
                                                  Executor&);

}  // namespace grundy::sparse
