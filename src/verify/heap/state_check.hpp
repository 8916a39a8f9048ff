/// @file
/// Proves a run that keeps no table, seal by seal.
///
/// Between two seals the values are a function of the first state alone. So each interval is
/// computed again from the state before it, by other kernels or with other threads if one likes,
/// and what comes out is compared with the state behind it: the newest values, the statistics, and
/// the digest of all values so far. The intervals are independent of each other: machines share
/// them, in any order, and together they prove the whole. The first interval begins with heap 0 and
/// ends at the first state. The period that the run claims is proved by whoever proves the interval
/// of the last heap that its proof needs (state_period.hpp).
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

#include <grundy/verify.hpp>

#include "run/run_directory.hpp"
#include "verify/work.hpp"

namespace grundy {

/// Whether what a run has sealed ends in a state.
bool keeps_states(const RunContents& run) noexcept;

/// What is known of the run, with the period that it claims. @pre keeps_states(run)
TableInfo info_of_states(const std::filesystem::path& directory, const RunContents& run);

/// What computing a heap again costs, about, in a unit of its own. @pre keeps_states(run)
std::function<std::uint64_t(HeapSize)> cost_of_states(const RunContents& run);

/// Verifies the intervals that the request is for: all (kFull), those that end in the range
/// (kRange), or one at random after the other as long as there is time (kSamples).
/// All segments are compared with their digests in any case. The period is proved unless the
/// request is for a range in which its proof does not end.
/// @pre keeps_states(run). @throws Error(kCorrupt) if a segment is damaged, Error(kUsage) for an
/// engine that computes no intervals
VerifyReport verify_states(const Work& work, const RunContents& run);

/// What that needs; nothing if it was stopped. The same conditions.
std::optional<Prediction> predict_states(const Work& work, const RunContents& run);

}  // namespace grundy
