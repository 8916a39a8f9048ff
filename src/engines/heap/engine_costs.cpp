// SPDX-License-Identifier: MIT
#include "engines/heap/engine_costs.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "engines/heap/sparse/phase_shape.hpp"
#include "kernels/filter_kernels.hpp"
#include "kernels/tap_kernels.hpp"

namespace grundy {
namespace {

constexpr double kMarkHeap = 60;             ///< ns of the beginning of dense for a heap
constexpr double kMarkPair = 0.02;           ///< and for each pair,
constexpr double kMarkPlane = 0.0022;        ///< and for each pair and plane; for each split
constexpr double kDenseHeap = 450;           ///< ns of dense behind it for a heap
constexpr double kDenseValue = 1.55;         ///< and for each number below the limit of values
constexpr double kDensePair = 0.025;         ///< and for each pair and slice of the values
constexpr double kDenseSlice = kOpenValues;  ///< a heap may be filtered through several slices
constexpr double kFastHeap = 4;              ///< ns of the fast way for a heap
constexpr double kFastTap = 0.18;            ///< and for each tap
constexpr double kWideTap = 0.4;             ///< or for each tap if codes do not fit in a byte
constexpr Nimber kNarrow = 512;              ///< up to this limit of values, codes fit
constexpr double kFewTap = 0.1;              ///< or for each tap if there are few values:
constexpr Nimber kFew = 64;                  ///< up to this limit the first taps decide most heaps
constexpr double kLearnHeap = 37;            ///< ns of learning for a heap, falling off after
constexpr double kLearnHeaps = 1u << 17;     ///< this many heaps
constexpr double kLearnTap = 0.56;           ///< and for each tap, falling off after
constexpr double kLearnTaps = 1u << 15;      ///< this many heaps, if there are not few values
constexpr double kSlowTap = 0.84;            ///< ns that the slow way adds for each tap
constexpr double kSlowValue = 3.3;           ///< and for each number below the limit of values
constexpr double kSlowHeaps = 75;  ///< a new rare heap costs as much as so many slow heaps
/// Splits share marks and pairs (LaggedSplits): each one but the first costs this part of it. The
/// few games whose splits do not, or whose codes are words, are not told apart.
constexpr double kSharedSplit = 0.4;
constexpr double kTooSlow = 3;  ///< an engine may exceed the time of the model by this factor
/// After this many looks an engine has learned what it needs for its full speed.
constexpr unsigned kLooksToLearn = 3;

/// What the splits cost together, in units of the first one.
double shared(std::size_t splits) noexcept {
  return splits == 0 ? 0 : 1 + kSharedSplit * static_cast<double>(splits - 1);
}

double taps_of(std::size_t splits, const SparseLoad& load) noexcept {
  return static_cast<double>(load.rare * splits);
}

/// The limit of values, rounded down to a power of two: a forecast has any limit.
Nimber limit_of(const SparseLoad& load) noexcept {
  return std::bit_floor(load.value_limit);
}

/// The share of the heaps of that octave that go the slow way, or might as well.
double slow_share(const SparseLoad& load) noexcept {
  if (limit_of(load) > 2 * sparse::kMostCodes) return 1;  // too many codes for the fast way
  // The growth of rare heaps falls from octave to octave (cost_forecast.hpp). The exponent 1.5 lies
  // between growth that stays and growth that is squared. They do not come more densely than of
  // late.
  const double arrivals =
      std::min(2 * static_cast<double>(load.recent),
               static_cast<double>(load.rare) * std::pow(rare_growth(load), 1.5));
  const double arriving = arrivals / static_cast<double>(std::max<HeapSize>(load.heap, 2));
  return std::min(1.0, kSlowHeaps * arriving);
}

/// What of sparse_cost() is the slow way.
double slow_cost(std::size_t splits, const SparseLoad& load) noexcept {
  return slow_share(load) * (kSlowValue * load.value_limit + kSlowTap * taps_of(splits, load));
}

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
  const double values = load.value_limit;
  const double slices = std::max(1.0, values / kDenseSlice);
  const double pairs = 0.75 * static_cast<double>(load.heap);  // in the middle of the octave
  const double marks = kMarkHeap + pairs * (kMarkPair + kMarkPlane * values / kPlaneCodes);
  const double filter =
      kDenseHeap + kDenseValue * values + kDensePair * slices * shared(splits) * pairs;
  // The beginning ends where the filter becomes cheaper, about. Which codes it does not take, and
  // that blocks may be given, a load does not tell.
  return std::min(static_cast<double>(splits) * marks, filter);
}

double rare_growth(const SparseLoad& load) noexcept {
  const double recent = static_cast<double>(load.recent);
  return std::min(recent / std::max(static_cast<double>(load.rare) - recent, 1.0), 1.0);
}

double learning_cost(std::size_t splits, const SparseLoad& load) noexcept {
  const auto share = [&](double heaps) {
    return std::min(1.0, heaps / static_cast<double>(std::max<HeapSize>(load.heap, 1)));
  };
  const double tap = limit_of(load) <= kFew ? 0 : kLearnTap;
  // Heaps that go the slow way teach nothing.
  return (1 - slow_share(load)) *
         (kLearnHeap * share(kLearnHeaps) +
          tap * share(kLearnTaps) * shared(splits) * static_cast<double>(load.rare));
}

double sparse_cost(std::size_t splits, const SparseLoad& load) noexcept {
  const Nimber limit = limit_of(load);
  const double tap = limit > kNarrow ? kWideTap : limit > kFew ? kFastTap : kFewTap;
  return kFastHeap + learning_cost(splits, load) + slow_cost(splits, load) +
         tap * shared(splits) * static_cast<double>(load.rare);
}

double cost_by(HeapMethod method, std::size_t splits, const SparseLoad& load) noexcept {
  return method == HeapMethod::kSparse ? sparse_cost(splits, load) : dense_cost(splits, load);
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
                           std::optional<HeapMethod> at_work, const Slowness& slowness,
                           double advantage) {
  const std::size_t splits = moves.splits.size();
  const double dense =
      dense_cost(splits, load) * slowness[static_cast<std::size_t>(HeapMethod::kDense)];
  // Twice as many rare heaps may come: then a change would cost more than it may gain now.
  const double by_rare = (sparse_cost(splits, load) + slow_cost(splits, load)) *
                         slowness[static_cast<std::size_t>(HeapMethod::kSparse)];
  const HeapMethod cheaper = by_rare < dense ? HeapMethod::kSparse : HeapMethod::kDense;
  const bool clearly = std::max(dense, by_rare) > advantage * std::min(dense, by_rare);
  const bool too_many = sparse::too_many_rare(load.recent, load.heap);
  return {
      too_many  ? HeapMethod::kDense
      : clearly ? cheaper
                : at_work.value_or(cheaper),
      fmt::format("of heaps below {} {} are rare, {} of them in the later half; about {:.0f} ns "
                  "a heap by rare heaps, {:.0f} ns by all pairs",
                  load.heap, load.rare, load.recent, by_rare, dense),
      std::abs(dense - by_rare)};
}

void MethodPace::note(HeapMethod method, double work, double seconds) {
  if (work <= 0 || seconds <= 0) return;
  const auto index = static_cast<std::size_t>(method);
  in_a_row_ = at_work_ == method ? in_a_row_ + 1 : 1;
  at_work_ = method;
  double& best = best_[index];
  const double now = seconds / work;
  best = best > 0 ? std::min(best, now) : now;
  const double other = best_[1 - index];
  const double foretold = in_a_row_ > kLooksToLearn && other > 0 ? std::min(best, other) : best;
  slowness_[index] = now > kTooSlow * foretold ? now / foretold : 1;
}

EngineSlowness told(const Slowness& slowness) {
  EngineSlowness told;
  for (const HeapMethod method : {HeapMethod::kDense, HeapMethod::kSparse}) {
    const double factor = slowness[static_cast<std::size_t>(method)];
    if (factor > 1) told.emplace(name_of(method), factor);
  }
  return told;
}

Slowness heard(const EngineSlowness& slowness) noexcept {
  Slowness heard{1, 1};
  for (const auto& [engine, factor] : slowness) {
    const auto method = method_named(engine);
    if (method && factor > 1) heard[static_cast<std::size_t>(*method)] = factor;
  }
  return heard;
}

}  // namespace grundy
