/// @file
/// What a value costs with the dense and with the sparse-space engine, for the choice between them.
///
/// The dense engine compares n / 2 pairs for every split, and more of them meet open values where
/// there are more values. The sparse-space engine has a fast way and a slow way. The fast way
/// applies every tap (a rare heap times a split) to every heap. It learns what decides a heap at
/// once: the first ten thousands of heaps take several times as long. The slow way follows each new
/// rare heap for some hundred heaps, and costs some nanoseconds a tap.
///
/// The constants are nanoseconds on one core of an x86-64 machine, fitted to `bench_choice` from
/// heaps 8192 and 32768, `bench_choice small` and `bench_octaves` (bench/README.md).
/// They decide nothing but speed, and only their ratios matter.
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
/// The name of its engine.
std::string_view name_of(HeapMethod method) noexcept;
/// The inverse; nothing for engines without a model.
std::optional<HeapMethod> method_named(std::string_view engine) noexcept;

/// The state of the sparse space at some heap.
struct SparseLoad {
  HeapSize heap = 0;       ///< heaps below were counted
  HeapSize rare = 0;       ///< rare heaps among them
  HeapSize recent = 0;     ///< rare heaps among their later half
  Nimber value_limit = 1;  ///< values are below it; of what is known, a power of two
};

/// The cost in nanoseconds of one heap in the octave that begins at load.heap, for rules with so
/// many moves that split.
double dense_cost(std::size_t splits, const SparseLoad& load) noexcept;
double sparse_cost(std::size_t splits, const SparseLoad& load) noexcept;
double cost_by(HeapMethod method, std::size_t splits, const SparseLoad& load) noexcept;

/// Measures the load that the best split gives the values of heaps 0 .. count - 1.
class LoadMeter {
 public:
  explicit LoadMeter(HeapSize count) : count_(count) {}
  /// Values of the heaps from `begin` on. Each heap is to be added once, in any order.
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
  double advantage = 0;  ///< nanoseconds a heap by which the costs of the two methods differ
};

/// How many times longer than by the model the methods take, by their number.
using Slowness = std::array<double, 2>;

/// The same by the names of the engines, those left out that take no longer; and the inverse, which
/// passes over engines without a model and numbers that are none.
EngineSlowness told(const Slowness& slowness);
Slowness heard(const EngineSlowness& slowness) noexcept;

/// The cheaper method. Where one is at work the other has to be cheaper by half.
MethodChoice choose_method(const TwoHeapMoves& moves, const SparseLoad& load,
                           std::optional<HeapMethod> at_work = std::nullopt,
                           const Slowness& slowness = {1, 1});

/// Whether the time of a method agrees with the model, in one run.
class MethodPace {
 public:
  /// @param slowness what earlier lives of the run have learned
  explicit MethodPace(const Slowness& slowness = {1, 1}) : slowness_(slowness) {}

  /// The method took `seconds` for heaps that the model says take `work`, in any unit.
  void note(HeapMethod method, double work, double seconds);
  /// 1, unless a method took three times as long when it was noted last as it did at its best; or,
  /// once it has been noted some times in a row, as the other one did at its best.
  [[nodiscard]] const Slowness& slowness() const noexcept { return slowness_; }

 private:
  std::array<double, 2> best_{};  ///< seconds for a unit of work; 0: not noted
  std::optional<HeapMethod> at_work_;
  unsigned in_a_row_ = 0;  ///< how often it was noted since it is
  Slowness slowness_;
};

}  // namespace grundy
