/// @file
/// One computation from a rule to a finished table: the composition root of the library.
///
/// compute() picks engine and kernels, predicts memory and disk and refuses what does not fit, runs
/// the engine, watches for a period, fills the rest of the table once one is certified, collects
/// statistics and writes the file. With an output, finished values are sealed in `FILE.run/` as it
/// goes, and a computation that was interrupted goes on from there. The command is a thin layer
/// over this.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <grundy/checkpoint.hpp>
#include <grundy/heap/engine.hpp>
#include <grundy/heap/rule.hpp>
#include <grundy/progress.hpp>
#include <grundy/sink.hpp>
#include <grundy/table.hpp>

namespace grundy {

/// What to compute.
struct ComputeRequest {
  HeapRule rule;
  HeapSize last = 0;               ///< the largest heap, below 2^48; the table has last + 1 values
  std::filesystem::path output{};  ///< empty: no file
  std::string game{};              ///< as typed, for metadata
  std::string title{};             ///< for people; empty: the canonical notation
  std::string engine = "auto";     ///< see select_heap_engine()
  std::string kernel = "auto";     ///< a name that `grundy cpu-info` lists
  std::string backend = "tbb";     ///< `tbb` or `threads`
  std::size_t threads = 0;         ///< 0: all that this process may use
  HeapSize block = 0;              ///< heaps per block; 0: the engine's choice
  HeapSize chunk = 1u << 17;       ///< values per chunk of the file: a power of two up to 2^18
  std::uint64_t memory_limit = 0;  ///< bytes; 0: what the machine has free
  bool overwrite = false;          ///< replace an existing file
  bool force = false;              ///< the same, run although space is short, take over any lock
  bool extend = true;              ///< stop computing once a period is certified
  /// Keep no table: statistics only, at every power of two. Memory is constant with the engine
  /// `sparse`; what a period needs to be found is then missing beyond its window.
  bool stats_only = false;
  bool reproducible = false;   ///< no times, no host, in the file
  std::string command_line{};  ///< for metadata
  CheckpointInterval checkpoint{};
  bool change_range = false;  ///< a run that was begun for another range takes this one
  /// A shorter table of the same game whose values a new run begins with; empty: none.
  std::filesystem::path base{};
};

/// What a computation needs, before it runs.
struct Prediction {
  std::string engine;
  std::string kernel;
  std::size_t threads = 0;
  std::uint64_t memory_bytes = 0;  ///< at most
  std::uint64_t disk_bytes = 0;    ///< at most; 0 without an output, like what is available
  std::uint64_t memory_available = 0;
  std::uint64_t disk_available = 0;
  double seconds = 0;    ///< estimated from a short prefix of the real game
  Nimber max_value = 0;  ///< of the table, extrapolated from that prefix
  PeriodReport period;   ///< of that prefix
};

/// Heaps of value 0 that a statistics-only run lists, at most.
inline constexpr std::size_t kMilestoneZeros = 1024;
/// Rare heaps that it lists, at most, and last values that it keeps.
inline constexpr std::size_t kMilestoneRare = 1u << 16;
inline constexpr std::size_t kTailValues = 1024;

/// What came out.
struct ComputeReport {
  bool complete = false;                  ///< false: it was stopped, and no file was written
  HeapSize sealed = 0;                    ///< if it was stopped: heaps below can be resumed
  std::filesystem::path run_directory{};  ///< where; empty without an output
  TableInfo info;                         ///< if it was stopped: of what was computed until then
  std::size_t threads = 0;
  double seconds = 0;                  ///< the whole
  double engine_seconds = 0;           ///< the engine alone
  std::vector<EngineChoice> engines;   ///< that were at work, in order
  std::optional<SparseFacts> sparse;   ///< of the values that were computed by the engine `sparse`
  std::vector<TableStats> milestones;  ///< stats_only: of heaps 0 .. 2^k - 1, for every k
  /// stats_only: heaps of value 0, the first kMilestoneZeros of them.
  std::vector<HeapSize> zeros;
  /// stats_only, engine `sparse`: the first kMilestoneRare rare heaps of sparse->rare.
  std::vector<HeapSize> rare_heaps;
  std::vector<Nimber> tail;  ///< stats_only: values of the last kTailValues heaps
  std::uint64_t file_bytes = 0;
};

/// Predicts without computing more than a short prefix.
/// @throws Error(kUsage) for a request that cannot be met
Prediction predict(const ComputeRequest& request);

/// Runs the request, or the rest of it if an earlier process has sealed a part. Every finished
/// block is also handed to `values` if it is given; `narrate` receives sentences for the user
/// (engine chosen and why, period found). Through `control` another thread may have values sealed
/// and learn how far they are.
/// @throws Error; what has been sealed stays and can be resumed
ComputeReport compute(const ComputeRequest& request, std::stop_token stop = {},
                      ProgressSink* progress = nullptr, BlockSink* values = nullptr,
                      const std::function<void(const std::string&)>& narrate = {},
                      CheckpointControl* control = nullptr);

/// The request that the run in `directory` carries out.
/// @throws Error(kCorrupt) if it is damaged, Error(kUsage) if it is none or has sealed nothing
ComputeRequest request_of_run(const std::filesystem::path& directory);

/// Runs the request's engine until a period is certified or its last heap is reached; keeps
/// nothing. Nothing is returned if it was stopped before.
/// @throws Error
std::optional<PeriodReport> search_period(const ComputeRequest& request, std::stop_token stop = {},
                                          ProgressSink* progress = nullptr);

}  // namespace grundy
