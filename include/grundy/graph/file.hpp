/// @file
/// A table of positions on disk. The format is specified in src/table/README.md.
///
/// A reader trusts nothing: the whole file is compared with its digest before it is decoded, and a
/// damaged, foreign or incomplete file is an Error(kCorrupt), never a wrong value. Digests are no
/// signatures, though: only verify() proves what rows say of a game, and that their keys are
/// positions of it.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <grundy/error.hpp>
#include <grundy/graph/table.hpp>

namespace grundy {

/// What was computed, how and by whom.
struct GraphFileInfo {
  std::string game;  ///< as the user typed it; it names the game for good
  std::string title, rules, reference;
  std::string positions;  ///< how positions are written
  Reduction reduction = Reduction::kComponents;
  std::string engine, kernel;
  GraphStats stats;
  Nimber root_value = 0;
  std::string provenance_json;

  friend bool operator==(const GraphFileInfo&, const GraphFileInfo&) = default;
};

/// `none`, `symmetry`, `components`.
constexpr std::string_view to_string(Reduction reduction) noexcept {
  return reduction == Reduction::kNone       ? "none"
         : reduction == Reduction::kSymmetry ? "symmetry"
                                             : "components";
}
/// The inverse. @throws Error(kUsage)
Reduction parse_reduction(std::string_view name);

/// A file, read as a whole.
struct GraphFile {
  GraphFileInfo info;
  GraphTable table;
  std::vector<std::uint8_t> outcomes;       ///< of each row: 1 for a P-position, else 0
  std::optional<GraphAdjacency> adjacency;  ///< if it was asked for when the table was computed
};

/// The P-positions of a game, without values.
struct PPositions {
  /// `stats` counts all positions of the game, but its p_positions counts the list, and its digest
  /// is of the keys of the list. Positions are whole, so `reduction` is not kComponents. root_value
  /// is 0 for a P-position and 1 for an N-position.
  GraphFileInfo info;
  bool misere = false;  ///< the last move loses; in a file, the title says so
  /// The list. Values and numbers of moves are not known: the columns hold zeros.
  GraphTable list;
};

/// Writes the file complete and checked, or not at all. @throws Error as write_graph_file()
void write_p_positions(const std::filesystem::path& path, const PPositions& outcomes,
                       bool overwrite, bool reproducible);

/// @param memory_limit bytes for what is read; unset: no limit
/// @throws Error as read_graph_file()
PPositions read_p_positions(const std::filesystem::path& path,
                            std::optional<std::uint64_t> memory_limit = {});

/// Whether a table of positions has misère values beside those of normal play.
/// @throws Error(kCorrupt) if it is damaged, Error(kUsage) if it is of another kind
bool has_misere_values(const std::filesystem::path& path);

/// Writes the file complete and checked, or not at all.
/// @param adjacency may be null
/// @throws Error(kUsage) if `path` exists and may not be overwritten, Error(kFailure) if writing
/// fails
void write_graph_file(const std::filesystem::path& path, const GraphFileInfo& info,
                      const GraphTable& table, const GraphAdjacency* adjacency, bool overwrite,
                      bool reproducible);

/// @param memory_limit bytes for what is read; unset: no limit
/// @throws Error(kCorrupt), Error(kUsage) if there is no such file or it is of another kind, or
/// Error(kFailure) at the limit of memory
GraphFile read_graph_file(const std::filesystem::path& path,
                          std::optional<std::uint64_t> memory_limit = {});

}  // namespace grundy
