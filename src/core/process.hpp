/// @file
/// Processes of this host, and whether one has ended. The start of a process tells it from a later
/// one with the same number.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace grundy {

/// The name of this host; `unknown` if it has none.
std::string host_name();

/// When a process of this host began, in clock ticks since the machine started; 0 if there is no
/// such process, or if the system does not say.
std::uint64_t start_of_process(long process);

/// Whether the process of this host with that number and start is gone. In doubt it is not.
bool has_ended(long process, std::uint64_t start);

}  // namespace grundy
