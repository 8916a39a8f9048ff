/// @file
/// The interface of the three algorithms of the subtraction engine.
// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include <grundy/heap/rule.hpp>

#include "core/value_buffer.hpp"

namespace grundy {

/// Computes consecutive blocks of one table, and keeps what it needs from one block to the next.
class SubtractionSolver {
 public:
  virtual ~SubtractionSolver() = default;

  /// The number of heaps of the block that begins at `begin`, unless the table ends earlier.
  [[nodiscard]] virtual HeapSize block(HeapSize begin) const noexcept = 0;
  /// Notes the heaps begin .. end-1, whose values are already in the table.
  virtual void adopt(HeapSize begin, HeapSize end, const ValueBuffer& table) = 0;
  /// Writes the values of heaps begin .. table.size()-1. @pre all values below `begin` are in the
  /// table
  virtual void solve(HeapSize begin, ValueBuffer& table) = 0;
};

}  // namespace grundy
