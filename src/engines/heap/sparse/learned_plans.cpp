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

/// Plans are learned anew when the table has grown by this factor, and its new heaps have taken
/// this many times as long as it takes to learn.
constexpr HeapSize kPlanGrowth = 4;
constexpr double kWorth = 2;

/// Plans are judged by stretches of this many heaps. They are bad where they leave this many times
/// as many codes open as in the best stretch.
constexpr std::size_t kStretch = 1u << 16;
constexpr double kBad = 3;
/// Times, in that of the search for the witness of one open code: to learn the plan of a code takes
/// kCostOfStrip for each strip, to compute a heap takes kCostOfTap for each tap, or kCostOfWideTap
/// if codes need two bytes, and kCostOfHeap besides.
constexpr std::uint64_t kCostOfStrip = 256;
constexpr double kCostOfTap = 1.0 / 512, kCostOfWideTap = 1.0 / 200, kCostOfHeap = 0.25;

/// The number of densest rows of a code that are considered: one for each kHeapsOfPoolRow heaps of
/// the table, up to kRowsOfCode for each code there is, up to kMostPool. The fewer codes there are,
/// the denser rows are.
constexpr HeapSize kHeapsOfPoolRow = 128;
constexpr HeapSize kRowsOfCode = 32;
constexpr HeapSize kMostPool = 4096;

/// Pairs of common heaps, as taps of the smaller heap under LaggedSplits. It is so small that the
/// partners lie in the rows, also for the block that is proved, two blocks back.
std::vector<Tap> witness_taps(const SparseTable& table, const PhaseShape& shape) {
  std::vector<Tap> taps =
      pair_taps(table, LaggedSplits(table.moves().splits).splits, searched_reach(table, shape), 1);
  // or_shifted() reads 8 bytes further. From 64 heaps back it does not touch the next block, whose
  // rows are being written.
  std::erase_if(taps, [](const Tap& tap) { return tap.offset < 64; });
  std::ranges::sort(taps, {}, by_place);
  drop_duplicates(taps);
  return taps;
}

/// In the unit of kCostOfStrip.
std::uint64_t cost_of_learning(const SparseTable& table, const PhaseShape& shape) {
  return shape.code_limit * strips_of(table.size()) * kCostOfStrip;
}

/// Whether it pays to learn anew what was learned when the table had `learned` heaps.
bool are_old(HeapSize learned, const SparseTable& table, const PhaseShape& shape) {
  if (table.size() < kPlanGrowth * learned) return false;
  const auto taps = static_cast<double>(table.rare().size() * table.moves().splits.size());
  const double tap = shape.code_limit > 256 ? kCostOfWideTap : kCostOfTap;
  const double work = static_cast<double>(table.size() - learned) * (tap * taps + kCostOfHeap);
  return work >= kWorth * static_cast<double>(cost_of_learning(table, shape));
}

}  // namespace

void PlanJudge::note(std::size_t heaps, std::uint64_t codes) noexcept {
  heaps_ += heaps;
  codes_ += codes;
  if (heaps_ < kStretch) return;
  const double open = static_cast<double>(codes_) * kStretch / static_cast<double>(heaps_);
  least_ = std::min(least_, open);
  excess_ = std::max(0.0, excess_ + open - kBad * least_);
  heaps_ = 0;
  codes_ = 0;
}

template <class T>
void LearnedPlans::update(const SparseTable& table, const PhaseShape& shape,
                          const KernelSet& kernels, Executor& executor) {
  table.note_depth(noted_reach(table, shape));
  const bool anew = table.split() != split_ || shape != shape_ || are_old(learned_, table, shape);
  if (!anew && !judge_.finds_stale()) return;
  if (anew) {
    split_ = table.split();
    shape_ = shape;
    learned_ = table.size();
    rows_ = std::vector<std::vector<RowPlan::Source>>(shape.code_limit);
    witness_ = std::vector<RowPlan>(shape.code_limit);
  }
  judge_ = PlanJudge(cost_of_learning(table, shape));
  const CodeDensity density(table, shape.code_limit);
  const CodeTables codes(split_, shape.code_limit);
  const HeapSample<T> sample(table, kernels, codes, shape.lookback);
  // A row covers more heaps if it stands for several splits.
  const LaggedSplits lagged(table.moves().splits);
  const HeapSize most =
      std::min({table.size() / kHeapsOfPoolRow, kRowsOfCode * shape.code_limit, kMostPool}) /
      lagged.lags.size();
  const std::vector<Tap> pairs = witness_taps(table, shape);
  const std::size_t stride = BitRows::stride_of(shape.lookback, 2 * shape.block);
  executor.parallel_for(witness_.size(), [&](std::size_t i) {
    const auto code = static_cast<Nimber>(i);
    std::vector<std::uint64_t> open = sample.uncovered(rows_[i], sample.greater_limits(code));
    if (std::ranges::all_of(open, [](std::uint64_t w) { return w == 0; })) return;
    std::vector<RowPlan::Source> pool = density.densest(code, pairs, most);
    std::erase_if(pool, [&](const RowPlan::Source& row) {
      return std::ranges::binary_search(rows_[i], row);
    });
    const auto more = sample.cover(pool, std::move(open));
    rows_[i].insert(rows_[i].end(), more.begin(), more.end());
    std::ranges::sort(rows_[i]);
    witness_[i] = RowPlan(rows_[i], stride);
  });
}

template void LearnedPlans::update<std::uint8_t>(const SparseTable&, const PhaseShape&,
                                                 const KernelSet&, Executor&);
template void LearnedPlans::update<std::uint16_t>(const SparseTable&, const PhaseShape&,
                                                  const KernelSet&, Executor&);

}  // namespace grundy::sparse
