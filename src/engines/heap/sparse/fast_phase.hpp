/// @file
/// The fast way through a stretch of heaps without new rare ones: rounds of blocks in which five
/// things happen at the same time.
///
///   round k:  chain(k)       least unreached common value of every heap, in order (sequential)
///             far(k + 1)     what taps with partners two blocks back say of the next    (parallel)
///             publish(k - 1) values and bit rows of the codes                           (one task)
///             witness(k - 2) the rare values below the values of that are reached       (parallel)
///             hand out (k - 3)                                                          (one task)
///
/// Values of block k are thus used before they are proved. If a proof fails, the table ends before
/// the heap that failed and the phase is over: the slow way finds the new rare heap there. A phase
/// also ends when a value needs more bits than were planned for, and when the table has doubled, so
/// that the next phase can plan anew.
///
/// The critical path is chain() and a join of threads a round. With more than a few threads blocks
/// are smaller, so that chain() has fewer taps, at some cost in work.
// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include <grundy/types.hpp>

#include "engines/heap/sparse/learned_plans.hpp"
#include "engines/heap/sparse/learned_taps.hpp"
#include "engines/heap/sparse/table.hpp"

namespace grundy {
class Executor;
}

namespace grundy::sparse {

struct PhaseContext {
  SparseTable& table;
  const KernelSet& kernels;
  Executor& executor;
  LearnedPlans& plans;
  LearnedTaps& taps;
  HeapSize block;  ///< heaps per round, at most
  /// Called once a round, beside its other tasks and on any thread; false ends the phase.
  std::function<bool()> keep_going;
};

/// Whether a fast phase may begin at the table's end: `calm` heaps after the last rare one, from a
/// multiple of 64 on, and with codes that fit.
bool fast_phase_ready(const SparseTable& table, HeapSize calm);

/// Extends the table by at least 0 and less than `goal - size + 2 * block` heaps.
/// @pre fast_phase_ready(context.table, 0)
void run_fast_phase(const PhaseContext& context, HeapSize goal);

}  // namespace grundy::sparse
