/// @file
/// Tables of several heaps in the formats of exporter.hpp.
// SPDX-License-Identifier: MIT
#pragma once

#include <grundy/table.hpp>

#include "table/exporter.hpp"

namespace grundy {

/// @pre the table is one of a lattice game
std::uint64_t export_lattice(const TableReader& table, ExportFormat format,
                             const ExportOptions& options, ByteOutput& out);

}  // namespace grundy
