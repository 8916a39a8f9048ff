/// @file
/// Whoever takes the entries of a lattice table, in any order.
// SPDX-License-Identifier: MIT
#pragma once

#include <grundy/types.hpp>

#include "table/chunk_grid.hpp"

namespace grundy {

class EntrySink {
 public:
  virtual ~EntrySink() = default;
  /// Takes the entries from `at` along `axis`; with planes, as many at each place of the axis.
  /// Every entry comes once. @pre they are in the array
  virtual void put(ChunkGrid::Axes at, unsigned axis, Values values) = 0;
};

}  // namespace grundy
