/// @file
/// The loop of the engines that keep the whole table and go through it block by block, and how they
/// write values.
// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <span>

#include <grundy/heap/engine.hpp>
#include <grundy/sink.hpp>

#include "core/value_buffer.hpp"

namespace grundy {

/// What differs between these engines.
struct BlockRun {
  /// The number of heaps in the block that begins with a heap, at least 1; the last block of a run
  /// has fewer.
  std::function<HeapSize(HeapSize begin)> block;
  /// Puts the values of heaps begin .. end-1 into the table, which has room for them.
  std::function<void(HeapSize begin, HeapSize end)> solve;
  double work_exponent = 1;  ///< the power of n with which the work for heaps 0 .. n grows
};

/// Solves the heaps that are not in the table yet, hands every block over and reports progress.
RunStatus run_blocks(const HeapTask& task, const BlockRun& run, ValueBuffer& table,
                     ValueSink& sink);

/// Writes `values` into the table from heap `begin` on and widens the table if they need it.
/// @pre begin + values.size() <= table.size()
void store_values(ValueBuffer& table, HeapSize begin, std::span<const Nimber> values);

/// Widens the table, if necessary, so that it can hold `maximum`.
/// @throws Error(kFailure) if no width can
void make_room_for(ValueBuffer& table, Nimber maximum);

}  // namespace grundy
