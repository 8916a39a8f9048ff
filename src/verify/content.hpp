/// @file
/// The first half of verification: the store holds what was written, and recorded statistics are
/// those of the values.
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "core/value_buffer.hpp"
#include "verify/stored_table.hpp"
#include "verify/work.hpp"

namespace grundy {

/// Reads every value once: compares all with their digests, looks for values that were never
/// written, and counts histogram, records, maximum and digest of the table, which are compared with
/// what is recorded. The first `keep` values are left in `kept`, at the width of the table.
/// @return what was counted; nothing if it was stopped
/// @throws Error(kCorrupt) that names the first thing that is wrong
std::optional<TableStats> check_content(const StoredTable& table, const Work& work, HeapSize keep,
                                        ValueBuffer& kept);

/// Compares what was counted of the `unit` (heaps, entries) of a table with what the file at `path`
/// records.
/// @throws Error(kCorrupt) that names the first difference
void compare_statistics(const std::string& path, const TableStats& recorded,
                        const TableStats& counted, const char* unit);

}  // namespace grundy
