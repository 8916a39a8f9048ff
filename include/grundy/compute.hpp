/// @file
/// One computation from a request to a finished table: the composition root of the library.
///
/// compute() picks engine and kernels, predicts memory and disk, refuses what does not fit, runs
/// the engine, watches for a period, fills the rest of the table once one is certified, collects
/// statistics and writes the file. With an output, finished values of games of heaps are sealed in
/// `FILE.run/` during the run, and a computation that was interrupted goes on from there. The
/// command is a thin layer over this.
///
///     const grundy::HeapGame kayles{grundy::HeapRule::parse("0.77"), 10'000'000};
///     grundy::compute({.game = kayles}, {.values = [](const grundy::Stretch& block) {
///       /* block.values[i] is the value of heap block.begin + i */
///       return grundy::Flow::kContinue;
///     }});
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <grundy/error.hpp>
#include <grundy/graph/file.hpp>
#include <grundy/heap/engine.hpp>
#include <grundy/hooks.hpp>
#include <grundy/period.hpp>
#include <grundy/request.hpp>
#include <grundy/statistics.hpp>
#include <grundy/stats.hpp>
#include <grundy/table.hpp>

namespace grundy {

/// What a computation will need. A member that is not known is not set.
struct Prediction {
  std::string engine;
  std::string kernel;
  std::size_t threads = 0;
  std::optional<std::uint64_t> memory_bytes{};  ///< an upper bound, unless memory_may_grow
  /// Late heaps may look farther back than the tried ones; the engine then keeps more values.
  bool memory_may_grow = false;
  std::uint64_t memory_available = 0;             ///< bytes, or what the request allows
  std::optional<std::uint64_t> disk_bytes{};      ///< at most; unset without an output
  std::optional<std::uint64_t> disk_available{};  ///< bytes; unset like disk_bytes
  std::optional<double> seconds{};                ///< estimated from a small part of the real game
  /// The part of `seconds` after the last value, in which a table is completed and read back; 0 if
  /// it is not known.
  double reading_seconds = 0;
  /// For a game of one heap: from two forecasts of its rare heaps. If one of them is more than four
  /// times the other, `seconds` is not set.
  std::optional<double> seconds_least{}, seconds_most{};
  std::optional<Nimber> max_value{};         ///< estimated from the same part
  PeriodReport period{};                     ///< of that part of a game of one heap
  std::optional<std::uint64_t> positions{};  ///< of a dense game on positions
  /// For a game on positions: the number that fits into memory_available.
  std::optional<std::uint64_t> positions_in_memory{};
  /// For a table that ranks share, on rank 0: bytes that the ranks send each other.
  std::optional<std::uint64_t> traffic_bytes{};
};

/// What a computation has found.
struct Report {
  bool complete = false;    ///< false: it was stopped, and no file was written
  HeapSize wanted = 0;      ///< the number of values of the run, in the order of its engine
  HeapSize sealed = 0;      ///< if it was stopped: how many of them are there to resume from
  HeapSize resumed_at = 0;  ///< the number of values that earlier lives had sealed
  std::filesystem::path run_directory{};  ///< where values are sealed; empty if nothing is kept
  TableInfo info;  ///< of games of heaps; after a stop, of what was computed until then
  std::size_t threads = 0;
  double seconds = 0;                 ///< of this process, without earlier lives
  double engine_seconds = 0;          ///< from the first value to the last, with all stages
  std::vector<EngineChoice> engines;  ///< for one heap: the engines that were at work, in order
  /// With stats_only; `sparse` also for a table, from the values that the engine `sparse` computed.
  HeapStatistics statistics;
  /// For a game of one heap without a table: the largest counted heap of value 0. Nothing if it is
  /// not known.
  std::optional<HeapSize> last_zero{};
  /// For a game on positions, once complete: the description of the table, and all rows.
  GraphFileInfo positions;
  GraphTable rows;
  std::uint64_t file_bytes = 0;
};

/// Who wins the positions of a game of one heap or several.
struct OutcomeReport {
  bool complete = false;          ///< false: it was stopped
  Layout layout;                  ///< what was asked for
  std::uint64_t entries = 0;      ///< entries of the layout that were looked at: all, if complete
  std::uint64_t p_positions = 0;  ///< the number of these entries that are P-positions
  std::vector<std::uint64_t> first;  ///< entry numbers of the first kMilestoneZeros P-positions
  std::optional<Digest128> digest;   ///< of the file (grundy/outcomes.hpp), if there is one
  std::string kernel;
  std::size_t threads = 0;
  double seconds = 0;
};

/// Predicts without computing more than a small part of the game.
/// @throws Error(kUsage) for a request that cannot be met, or whose output has no place
Prediction predict(const Request& request);

/// Runs the request, or the rest of it if an earlier process has sealed a part. Without an output
/// values go to the hook and are counted; a table of several heaps is then made in memory, and the
/// rows of a game on positions are in the report. The file is written complete and checked, or not
/// at all.
/// @throws Error(kUsage) for a request that cannot be met, Error(kFailure) if memory, disk or the
///   system fails or an engine of your own hands over other than it must, Error(kMismatch) if a
///   check finds a wrong value, Error(kCorrupt) if what an earlier process left is damaged; what
///   has been sealed stays and can be resumed
Report compute(const Request& request, const Hooks& hooks = {});

/// Finds the P-positions of the request, which is for a LatticeGame (lattice/outcomes.hpp) or for a
/// HeapGame (heap/outcomes.hpp), without values where that is faster. This reaches farther than
/// values, because it keeps no table. It uses the hooks `stop`, `progress` and `values`; `values`
/// gets 0 for a P-position and any other number for other positions.
/// With an output, a file of outcomes is written (grundy/outcomes.hpp), complete or not at all.
/// @throws Error(kUsage) for a game whose outcomes need its values, Error(kFailure) if memory is
///   short or the file cannot be written
OutcomeReport compute_outcomes(const Request& request, const Hooks& hooks = {});

/// Finds the P-positions of a request for a PositionGame; the last move loses if `misere` is set.
/// Positions are whole ones. They are found as for their values, which takes the time and the
/// memory of a table; the list alone is kept. With an output, a list is written
/// (grundy/graph/file.hpp). Nothing if the run was stopped.
/// @throws Error as compute(), and Error(kUsage) for other games and for positions that are
///   replaced by components
std::optional<PPositions> compute_p_positions(const Request& request, const Hooks& hooks = {});

/// The request that the run in `directory` carries out.
/// @throws Error(kCorrupt) if it is damaged, Error(kUsage) if it is no run or has sealed nothing
Request request_of_run(const std::filesystem::path& directory);

/// Computes heaps of a game of one heap until a period is proved or the last one is reached,
/// without a table. Where a mixed pattern is proved (PeriodReport::mixed) there is no period, and a
/// run without an output ends there. In the report, `info.period` is what is known, and
/// `info.stats.count` is the number of heaps that were computed. With an output, a file of
/// statistics, the run is sealed and can be resumed. Without one, a run that is too long for the
/// memory of the engine seals its states in a temporary directory. The request is for a HeapGame,
/// whose `at_period` and `stats_only` are ignored.
/// @throws Error as compute(), and Error(kUsage) for other games
Report search_period(const Request& request, const Hooks& hooks = {});

/// The value of the start position alone.
struct RootReport {
  Nimber value = 0;
  std::string engine{};        ///< of the table; or `search`, or `theorem`
  std::string proof{};         ///< what proves the value, as a clause
  std::uint64_t searched = 0;  ///< GraphSearch::searched(), of this process; of a table its rows
  std::uint64_t known = 0;     ///< GraphSearch::known() at the end; of a table its rows
  std::uint64_t recalled = 0;  ///< the components that earlier lives of a search have made known
  double seconds = 0;          ///< of this process
  std::uint64_t all_searched = 0;  ///< of all lives, of earlier ones until their last seals
  double all_seconds = 0;          ///< likewise
};

/// Finds the value of the start position. With the engine `auto` this is done by a theorem of the
/// game, by the table of a numbered game, or else by search (GraphSearch). Returns nothing if it
/// was stopped. It uses the hooks `stop`, `progress` and `control`. With an output, the result is
/// written as JSON. Meanwhile, and when it is stopped, a search seals what it has learnt in
/// `FILE.run/`, and the next search for the same output begins with that.
/// @throws Error(kFailure) at the limit of memory or if nothing can be written, Error(kUsage) for
///   requests of other games than a PositionGame, misère play, unknown engines and an output that
///   cannot be, Error(kCorrupt) if what is sealed is damaged
std::optional<RootReport> compute_root(const Request& request, const Hooks& hooks = {});

/// What compute_root() will need, as predict(): its `engine` may also be `search`, of which neither
/// positions nor memory are known before, or `theorem`, which needs neither.
/// @throws Error as predict()
Prediction predict_root(const Request& request);

}  // namespace grundy
