/// @file
/// The fast way through heaps without new rare ones: a pipeline of blocks of heaps.
///
///   round k does   find(k)          the least open code of every heap; threads take turns
///                  publish(k - 1)   values and limits of the codes
///                  proof(k - 2)     the witnesses of the rare values below the values
///                  hand out(k - 3)  proved values, to the sink
///
/// all at the same time; find and proof are parallel in themselves. So values of block k are used
/// before they are proved. If a proof fails, the table ends before the heap that failed and the
/// phase is over: the slow way finds the new rare heap there. A phase also ends when a value needs
/// more bits than were planned, and when the table has doubled, so that the next phase can plan
/// anew. A phase that ends loses the last three blocks. So its first ones, near a rare heap, are
/// short and go through all stages one by one.
///
/// The critical path of a round is what a thread does when it is its turn (parallel/turns.hpp), and
/// a join of threads.
// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>

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
  HeapSize block;  ///< the most heaps of a block
  /// Called after each block, on any thread, in parallel with other tasks; false ends the phase.
  std::function<bool()> keep_going;
};

/// How a phase has ended: where the slow way must decide the next heap, or as it was planned, so
/// that another phase may follow at once. So the heaps that go the slow way do not depend on where
/// blocks end.
enum class PhaseEnd { kSlowHeap, kPlanned };

/// One phase after the other, through one table. A phase that follows soon goes on with the windows
/// of the one before it.
class FastWay {
 public:
  explicit FastWay(const PhaseContext& context);
  FastWay(const FastWay&) = delete;
  FastWay& operator=(const FastWay&) = delete;
  ~FastWay();

  /// Whether a phase may begin at the end of the table: behind the largest removal after the last
  /// rare heap, or 64 heaps farther with words or if many heaps were rare of late, and with codes
  /// that fit.
  [[nodiscard]] bool is_open() const;
  /// Extends the table, at most to heap `goal`. @pre is_open()
  PhaseEnd run(HeapSize goal);

 private:
  struct Phases;
  const PhaseContext& context_;
  std::unique_ptr<Phases> phases_;
};

}  // namespace grundy::sparse
