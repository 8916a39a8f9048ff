/// @file
/// From the rule of a lattice game to a finished table; the counterpart of session.hpp.
///
/// A symmetric game is computed for sorted positions only, also where the whole box is to be
/// stored. Statistics, records and digest are taken in the order of entries (lattice/layout.hpp).
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include <grundy/lattice/rule.hpp>
#include <grundy/lattice/tile.hpp>
#include <grundy/progress.hpp>
#include <grundy/session.hpp>
#include <grundy/sink.hpp>

namespace grundy {

/// What to compute.
struct LatticeRequest {
  LatticeRule rule;
  LatticeShape shape;              ///< of the table
  std::filesystem::path output{};  ///< empty: no file
  std::string game{};              ///< as typed, for metadata
  std::string title{};             ///< for people; empty: the canonical notation
  std::string rules{};             ///< the moves in words, besides LatticeRule::describe()
  std::string reference{};         ///< where the game was defined or is treated
  std::string engine = "auto";
  std::string kernel = "auto";
  std::string backend = "tbb";     ///< `tbb` or `threads`
  std::size_t threads = 0;         ///< 0: all that this process may use
  std::uint32_t tile = 0;          ///< edge of the engine's tiles; 0: its choice
  std::uint64_t memory_limit = 0;  ///< bytes; 0: what the machine has free
  bool overwrite = false;          ///< replace an existing file
  bool force = false;              ///< the same, run although space is short, take over any lock
  bool reproducible = false;       ///< no times, no host, in the file
  std::string command_line{};      ///< for metadata
  CheckpointInterval checkpoint{};
};

/// P-positions that are listed in a file, at most.
inline constexpr std::uint64_t kMostListedPPositions = std::uint64_t{1} << 24;

/// Predicts without computing more than small tables of the same game.
/// @throws Error(kUsage) for a request that cannot be met
Prediction predict(const LatticeRequest& request);

/// Runs the request, or the rest of it if an earlier process has sealed a part. Without an output
/// the table is made in memory, for its statistics. `values`, if given, receives all entries in
/// their order, after the engine has ended; `narrate` and `control` are as in session.hpp.
/// @throws Error; what has been sealed stays and can be resumed
ComputeReport compute(const LatticeRequest& request, std::stop_token stop = {},
                      ProgressSink* progress = nullptr, BlockSink* values = nullptr,
                      const std::function<void(const std::string&)>& narrate = {},
                      CheckpointControl* control = nullptr);

/// The request that the run in `directory` carries out; nothing if there is none, or if it is one
/// of a single heap.
/// @throws Error(kCorrupt) if it is damaged
std::optional<LatticeRequest> lattice_request_of_run(const std::filesystem::path& directory);

}  // namespace grundy
