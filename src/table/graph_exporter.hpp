/// @file
/// Tables of positions in the formats that other programs read.
///
/// - `csv`: one line a position: key, position, value, outcome, options, layer, and the misère
/// value
///   if there is one.
/// - `json`: the same, with the options of each position as lists of rows.
/// - `dot`: the graph for Graphviz, P-positions filled red and N-positions green, each with its
///   value, layers from the top. An option that is a sum of several positions is a small `+` with
///   an edge to each of them, and one that is nothing at all an edge to `0`.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

#include <grundy/graph/file.hpp>

#include "table/byte_output.hpp"

namespace grundy {

enum class GraphExportFormat { kCsv, kJson, kDot };

/// `csv`, `json` or `dot`. @throws Error(kUsage) for anything else
GraphExportFormat parse_graph_export_format(std::string_view name);

/// Pictures of more positions than this are refused.
inline constexpr std::uint64_t kMostDrawn = 5000;

/// Writes the table to `out`, without committing it.
/// @param adjacency needed for json and dot; may be null for csv
/// @throws Error(kUsage) if a picture would have more than kMostDrawn positions
void export_graph(const GraphFile& file, const GraphGame& game, const GraphAdjacency* adjacency,
                  GraphExportFormat format, ByteOutput& out);

}  // namespace grundy
