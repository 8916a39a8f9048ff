/// @file
/// Processes of this host, and whether one has ended. The start of a process tells it from a later
/// one with the same number. And what a program does with the memory of its own process.
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

/// Lets this process keep memory that it frees, up to 64 MiB for each thread, for arrays of up to
/// 32 MiB to come: the system clears every new page, and a virtual machine may take microseconds
/// for it. For programs; a library leaves the allocator to the process that it is a part of.
void keep_freed_memory() noexcept;

}  // namespace grundy
