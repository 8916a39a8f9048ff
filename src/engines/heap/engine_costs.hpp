/// @file
/// The cost of a value with the dense and with the sparse-space engine, for the choice between
/// them.
///
/// The dense engine marks n / 2 pairs in short tables, and compares them in longer ones. If there
/// are more values, marks are dearer, and more pairs meet open ones. The
/// sparse-space engine has a fast way and a slow way. The fast way applies a tap of every rare heap
/// to every heap. Further splits share most of this work (LaggedSplits). The fast way learns what
/// decides a heap at once, so the first tens of thousands of heaps take several times as long. The
/// slow way follows each new rare heap for some hundred heaps. Then the fast way begins anew, with
/// tables of all heaps and blocks that were found in vain, which takes as long as some more slow
/// heaps.
///
/// The constants are nanoseconds on one core of an x86-64 machine, fitted to `bench_choice` from
/// heaps 2^13 to 2^17 (marks of all pairs: tables of 2^12 to 2^14), and to later octaves of games
/// whose rare heaps still come (bench/README.md). They affect only speed, and only their ratios
/// matter.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <grundy/known.hpp>
#include <grundy/types.hpp>

#include "engines/heap/sparse/split.hpp"
#include "engines/heap/two_heap_moves.hpp"

namespace grundy {

enum class HeapMethod { kDense, kSparse };
/// The name of the engine of a method.
std::string_view name_of(HeapMethod method) noexcept;
/// The inverse of name_of(); nothing for engines without a model.
std::optional<HeapMethod> method_named(std::string_view engine) noexcept;

/// The state of the sparse space at some heap.
struct SparseLoad {
  HeapSize heap = 0;       ///< number of heaps that were counted
  HeapSize rare = 0;       ///< number of rare heaps among them
  HeapSize recent = 0;     ///< number of rare heaps in the later half
  Nimber value_limit = 1;  ///< all values are below it; for known values it is a power of two
};

/// The number of recent rare heaps for each earlier one, at most 1.
double rare_growth(const SparseLoad& load) noexcept;

/// The cost in nanoseconds of one heap in the octave that begins at load.heap, for rules with this
/// many moves that split.
double dense_cost(std::size_t splits, const SparseLoad& load) noexcept;
double sparse_cost(std::size_t splits, const SparseLoad& load) noexcept;
double cost_by(HeapMethod method, std::size_t splits, const SparseLoad& load) noexcept;
/// What of sparse_cost() is learning. The engine learns at once when it takes over; the model
/// spreads this over the octave.
double learning_cost(std::size_t splits, const SparseLoad& load) noexcept;

/// Measures the load that the best split gives the values of heaps 0 .. count - 1.
class LoadMeter {
 public:
  explicit LoadMeter(HeapSize count) : count_(count) {}
  /// Adds the values of the heaps from `begin` on. Each heap must be added once, in any order.
  void add(HeapSize begin, Values values);
  [[nodiscard]] SparseLoad load(const TwoHeapMoves& moves) const;

 private:
  HeapSize count_;
  sparse::ValueCounts early_;   ///< of the earlier half
  sparse::ValueCounts recent_;  ///< of the later half
};

/// The load of the values of heaps 0 .. values.size() - 1.
SparseLoad measure_load(const TwoHeapMoves& moves, Values values);

/// A method for the heaps from load.heap to twice as many, and why.
struct MethodChoice {
  HeapMethod method = HeapMethod::kDense;
  std::string reason;
  double advantage = 0;  ///< nanoseconds for each heap by which the costs of the two methods differ
};

/// The factor by which each method is slower than the model says, by number of the method.
using Slowness = std::array<double, 2>;

/// told() gives the factors by the names of the engines, without engines that are not slower.
/// heard() is its inverse; it ignores engines without a model and invalid numbers.
EngineSlowness told(const Slowness& slowness);
Slowness heard(const EngineSlowness& slowness) noexcept;

/// If a method is at work, the other one is chosen if it is cheaper by this factor.
inline constexpr double kAdvantage = 1.35;

/// The cheaper method. If a method is at work, the other one must be cheaper by the factor
/// `advantage` to be chosen. The slow way counts twice, as twice as many rare heaps may come as are
/// foreseen. Where too many heaps of the later half are rare for a sparse space, it is dense.
MethodChoice choose_method(const TwoHeapMoves& moves, const SparseLoad& load,
                           std::optional<HeapMethod> at_work = std::nullopt,
                           const Slowness& slowness = {1, 1}, double advantage = kAdvantage);

/// Compares the times of the methods in one run with the model.
class MethodPace {
 public:
  /// @param slowness what earlier lives of the run have learned
  explicit MethodPace(const Slowness& slowness = {1, 1}) : slowness_(slowness) {}

  /// Notes that the method took `seconds` for heaps with this `work` by the model, in any unit.
  void note(HeapMethod method, double work, double seconds);
  /// A factor is 1, unless the method last took three times as long as at its best; or, once it has
  /// been noted several times in a row, as the other method at its best.
  [[nodiscard]] const Slowness& slowness() const noexcept { return slowness_; }

 private:
  std::array<double, 2> best_{};  ///< seconds for a unit of work; 0: not noted
  std::optional<HeapMethod> at_work_;
  unsigned in_a_row_ = 0;  ///< how many times in a row at_work_ was noted
  Slowness slowness_;
};

}  // namespace grundy
