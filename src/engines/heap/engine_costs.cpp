// SPDX-License-Identifier: MIT
#include "engines/heap/engine_costs.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>

namespace grundy {
namespace {

constexpr double kDenseHeap = 650;  ///< ns of dense for a heap,
constexpr double kPairBit = 0.04;   ///< and for a pair and each bit of values above four
constexpr double kFastHeap = 50;    ///< ns of the fast way for a heap,
constexpr double kFastTap = 0.15;   ///< and for each tap
constexpr double kSlowTap = 6;      ///< ns that the slow way adds for each tap
constexpr double kSlowHeaps = 800;  ///< heaps that go the slow way after a new rare heap
constexpr double kAdvantage = 1.5;  ///< an engine takes over if it is cheaper by this factor

}  // namespace

std::string_view name_of(HeapMethod method) noexcept {
  return method == HeapMethod::kSparse ? "sparse" : "dense";
}

std::optional<HeapMethod> method_named(std::string_view engine) noexcept {
  for (const HeapMethod method : {HeapMethod::kDense, HeapMethod::kSparse}) {
    if (engine == name_of(method)) return method;
  }
  return std::nullopt;
}

double dense_cost(std::size_t splits, const SparseLoad& load) noexcept {
  const double bits = std::max(std::countr_zero(load.value_limit) - 4, 1);
  const double pairs = 0.75 * static_cast<double>(load.heap);  // in the middle of the octave
  return kDenseHeap + kPairBit * bits * static_cast<double>(splits) * pairs;
}

double sparse_cost(std::size_t splits, const SparseLoad& load) noexcept {
  const double taps = static_cast<double>(load.rare * splits);
  const double arrivals =
      static_cast<double>(load.recent) / static_cast<double>(std::max<HeapSize>(load.heap / 2, 1));
  const double slow_share = std::min(1.0, kSlowHeaps * arrivals);
  return kFastHeap + (kFastTap + slow_share * kSlowTap) * taps;
}

void LoadMeter::add(HeapSize begin, Values values) {
  const HeapSize half = count_ / 2;
  const HeapSize early = std::min<HeapSize>(values.size(), half - std::min(half, begin));
  early_.add(begin, values.subspan(0, early));
  recent_.add(begin + early, values.subspan(early));
}

SparseLoad LoadMeter::load(const TwoHeapMoves& moves) const {
  if (count_ < 2) return {};  // a trial that was stopped
  sparse::ValueCounts all = early_;
  all.add(recent_);
  const sparse::SplitChoice choice = sparse::choose_split(moves, all);
  return {.heap = count_,
          .rare = choice.rare,
          .recent = recent_.rare(choice.split),
          .value_limit = all.value_limit()};
}

SparseLoad measure_load(const TwoHeapMoves& moves, Values values) {
  LoadMeter meter(values.size());
  meter.add(0, values);
  return meter.load(moves);
}

MethodChoice choose_method(const TwoHeapMoves& moves, const SparseLoad& load,
                           std::optional<HeapMethod> at_work) {
  const double dense = dense_cost(moves.splits.size(), load);
  const double sparse = sparse_cost(moves.splits.size(), load);
  const HeapMethod cheaper = sparse < dense ? HeapMethod::kSparse : HeapMethod::kDense;
  const bool clearly = std::max(dense, sparse) > kAdvantage * std::min(dense, sparse);
  return {
      clearly ? cheaper : at_work.value_or(cheaper),
      fmt::format("of heaps below {} {} are rare, {} of them in the later half; about {:.0f} ns "
                  "a heap by rare heaps, {:.0f} ns by all pairs",
                  load.heap, load.rare, load.recent, sparse, dense),
      std::abs(dense - sparse)};
}

}  // namespace grundy
