/// @file
/// The file of statistics that a run without a table has left beside its directory.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>

#include <grundy/statistics.hpp>

#include "run/run_record.hpp"

namespace grundy {

/// The file of statistics of the run; nothing if there is none yet, or if the file is of another
/// game.
/// @throws Error(kCorrupt) if the file is damaged
std::optional<StatisticsFile> statistics_beside(const std::filesystem::path& directory,
                                                const RunRecord& record);

}  // namespace grundy
