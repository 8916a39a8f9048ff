/// @file
/// What a run that ends with an error says of what it has sealed.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

#include <fmt/format.h>

#include <grundy/checkpoint.hpp>
#include <grundy/error.hpp>
#include <grundy/session.hpp>

#include "core/text.hpp"
#include "run/run_directory.hpp"

namespace grundy {

/// Calls `run` with `control`, or with one of its own if that is null. If an error ends it after
/// something was sealed, the message says so and how to go on. After a wrong value that is not to
/// resume: the next life would build on what this machine has sealed.
/// @param clause from a count of values to "so many are sealed"
template <class Run, class Clause>
ComputeReport run_resumable(const std::filesystem::path& output, CheckpointControl* control,
                            Clause clause, Run run) {
  CheckpointControl own;
  CheckpointControl& used = control != nullptr ? *control : own;
  try {
    return run(used);
  } catch (const Error& error) {
    // Nobody can resume what is damaged, and the message says what to do.
    if (used.sealed() == 0 || error.code() == ErrorCode::kCorrupt) throw;
    const std::string directory = run_directory_for(output).string();
    const std::string sealed = clause(format_count(used.sealed()));
    if (error.code() == ErrorCode::kMismatch) {
      throw Error(
          error.code(),
          fmt::format("{}; {} and kept, but not proved: `grundy verify {} --range 0:`, best on "
                      "another machine, proves them or names the first wrong one; resume only "
                      "after that",
                      error.what(), sealed, directory));
    }
    throw Error(error.code(), fmt::format("{}; {}, and `grundy resume {}` goes on", error.what(),
                                          sealed, directory));
  }
}

}  // namespace grundy
