// SPDX-License-Identifier: MIT
#include "engines/heap/sparse/learned_taps.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include <grundy/machine.hpp>

#include "engines/heap/sparse/code_density.hpp"
#include "engines/heap/sparse/code_tables.hpp"
#include "engines/heap/sparse/tap_ranking.hpp"
#include "engines/heap/sparse/taps.hpp"
#include "kernels/candidate_kernels.hpp"

namespace grundy::sparse {
namespace {

constexpr HeapSize kTapGrowth = 2;  ///< learn again when the table has grown by this factor

constexpr HeapSize kSampleHeaps = 128;  ///< number of heaps that taps are ranked by
/// One heap in this many may have a code that is not common.
constexpr HeapSize kOneBeyond = 1024;
constexpr std::size_t kMostPairs = 1u << 15;  ///< the most pairs that are considered
/// A pair must save the search for one code in this many heaps.
constexpr std::size_t kHeapsOfPair = 64;
/// Number of heaps by which the number of taps that mark planes is chosen.
constexpr HeapSize kTestHeaps = 1024;
/// Costs for 64 heaps and each byte of a code, in vector operations: a tap meets the candidates of
/// each heap; the lists of one heap fail, so that it meets a tap by itself.
constexpr double kCostOfTest = 2.5 * kCandidates;
constexpr double kCostOfFailure = 4;

/// The cost of a tap that marks codes below `codes` in planes of 64 heaps, in the same unit. Codes
/// of a byte are read twice if registers have no room for all planes. With more planes than
/// kPlanesThatCost a mark costs about the same, by fours of taps or as a store.
double cost_of_mark(Nimber codes, std::size_t code_bytes) noexcept {
  constexpr std::size_t kPlanesThatCost = 96;
  const auto planes = static_cast<double>(std::min(planes_for(codes), kPlanesThatCost));
  const double passes = code_bytes == 1 && planes > kPlanesInRegisters ? 2 : 1;
  return passes * 3 * static_cast<double>(1 + code_bytes) + 1.25 * planes;
}

HeapSize reach_of(const std::vector<Tap>& taps, const LaggedSplits& marking) noexcept {
  HeapSize reach = 0;
  for (const Tap& tap : taps) reach = std::max(reach, tap.offset);
  return reach + marking.longest_lag();
}

/// How many of the taps, which are ranked, should mark: the others meet the candidates that these
/// leave, and a heap that has none of its candidates left meets all the others once more.
/// @param stands_for for how many taps a tap stands
std::size_t marking_planes(const TapRanking& test, const std::vector<Tap>& taps,
                           std::size_t stands_for, Nimber codes, std::size_t code_bytes) {
  const double mark = cost_of_mark(codes, code_bytes);
  const std::vector<std::size_t> needed = test.taps_until(taps, kCandidates);
  const auto all = static_cast<double>(taps.size());
  std::size_t best = taps.size();
  double least = all * mark;
  for (std::size_t i = 0; i < needed.size(); ++i) {
    const auto marked = static_cast<double>(needed[i]);
    const double failures =
        64.0 * static_cast<double>(needed.size() - 1 - i) / static_cast<double>(needed.size());
    const double meet =
        static_cast<double>(stands_for * code_bytes) * (kCostOfTest + failures * kCostOfFailure);
    const double cost = marked * mark + (all - marked) * meet;
    if (cost >= least) continue;
    least = cost;
    best = needed[i];
  }
  return best;
}

}  // namespace

template <class What>
bool LearnedTaps::Learned<What>::serves(const SparseTable& table,
                                        const PhaseShape& now) const noexcept {
  return table.split() == split && now == shape && table.size() < kTapGrowth * size;
}

Nimber LearnedTaps::common_codes(const SparseTable& table, Nimber code_limit) {
  const PhaseShape shape{0, 0, code_limit};
  if (!common_.serves(table, shape)) {
    common_ = {table.split(), shape, table.size(),
               CodeDensity(table, code_limit).quantile(kOneBeyond)};
  }
  return common_.what;
}

void LearnedTaps::update_rare(const SparseTable& table, const PhaseShape& shape, Nimber codes,
                              std::size_t code_bytes, Executor& executor) {
  if (rare_[code_bytes - 1].serves(table, shape)) return;
  const LaggedSplits marking(table.moves().splits);
  const std::vector<Tap> taps = TapParts(rare_taps(table, marking.splits), 64).from;
  const HeapSize reach = reach_of(taps, marking);
  const CodeTables tables(table.split(), shape.code_limit);
  std::vector<Tap> ranked;
  {
    const TapRanking ranking(table, tables, reach, kSampleHeaps);
    ranked = ranking.rank(taps, ranking.codes(), std::nullopt, executor);
  }
  const TapRanking test(table, tables, reach, kTestHeaps);
  const auto others = ranked.begin() + static_cast<std::ptrdiff_t>(marking_planes(
                                           test, ranked, marking.lags.size(), codes, code_bytes));
  ranked.erase(others, ranked.end());
  std::ranges::sort(ranked, {}, by_place);
  rare_[code_bytes - 1] = {table.split(), shape, table.size(), std::move(ranked)};
}

bool LearnedTaps::update_pairs(const SparseTable& table, const PhaseShape& shape,
                               Executor& executor) {
  table.note_depth(noted_reach(table, shape));
  if (pairs_.serves(table, shape)) return false;
  const HeapSize longest = witness_reach(table, shape);
  const LaggedSplits marking(table.moves().splits);
  const std::size_t all = longest * table.moves().splits.size();
  const std::vector<Tap> pairs = pair_taps(table, marking.splits, longest, all / kMostPairs | 1);
  const CodeTables tables(table.split(), shape.code_limit);
  const TapRanking ranking(table, tables, reach_of(pairs, marking), kSampleHeaps);
  pairs_ = {table.split(), shape, table.size(),
            ranking.rank(pairs, ranking.limits(), kHeapsOfPair, executor)};
  return true;
}

}  // namespace grundy::sparse
