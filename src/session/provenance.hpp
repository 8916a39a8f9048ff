/// @file
/// Where a table comes from: program, libraries, machine, command and times, as one JSON object.
///
/// A reproducible table holds only what is the same in every run of the same build: no machine, no
/// command line, no times, except that SOURCE_DATE_EPOCH (reproducible-builds.org), if it is set,
/// is given as the time of creation.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <grundy/heap/engine.hpp>
#include <grundy/types.hpp>

#include "core/stopwatch.hpp"
#include "core/text.hpp"

namespace grundy {

/// When this life of a computation began, and where.
struct Life {
  std::string started = utc_now();
  Stopwatch time{};
  std::string begun{};      ///< when the first life began, if this is a later one
  HeapSize resumed_at = 0;  ///< heaps below this were sealed by earlier lives
  std::uint64_t ranks = 1;  ///< that share this life
};

/// @param threads of each rank
/// @param engines the engines that were at work in this life
std::string provenance_json(const std::string& command_line, bool reproducible, std::size_t threads,
                            const Life& life, const std::vector<EngineChoice>& engines = {});

}  // namespace grundy
