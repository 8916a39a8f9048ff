/// @file
/// Pictures of tables, drawn by the Python scripts that are installed with the command.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include <grundy/table.hpp>

namespace grundy::cli {

/// Draws a table of one or several heaps into a new file. Returns whether it could: the scripts, a
/// Python and the modules that they import may be missing.
bool draw_table(const TableInfo& info, const std::filesystem::path& table,
                const std::filesystem::path& picture);

}  // namespace grundy::cli
