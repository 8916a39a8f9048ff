/// @file
/// What this process can use of the machine: processor, memory, disk.
///
/// Limits of control groups (containers, batch systems) count as much as the hardware. Everything
/// is read anew at every call; nothing is cached.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <grundy/team.hpp>

namespace grundy {

/// One level of cache of the first processor.
struct Cache {
  int level = 0;
  std::string type;  ///< `Data`, `Instruction` or `Unified`
  std::string size;  ///< as the kernel prints it: `48K`
};

/// The processor's name; `unknown` where the system does not tell.
std::string cpu_model();
std::vector<Cache> cpu_caches();
/// The number of processors of the machine, whether or not this process may use them.
std::uint64_t processors_of_machine();

/// Approximate bytes of code, libraries and buffers in a process at work, with those of MPI if it
/// is a rank of a team.
constexpr std::uint64_t process_bytes(const Team* team) noexcept {
  return (team != nullptr ? 27u : 12u) << 20;
}
/// Bytes that can be allocated without swapping: the least of the free memory of the machine and
/// of the room left in every control group this process is in.
std::uint64_t memory_available();

/// Bytes that may be written to the file system which holds (or would hold) `file`; 0 if its
/// directory does not exist.
std::uint64_t disk_available(const std::filesystem::path& file);

}  // namespace grundy
