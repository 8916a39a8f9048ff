/// @file
/// Positions of a lattice table as they are asked for: heaps one by one, each a number or a range.
// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <grundy/table.hpp>

#include "cli/console.hpp"

namespace grundy::cli {

/// Prints the values of a position, `3 5` or `3,5`, or of all positions of ranges, `3 0..10`.
/// Tells what is malformed or not in the table, and returns the exit code. @throws Error(kCorrupt)
int query_lattice(Console& console, const TableReader& table,
                  const std::vector<std::string>& heaps);

/// Visits a position, or all positions of ranges, as above, until `visit` returns false.
/// @throws Error(kUsage) before the first one if that is malformed or not in the layout
void for_each_position(const Layout& layout, const std::vector<std::string>& heaps,
                       const std::function<bool(const LatticePoint&)>& visit);

}  // namespace grundy::cli
