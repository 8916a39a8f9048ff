/// @file
/// A file of statistics that answers for all heaps: it has the last values only, and others are
/// computed again from the states of its run, which stands beside it.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <memory>

#include <grundy/table.hpp>

namespace grundy {

/// Reads the last values from the file. A value that is not there costs the heaps from the last
/// state before it on; the values behind it are kept, so that neighbours cost nothing. For one
/// thread at a time.
///
/// Values are read with Error(kUsage) if the run is not there, Error(kCorrupt) if it is damaged or
/// of another game.
/// @throws Error as read_statistics()
std::unique_ptr<TableReader> open_with_run(const std::filesystem::path& statistics);

}  // namespace grundy
