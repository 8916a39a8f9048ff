// SPDX-License-Identifier: MIT
#include "engines/heap/engine_costs.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "engines/heap/sparse/split.hpp"

namespace grundy {
namespace {

constexpr double kPairBit = 0.04;    ///< of the dense engine, for each bit of values above four
constexpr double kFastHeap = 50;     ///< of the fast way, for a heap
constexpr double kFastTap = 0.15;    ///< and for each tap
constexpr double kSlowTap = 3.5;     ///< what the slow way adds, for each tap
constexpr double kSlowHeaps = 1500;  ///< that a new rare heap brings with it
constexpr double kAdvantage = 1.5;   ///< that makes it worth while to change

}  // namespace

double dense_cost(std::size_t splits, const SparseLoad& load) noexcept {
  const double bits = std::max(std::countr_zero(load.value_limit) - 4, 1);
  const double pairs = 0.75 * static_cast<double>(load.heap);  // in the middle of the octave
  return kPairBit * bits * static_cast<double>(splits) * pairs;
}

double sparse_cost(std::size_t splits, const SparseLoad& load) noexcept {
  const double taps = static_cast<double>(load.rare * splits);
  const double arrivals =
      static_cast<double>(load.recent) / static_cast<double>(std::max<HeapSize>(load.heap / 2, 1));
  const double slow_share = std::min(1.0, kSlowHeaps * arrivals);
  return kFastHeap + (kFastTap + slow_share * kSlowTap) * taps;
}

SparseLoad measure_load(const sparse::Moves& moves, Values values) {
  if (values.size() < 2) return {};  // a trial that was stopped
  const sparse::Split split = sparse::choose_split(moves, values).split;
  SparseLoad load{.heap = values.size()};
  values.visit([&](auto table) {
    Nimber largest = 0;
    for (HeapSize n = 1; n < table.size(); ++n) {
      largest = std::max<Nimber>(largest, table[n]);
      if (split.is_common(table[n], n)) continue;
      ++load.rare;
      if (n >= table.size() / 2) ++load.recent;
    }
    load.value_limit = std::bit_ceil(largest + 1);
  });
  return load;
}

MethodChoice choose_method(const sparse::Moves& moves, const SparseLoad& load,
                           std::optional<HeapMethod> at_work) {
  const double dense = dense_cost(moves.splits.size(), load);
  const double sparse = sparse_cost(moves.splits.size(), load);
  const HeapMethod cheaper = sparse < dense ? HeapMethod::kSparse : HeapMethod::kDense;
  const bool clearly = std::max(dense, sparse) > kAdvantage * std::min(dense, sparse);
  return {
      clearly ? cheaper : at_work.value_or(cheaper),
      fmt::format("of heaps below {} {} are rare, {} of them in the later half; about {:.0f} ns "
                  "a heap by rare heaps, {:.0f} ns by all pairs",
                  load.heap, load.rare, load.recent, sparse, dense)};
}

}  // namespace grundy
