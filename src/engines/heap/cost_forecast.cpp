// SPDX-License-Identifier: MIT
#include "engines/heap/cost_forecast.hpp"

#include <algorithm>
#include <cmath>

namespace grundy {
namespace {

/// The bound of values in a forecast.
constexpr double kMostValues = 1u << 31;

/// The load one octave later.
SparseLoad next_octave(const SparseLoad& load, RareGrowth growth) {
  double added = rare_growth(load);
  if (growth == RareGrowth::kSettles) added *= added;
  const auto recent = static_cast<HeapSize>(static_cast<double>(load.rare) * added);
  // If rare heaps double, the largest value grows with the root of the heap; otherwise it hardly
  // grows.
  const double limit = std::min(load.value_limit * std::sqrt(1 + added * added), kMostValues);
  return {.heap = 2 * load.heap,
          .rare = load.rare + recent,
          .recent = recent,
          .value_limit = static_cast<Nimber>(limit)};
}

}  // namespace

CostForecast::CostForecast(const TwoHeapMoves& moves, SparseLoad load, HeapMethod at_work,
                           bool chooses, HeapSize to, RareGrowth growth) {
  load.heap = std::max<HeapSize>(load.heap, 1);
  do {
    if (chooses && !octaves_.empty()) at_work = choose_method(moves, load, at_work).method;
    octaves_.push_back({load.heap, at_work, cost_by(at_work, moves.splits.size(), load)});
    load = next_octave(load, growth);
  } while (load.heap < to);
}

double CostForecast::cost(HeapSize from, HeapSize to) const noexcept {
  double sum = 0;
  for (std::size_t i = 0; i < octaves_.size(); ++i) {
    const HeapSize begin = std::max(octaves_[i].begin, from);
    const HeapSize end = i + 1 < octaves_.size() ? std::min(octaves_[i + 1].begin, to) : to;
    if (begin < end) sum += octaves_[i].cost * static_cast<double>(end - begin);
  }
  return sum;
}

}  // namespace grundy
