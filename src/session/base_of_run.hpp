/// @file
/// What a run of one heap begins with if it extends a finished file: a table, or the statistics of
/// a run that kept no table.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <stop_token>

#include "run/sealed_values.hpp"
#include "session/setup.hpp"

namespace grundy {

/// Seals what the file `base` holds of the heaps of the game, as if an earlier life had found it. A
/// table gives its chunks as they are and, if it holds a state, its last values as a state.
/// Statistics give the values that later heaps need, as a state.
/// @pre sealed.frontier() == 0
/// @throws Error(kCorrupt) if the file is damaged or of another game, Error(kUsage) if the
///   statistics have a period or no state, if the engine cannot go on from a state, or if a table
///   is to be made
void begin_with(SealedValues& sealed, const HeapSetup& setup, const std::filesystem::path& base,
                const std::stop_token& stop);

}  // namespace grundy
