/// @file
/// The commands for games on positions and for tables of positions.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <grundy/games.hpp>
#include <grundy/graph/file.hpp>

#include "cli/console.hpp"
#include "cli/run_options.hpp"

namespace grundy::cli {

/// Options of `compute` for games on positions only.
struct GraphOptions {
  std::string reduce;
  bool misere = false;
  bool adjacency = false;
  bool root = false;
};
std::vector<Option> graph_options(GraphOptions& options);

/// Options of `compute` for games of every kind.
struct OutputOptions {
  std::string file;
  bool force = false;
  bool dry_run = false;
  bool reproducible = false;
};

/// Which positions count, for people.
const char* reduction_words(Reduction reduction);
/// How positions are written, if a file says so.
void print_notation(Console& console, const GraphFileInfo& info);

/// `compute`. Returns the exit code.
int compute_graph(Console& console, const AnyGame& game, const RunOptions& machine,
                  const GraphOptions& graph, bool outcomes, const OutputOptions& output);
/// `resume` of a directory that is_search_run(). Returns the exit code.
int resume_root(Console& console, const std::string& directory, const RunOptions& machine,
                bool force);
/// `info` of such a directory, and of a file that is_root_file().
int info_search(Console& console, const std::string& directory);
int info_root(Console& console, const std::string& file);
/// `info`, `query` of a file of FileKind::kPositions.
int info_graph(Console& console, const std::string& file);
int query_graph(Console& console, const std::string& file,
                const std::vector<std::string>& positions);

}  // namespace grundy::cli
