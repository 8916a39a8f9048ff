/// @file
/// A file of statistics that answers for all heaps. It holds the last values only; other values are
/// computed again from the states of its run, which stands beside it.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include <grundy/table.hpp>

namespace grundy {

/// Opens the file. The last values are read from it, and the newest values before a state from its
/// run. Any other value costs the heaps from the last state before it on; the values behind it are
/// kept, so that its neighbours cost nothing. The reader is for one thread at a time.
///
/// Reading values throws Error(kUsage) if the run is not there, and Error(kCorrupt) if it is
/// damaged or of another game.
/// @param narrate hears how many heaps are to be computed again, if it takes more than a moment
/// @throws Error as read_statistics()
std::unique_ptr<TableReader> open_with_run(const std::filesystem::path& statistics,
                                           std::function<void(const std::string&)> narrate);

}  // namespace grundy
