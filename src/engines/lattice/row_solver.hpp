/// @file
/// Solves rows: runs of positions along the last heap in slab order.
///
/// Cost of a position: one cache line for every set and every 512 values that its sets have in
/// common, and one for every look-up. Positions are solved one by one if sets are not equally
/// spaced along the row, or if there are look-ups or a pass.
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "engines/lattice/set_arena.hpp"
#include "engines/lattice/set_plan.hpp"
#include "engines/lattice/slab_ring.hpp"

namespace grundy {

/// Solves rows. Each thread has one of these objects.
class RowSolver {
 public:
  /// @param rule the rule of the plan
  /// @param scratch the number of a set for look-ups that no other solver uses
  RowSolver(const LatticeRule& rule, const SetPlan& plan, SetArena& arena,
            const SetKernels& kernels, SlabRing& slabs, std::uint64_t scratch);

  /// Computes the positions of the row from y on, up to last heap end - 1. Returns their largest
  /// value.
  /// @param known whether the values are in the slabs already and only the sets must take them
  Nimber solve(LatticePoint y, std::uint32_t end, bool known);

 private:
  [[nodiscard]] std::uint32_t piece_end(const LatticePoint& y, std::uint32_t end) const noexcept;
  void place(const LatticePoint& y, std::size_t cells, unsigned plane, Nimber* values);
  void mark(const LatticePoint& y, std::size_t cells, unsigned plane, const Nimber* values);
  void gather(const LatticePoint& y, unsigned plane);
  void look_up(const LatticePoint& y, unsigned plane, const Nimber* values);
  [[nodiscard]] SetStride row_of(const SetNumber& number, const LatticePoint& y,
                                 unsigned plane) const noexcept;

  const LatticeRule& rule_;
  const SetPlan& plan_;
  const unsigned planes_;
  SetArena& arena_;
  const SetKernels& kernels_;
  SlabRing& slabs_;
  const std::uint64_t scratch_;
  const unsigned last_;  ///< the heap that changes along a row
  bool one_by_one_ = false;
  bool look_ups_ = false;
  std::vector<SetStride> rows_;
  std::vector<SetStride> from_;
  std::vector<Nimber> looked_up_;
};

}  // namespace grundy
