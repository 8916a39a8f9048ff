/// @file
/// Admission: whether a request has the memory and the disk that it needs.
///
/// The figures come from a trial on a small part of the work. Small requests need no trial.
///
/// - One heap: the same engine runs the same game on a prefix, for a second at most; see
///   heap_trial.hpp. The largest value grows as in the trial, and the file is as compressible as
///   the end of the prefix. A period that is certified in the trial makes memory constant.
/// - Several heaps: small tables of the same game show how the time and the largest value grow; see
///   lattice_forecast.hpp. No value takes more bits on disk than the largest one.
/// - Positions: only a dense game tells how many there are.
///
/// Besides the file, the run needs space for its sealed values.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>

#include <grundy/compute.hpp>

#include "run/sealed_heaps.hpp"
#include "session/setup.hpp"

namespace grundy {

/// A trial is at most the whole divided by this; twice as much of games whose heaps cost more and
/// more.
inline constexpr std::uint64_t kTrialShare = 16;

/// What every prediction says of the machine.
Prediction prediction_on(const MadeMachine& machine, std::string engine);

/// The prediction, unless the request is so small that it needs none or `stop` came first.
/// @param earlier what the run directory holds already; null: nothing
/// @param place where the output lies
/// @throws Error(kFailure) with the figures if memory or disk is short, unless the request has
///   `force`
std::optional<Prediction> admit(const HeapSetup& setup, std::stop_token stop,
                                const SealedHeaps* earlier = nullptr,
                                const OutputPlace& place = {});
std::optional<Prediction> admit(const LatticeSetup& setup, std::stop_token stop);

/// Admits a rank other than 0, which needs memory only.
void admit_rank(const HeapSetup& setup, std::stop_token stop);

/// @throws Error(kFailure) with the figures, in bytes, and the advice if less is available than
///   needed
void require(const char* what, std::uint64_t needed, std::uint64_t available, const char* advice);

/// The time of a prediction for a person: one figure, or two bounds, or that it is not known.
std::string time_text(const Prediction& needs);
/// The memory of a prediction for a person.
std::string memory_text(const Prediction& needs);

/// Tells a person what will be done and with what, if there is a prediction and it takes some time.
void tell(const std::optional<Prediction>& needs, const Hooks& hooks);

}  // namespace grundy
