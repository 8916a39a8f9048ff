/// @file
/// Where a table comes from: program, libraries, machine, command and times, as one JSON object.
///
/// A reproducible table holds only what is the same in every run of the same build: no machine, no
/// command line, no times, except that SOURCE_DATE_EPOCH (reproducible-builds.org), if it is set,
/// is given as the time of creation.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

namespace grundy {

/// The time now, as `2026-01-31T12:34:56Z`.
std::string utc_now();

/// @param started what utc_now() gave when the computation began
std::string provenance_json(const std::string& command_line, bool reproducible, std::size_t threads,
                            const std::string& started, double seconds);

}  // namespace grundy
