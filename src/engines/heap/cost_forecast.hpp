/// @file
/// The cost of the heaps to come, by the model of engine_costs.hpp.
///
/// The model needs the number of rare heaps. Nobody knows how many there will be. If rare heaps
/// nearly double from octave to octave, they may go on like that for ever. If they grow by less,
/// the growth tends to be squared: from heap 2^14 on, octave by octave, the rare heaps of .007 grow
/// by 0.79, 0.64, 0.35, 0.15, 0.03 and 0.00 of their number before. So there are two forecasts, and
/// a time is forecast only if they agree.
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <grundy/types.hpp>

#include "engines/heap/engine_costs.hpp"

namespace grundy {

/// The assumption about the rare heaps to come.
enum class RareGrowth {
  kSettles,  ///< the growth is squared from octave to octave
  kGoesOn,   ///< rare heaps grow by the same factor from octave to octave
};

/// The cost of the heaps after those of a load, octave by octave.
class CostForecast {
 public:
  struct Octave {
    HeapSize begin;
    HeapMethod method;
    double cost;  ///< of a heap, in nanoseconds of the model
  };

  /// @param at_work the method that begins @param chooses whether the cheaper method takes over
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
