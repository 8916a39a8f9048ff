/// @file
/// The first half of verification: the file holds what was written, and its statistics are those
/// of its values.
// SPDX-License-Identifier: MIT
#pragma once

#include <stop_token>
#include <string>

#include <grundy/progress.hpp>

#include "core/value_buffer.hpp"
#include "kernels/kernels.hpp"
#include "schedule/executor.hpp"
#include "store/table_file.hpp"

namespace grundy {

/// Reads every chunk once: compares it with its digest, looks for values that were never written
/// and for padding that is none, and counts histogram, records, maximum and digest of the table
/// anew. The first `keep` values are left in `kept`, at the width of the file.
/// @return false if it was stopped
/// @throws Error(kCorrupt) that names the first thing that is wrong
bool check_content(const TableFile& file, Executor& executor, const KernelSet& kernels,
                   HeapSize keep, ValueBuffer& kept, const std::stop_token& stop,
                   ProgressSink* progress);

/// Compares what was counted with what the file at `path` records.
/// @throws Error(kCorrupt) that names the first difference
void compare_statistics(const std::string& path, const TableStats& recorded,
                        const TableStats& counted);

}  // namespace grundy
