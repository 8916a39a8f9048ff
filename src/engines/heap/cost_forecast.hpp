/// @file
/// What the heaps to come will cost, by the model of engine_costs.hpp.
///
/// The model asks how many rare heaps there are. How many there will be nobody knows. Where rare
/// heaps nearly double from octave to octave, they may go on like that for ever. Where they grow by
/// less, growth tends to be squared: from heap 2^14 on, octave by octave, the rare heaps of .007
/// grow by 0.79, 0.64, 0.35, 0.15, 0.03 and 0.00 of those before. So there are two forecasts. A
/// time is foretold where they agree.
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <grundy/types.hpp>

#include "engines/heap/engine_costs.hpp"

namespace grundy {

/// What is assumed of the rare heaps to come.
enum class RareGrowth {
  kSettles,  ///< each octave has as many new ones, beside all before it, as the square says
  kGoesOn,   ///< rare heaps grow by the same factor from octave to octave
};

/// What the heaps behind those of a load will cost, octave by octave.
class CostForecast {
 public:
  struct Octave {
    HeapSize begin;
    HeapMethod method;
    double cost;  ///< of a heap, in nanoseconds of the model
  };

  /// @param at_work the method that begins @param chooses whether the cheaper one takes over
  /// @param to the end of the run
  CostForecast(const TwoHeapMoves& moves, SparseLoad load, HeapMethod at_work, bool chooses,
               HeapSize to, RareGrowth growth);
  /// The octaves from load.heap on; at least one.
  [[nodiscard]] const std::vector<Octave>& octaves() const noexcept { return octaves_; }
  /// Nanoseconds of the model for heaps from .. to-1, without those below load.heap.
  [[nodiscard]] double cost(HeapSize from, HeapSize to) const noexcept;

 private:
  std::vector<Octave> octaves_;
};

}  // namespace grundy
