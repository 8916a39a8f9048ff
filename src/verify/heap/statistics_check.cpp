/// @file
/// Checks a file of statistics. It holds no values, so its parts are compared with each other and
/// with the states of its run, whose values can be proved.
// SPDX-License-Identifier: MIT
#include "verify/heap/statistics_check.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/file_kind.hpp>
#include <grundy/statistics.hpp>
#include <grundy/verify.hpp>

#include "run/run_directory.hpp"
#include "session/run_state.hpp"
#include "verify/heap/state_check.hpp"

namespace grundy {
namespace {

/// Whether both lists agree at every power of two that both have.
bool agree(const std::vector<TableStats>& some, const std::vector<TableStats>& others) {
  const auto common = static_cast<std::ptrdiff_t>(std::min(some.size(), others.size()));
  return std::equal(some.begin(), some.begin() + common, others.begin());
}

/// The first difference of the file from the state, as a clause; empty if there is none.
std::string difference(const StatisticsFile& file, const RunState& state) {
  if (file.info.stats.count < state.stats.count) return "ends before the last seal of its run";
  if (file.info.stats.count == state.stats.count && file.info.stats != state.stats) {
    return "has other statistics than the last seal of its run";
  }
  if (!agree(file.statistics.milestones, state.statistics.milestones)) {
    return "has other statistics at powers of two than its run";
  }
  // The last state itself is added to the list when the file is written.
  const auto& seals = state.statistics.seals;
  if (seals.size() > file.statistics.seals.size() ||
      !std::equal(seals.begin(), seals.end(), file.statistics.seals.begin())) {
    return "has other digests at its seals than its run";
  }
  return {};
}

/// The state at the end of the run. A short run has sealed values instead, which are counted.
RunState last_state(const std::filesystem::path& directory, const RunContents& run) {
  const Segment& last = run.segments.back();
  if (keeps_states(run)) return parse_run_state(read_state_text(last), last.header.end());
  RunState state;
  state.stats = stored_info(directory).stats;
  return state;
}

}  // namespace

std::optional<StatisticsFile> statistics_beside(const std::filesystem::path& directory,
                                                const RunRecord& record) {
  const std::filesystem::path path = directory.parent_path() / directory.stem();
  std::error_code error;
  // False if the file was renamed. A directory that was typed need not be an absolute path.
  const bool is_beside = std::filesystem::equivalent(run_directory_for(path), directory, error);
  if (!record.stats_only || !is_beside || !std::filesystem::is_regular_file(path, error) ||
      kind_of(path) != FileKind::kStatistics) {
    return std::nullopt;
  }
  StatisticsFile file = read_statistics(path);
  if (file.info.canonical != record.rule) return std::nullopt;
  return file;
}

std::filesystem::path run_of_statistics(const std::filesystem::path& path) {
  const StatisticsFile file = read_statistics(path);
  std::filesystem::path directory = run_directory_for(path);
  if (!std::filesystem::is_directory(directory)) {
    throw Error(ErrorCode::kUsage,
                fmt::format("'{}' agrees with itself, but it holds statistics and no values, and "
                            "the directory of its run, '{}', is not there; verify that, or a table",
                            path.string(), directory.string()));
  }
  const RunContents run = read_run(directory);
  if (run.segments.empty() || run.record->rule != file.info.canonical) {
    throw Error(ErrorCode::kMismatch,
                fmt::format("'{}' is not the run of '{}'", directory.string(), path.string()));
  }
  const std::string clause = difference(file, last_state(directory, run));
  if (!clause.empty()) {
    throw Error(ErrorCode::kMismatch, fmt::format("'{}' {}", path.string(), clause));
  }
  return directory;
}

}  // namespace grundy
