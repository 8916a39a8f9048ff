/// @file
/// Admission: whether what a request needs is there.
///
/// The figures come from a trial: the same engine runs the same game on a short prefix. Time grows
/// with the exponent that the trial shows, the largest value likewise, and the file is as
/// compressible as the end of the prefix. Beside the file there are the sealed values of the run. A
/// period that is certified in the trial makes memory constant. A trial is a small fraction of the
/// work, and small requests need none.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>

#include "session/setup.hpp"

namespace grundy {

/// The prediction, unless the request is so small that it needs none.
/// Heaps below `sealed` are in the run directory already.
/// @throws Error(kFailure) with the figures if memory or disk will not do
std::optional<Prediction> admit(const Setup& setup, std::stop_token stop, HeapSize sealed = 0);

/// Bytes of a file of `count` values none of which exceeds `maximum`, besides the values.
std::uint64_t metadata_bytes(Nimber maximum, HeapSize count, HeapSize chunk) noexcept;

/// @throws Error(kFailure) with the figures if there is less than what is needed
void require_space(const Prediction& needs);

/// What will be done with what, for a person.
std::string prediction_sentence(const Prediction& needs);

}  // namespace grundy
