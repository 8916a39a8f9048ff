/// @file
/// Queries for positions of a lattice table: heap by heap, each a number or a range.
// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <grundy/table.hpp>

#include "cli/console.hpp"

namespace grundy::cli {

/// Prints the value of a position (`3 5` or `3,5`) or the values of all positions of ranges
/// (`3 0..10`). Reports what is malformed or not in the table, and returns the exit code.
/// @throws Error(kCorrupt)
int query_lattice(Console& console, const TableReader& table,
                  const std::vector<std::string>& heaps);

/// Visits a position, or all positions of ranges, like query_lattice(), until `visit` returns
/// false.
/// @throws Error(kUsage) before the first visit if the text is malformed or not in the layout
void for_each_position(const Layout& layout, const std::vector<std::string>& heaps,
                       const std::function<bool(const LatticePoint&)>& visit);

}  // namespace grundy::cli
