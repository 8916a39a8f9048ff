/// @file
/// One computation from the name of a game to a finished table of positions.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include <grundy/graph/file.hpp>
#include <grundy/progress.hpp>

namespace grundy {

/// What to compute.
struct GraphRequest {
  std::string game;  ///< `cram:5x6`
  Reduction reduction = Reduction::kComponents;
  bool misere = false;
  bool adjacency = false;          ///< also write the options of every position
  std::filesystem::path output{};  ///< empty: no file
  std::string engine = "auto";
  std::string kernel = "auto";
  std::string backend = "tbb";
  std::size_t threads = 0;         ///< 0: all that this process may use
  std::uint64_t memory_limit = 0;  ///< bytes; 0: what the machine has free
  bool force = false;              ///< overwrite
  bool reproducible = false;       ///< no times, no host, in the file
  std::string command_line{};      ///< for metadata
};

/// What a computation needs, as far as it is known before it runs.
struct GraphPrediction {
  std::string engine, kernel;
  std::size_t threads = 0;
  std::optional<std::uint64_t> positions{};  ///< known for dense games only
  std::uint64_t memory_limit = 0;            ///< bytes, also if the request left it open
  std::uint64_t memory_bytes = 0;            ///< for `positions`; 0 if they are not known
  std::uint64_t positions_in_memory = 0;     ///< how many fit into memory_limit
};

/// What came out.
struct GraphReport {
  bool complete = false;  ///< false: it was stopped, and no file was written
  GraphFileInfo info;
  std::size_t threads = 0;
  double seconds = 0;  ///< the whole
  double engine_seconds = 0;
  std::uint64_t file_bytes = 0;
};

/// Predicts without computing.
/// @throws Error(kUsage) for a request that cannot be met
GraphPrediction predict(const GraphRequest& request);

/// Runs the request; `narrate` receives sentences for the user. The file is written complete and
/// checked, or not at all.
/// @throws Error(kUsage) for a request that cannot be met, Error(kFailure) at the limit of memory,
/// for a game that breaks its contract, or if writing fails
GraphReport compute(const GraphRequest& request, std::stop_token stop = {},
                    ProgressSink* progress = nullptr,
                    const std::function<void(const std::string&)>& narrate = {});

/// The value of the start position alone.
struct RootReport {
  Nimber value = 0;
  std::uint64_t looked_at = 0;  ///< components about which something was learnt
  double seconds = 0;
};

/// Finds it by search (GraphSearch); nothing if it was stopped.
/// @throws Error(kUsage) for a request that cannot be met, Error(kFailure) at the limit of memory
std::optional<RootReport> compute_root(const GraphRequest& request, std::stop_token stop = {});

}  // namespace grundy
