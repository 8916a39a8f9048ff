/// @file
/// What a file of this program holds.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include <grundy/error.hpp>

namespace grundy {

enum class FileKind {
  kTable,             ///< values of heaps, or of positions of a lattice game
  kPositions,         ///< positions of a game on positions
  kAtlas,             ///< a family of games
  kStatistics,        ///< statistics of heaps, without their values
  kCensus,            ///< the periods of a family of subtraction sets
  kOutcomes,          ///< the P-positions of a game of heaps
  kPPositions,        ///< the P-positions of a game on positions
  kRuleCensus,        ///< facts about a rule of several heaps with each set of a family of vectors
  kGenera,            ///< genera of heaps in misère play
  kMaster,            ///< a table of a lattice game whose values are in other files, its parts
  kPart,              ///< one of these parts
  kLatticeStatistics  ///< statistics of positions of a lattice game, without their values
};

/// The kind of a file. Reads only what tells the kind.
/// @throws Error(kUsage) if there is no such file or it cannot be opened;
///   kCorrupt if this program wrote no such file
FileKind kind_of(const std::filesystem::path& path);

}  // namespace grundy
