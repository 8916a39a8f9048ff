/// @file
/// Proves a run that keeps no table, seal by seal.
///
/// Between two seals the values are a function of the first state alone. So each interval is
/// computed again from the state before it, with other kernels or threads if one likes. The result
/// is compared with the state at its end: the newest values, the statistics, and the digest of all
/// values so far. The intervals are independent of each other: machines can share them, in any
/// order, and together they prove the whole. The first interval begins with heap 0 and ends at the
/// first state. The machine that proves the interval of the last heap that the proof of the claimed
/// period needs also proves the period (state_period.hpp).
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

#include <grundy/statistics.hpp>
#include <grundy/verify.hpp>

#include "run/run_directory.hpp"
#include "verify/work.hpp"

namespace grundy {

/// Whether the last sealed segment of a run is a state.
bool keeps_states(const RunContents& run) noexcept;

/// What the last state says of the heaps below it, with the period that the run claims, as the file
/// of statistics would if the run ended there. @pre keeps_states(run)
/// @throws Error(kCorrupt) if the last state is damaged
StatisticsFile statistics_of_states(const std::filesystem::path& directory, const RunContents& run);

/// The approximate cost of computing a heap again, in a unit of its own. @pre keeps_states(run)
std::function<std::uint64_t(HeapSize)> cost_of_states(const RunContents& run);

/// Verifies the intervals that the request asks for: all (kFull), those that end in the range
/// (kRange), or random ones as long as there is time (kSamples). All segments are compared with
/// their digests in any case. The period is proved unless the request is for a range in which its
/// proof does not end.
/// @pre keeps_states(run). @throws Error(kCorrupt) if a segment is damaged, Error(kUsage) for an
/// engine that computes no intervals
VerifyReport verify_states(const Work& work, const RunContents& run);

/// The time and memory that verify_states() needs; nothing if it was stopped. Conditions as there.
std::optional<Prediction> predict_states(const Work& work, const RunContents& run);

}  // namespace grundy
