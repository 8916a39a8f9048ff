/// @file
/// Statistics of a table, made from the statistics of its parts: the same as a pass over all of its
/// values would give, but without the pass.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include <grundy/stats.hpp>

#include "table/values_of_files.hpp"

namespace grundy {

/// The statistics of all entries, where the files hold the parts of one table. Values are read if a
/// section lies in several parts, and if a part has more records than its file lists.
/// @throws Error(kCorrupt)
TableStats statistics_of(const ValuesOfFiles& parts);

/// The entries of value 0 that a table lists: all of them, or the first kMostListedPPositions.
/// @throws Error(kCorrupt)
std::vector<std::uint64_t> p_positions_of(const ValuesOfFiles::Files& parts);

}  // namespace grundy
