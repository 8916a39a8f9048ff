/// @file
/// Positions of a lattice table as they are asked for: heaps one by one, each a number or a range.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <grundy/table.hpp>

#include "cli/console.hpp"

namespace grundy::cli {

/// Prints the values of a position, `3 5` or `3,5`, or of all positions of ranges, `3 0..10`.
/// @throws Error(kUsage) if that is malformed or not in the table
int query_lattice(Console& console, const TableReader& table,
                  const std::vector<std::string>& heaps);

/// Reads a position, `3 5` or `3,5`. @throws Error(kUsage) if it is malformed or not in the layout
LatticePoint parse_position(const Layout& layout, const std::vector<std::string>& heaps);

}  // namespace grundy::cli
