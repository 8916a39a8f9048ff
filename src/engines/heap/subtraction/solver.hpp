/// @file
/// What the three algorithms of the subtraction engine have in common.
// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>

#include <grundy/heap/rule.hpp>

#include "core/value_buffer.hpp"

namespace grundy {

/// Computes consecutive blocks of one table; keeps what it needs from one block to the next.
class SubtractionSolver {
 public:
  virtual ~SubtractionSolver() = default;

  /// Heaps of the block that begins at `begin`, unless the table ends before.
  [[nodiscard]] virtual HeapSize block(HeapSize begin) const noexcept = 0;
  /// Takes note of heaps begin .. end-1, whose values are in the table already.
  virtual void adopt(HeapSize begin, HeapSize end, const ValueBuffer& table) = 0;
  /// Writes the values of heaps begin .. table.size()-1. @pre all values below `begin` are there
  virtual void solve(HeapSize begin, ValueBuffer& table) = 0;
};

/// The least multiple of `unit` that is not below n.
constexpr HeapSize round_up(HeapSize n, HeapSize unit) noexcept {
  return (n + unit - 1) / unit * unit;
}

/// Writes `values` into the table from heap `begin` on and widens the table if they need it.
/// @pre begin + values.size() <= table.size()
void store_values(ValueBuffer& table, HeapSize begin, std::span<const Nimber> values);

/// Widens the table, if necessary, so that it can hold `maximum`.
/// @throws Error(kFailure) if no width can
void make_room_for(ValueBuffer& table, Nimber maximum);

}  // namespace grundy
