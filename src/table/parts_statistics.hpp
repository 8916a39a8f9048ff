/// @file
/// Statistics of a table from those of its parts: what a pass over all of its values would find,
/// without the pass.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include <grundy/stats.hpp>

#include "table/values_of_files.hpp"

namespace grundy {

/// The statistics of all entries. The files hold the parts of one table. Values are read where a
/// section lies in several parts, and where the records of a part are too many to be listed in its
/// file. @throws Error(kCorrupt)
TableStats statistics_of(const ValuesOfFiles& parts);

/// Entries of value 0 that a table lists: all of them, or the first kMostInFile.
/// @throws Error(kCorrupt)
std::vector<std::uint64_t> p_positions_of(const ValuesOfFiles::Files& parts);

}  // namespace grundy
