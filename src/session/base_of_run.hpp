/// @file
/// What a run of one heap begins with that extends a finished file: a table, or the statistics of a
/// run that kept none.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <stop_token>

#include "run/sealed_values.hpp"
#include "session/setup.hpp"

namespace grundy {

/// Seals what the file `base` has of the heaps of the game, as if an earlier life had found it. Of
/// a table: its chunks as they are, and the last values as a state if the table tells one. Of
/// statistics: the values that later heaps need, as a state.
/// @pre sealed.frontier() == 0
/// @throws Error(kCorrupt) if the file is damaged or of another game, Error(kUsage) if statistics
///   tell a period or no state, if the engine cannot go on from one, or if a table is to be made
void begin_with(SealedValues& sealed, const HeapSetup& setup, const std::filesystem::path& base,
                const std::stop_token& stop);

}  // namespace grundy
