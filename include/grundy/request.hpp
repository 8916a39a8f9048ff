/// @file
/// What is to be computed: a game with its range, the means, and where the table goes.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <variant>

#include <grundy/checkpoint.hpp>
#include <grundy/games.hpp>
#include <grundy/graph/graph_game.hpp>
#include <grundy/heap/rule.hpp>
#include <grundy/lattice/rule.hpp>
#include <grundy/lattice/tile.hpp>
#include <grundy/machine.hpp>
#include <grundy/team.hpp>
#include <grundy/types.hpp>

namespace grundy {

class HeapEngine;
class LatticeEngine;
class GraphEngine;

/// What a run of a game of one heap does once its period is proved.
enum class AtPeriod {
  kExtend,   ///< stops computing: the other values follow from the period
  kCompute,  ///< computes the other values all the same
  kEnd       ///< ends and says nothing of larger heaps; only for a run that keeps no table
};

/// Heaps 0 .. last of a game of one heap.
struct HeapGame {
  HeapRule rule;
  HeapSize last = 0;  ///< the largest heap, below 2^48; the table has last + 1 values
  AtPeriod at_period = AtPeriod::kExtend;
  /// Keep no table: statistics only, at every power of two. Memory is constant with the engine
  /// `sparse`, and a return of the newest values proves a period: without an output, states are
  /// sealed in a temporary directory for that, unless the hook `values` takes all values.
  bool stats_only = false;
  /// An engine of your own, in place of Machine::engine; it must outlive the run. No other engine
  /// may have its name. The same holds for the other two kinds of games.
  const HeapEngine* engine = nullptr;
  /// The player who cannot move wins. Only for compute_outcomes() and compute_genera(): values of
  /// misère play do not add up.
  bool misere = false;

  /// The moves in words, and who wins where there is no move.
  [[nodiscard]] std::string describe() const;
};

/// All positions of a game of several heaps in a shape.
struct LatticeGame {
  LatticeRule rule;
  LatticeShape shape{};  ///< of the table; a sorted one needs a symmetric rule
  /// Make no table, in memory or as a file: count the values as they come, in the memory of the
  /// engine. Nothing else receives the values. An output receives the statistics
  /// (LatticeStatistics), and states of the run are sealed beside it.
  bool stats_only = false;
  const LatticeEngine* engine = nullptr;  ///< of your own
};

/// Every position of a game that is reached from its start. `game` comes from the catalogue
/// (resolve_game()) or is your own (make_graph_game()), and is not null.
struct PositionGame {
  std::shared_ptr<const GraphGame> game;
  /// Also the misère values, which say who wins when the last move loses. They do not add up, so
  /// the game must not be split into components.
  bool misere = false;
  const GraphEngine* engine = nullptr;  ///< of your own
};

/// What a table says of its game to people. Empty texts are left out, or made from the rule.
struct GameDescription {
  std::string game{};       ///< as typed; a game of the catalogue is found again by it
  std::string title{};      ///< by default the canonical notation
  std::string rules{};      ///< the moves in words, besides those that the rule itself tells
  std::string reference{};  ///< where the game was defined or is treated
  std::string positions{};  ///< for a game on positions: how they are written

  /// What is known of a game that was found by the text `typed`.
  /// @param misere_heap a game of one heap in misère play; other games tell it themselves
  static GameDescription of(const AnyGame& game, std::string typed, bool misere_heap = false);

  /// The moves in words: `rules` and then `of_rule`, which the rule itself tells.
  [[nodiscard]] std::string moves(const std::string& of_rule) const;
};

/// Where the table goes, and how it comes about.
struct Output {
  std::filesystem::path path{};  ///< empty: no file
  bool overwrite = false;        ///< replace an existing file
  bool reproducible = false;     ///< no times, no host, in the file
  /// For a game of two heaps that ranks can share: the values lie in files of their own, one part
  /// for each stripe, which the ranks write side by side; `path` opens as one table.
  bool in_parts = false;
  std::string command_line{};  ///< for metadata
  /// Values per chunk of a file of heaps: a power of two up to 2^18.
  HeapSize chunk = 1u << 17;
  bool adjacency = false;  ///< for a game on positions: also write the options of each
  CheckpointInterval checkpoint{};
  /// What a new run of one heap begins with: a shorter table of the same game or, with
  /// HeapGame::stats_only, a file of its statistics that holds a state. Empty: nothing.
  std::filesystem::path base{};
  bool change_range = false;  ///< a run that was begun for another last heap takes the new one
};

/// What to compute.
struct Request {
  std::variant<HeapGame, LatticeGame, PositionGame> game;
  GameDescription about{};
  Machine machine{};
  Output output{};
  /// Run although memory or disk is short, take over any lock, drop sealed values beyond the last.
  bool force = false;
  /// The hook `values` keeps in memory what it receives. So that memory must be there, too.
  bool keeps_values = false;
  /// Ranks that are given the same request and share its work; null: this rank is alone. They share
  /// games of one heap with the engine `dense` (HeapEngine::is_shared()), and games of two heaps
  /// with the engine `wavefront` (LatticeEngine::stripes()). Rank 0 has the output, the hooks and
  /// the report. Other ranks use the hook `stop` only, and report `complete` only.
  Team* team = nullptr;
};

}  // namespace grundy
