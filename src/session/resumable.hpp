/// @file
/// What a run that ends with an error says of what it has sealed.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

#include <fmt/format.h>

#include <grundy/checkpoint.hpp>
#include <grundy/compute.hpp>
#include <grundy/error.hpp>

#include "core/text.hpp"
#include "run/run_directory.hpp"

namespace grundy {

/// Calls `run` with the hooks, and with a control of its own if there is none. If an error ends it
/// after something was sealed, the message says so and how to go on. After a wrong value that is
/// not to resume: the next life would build on what this machine has sealed.
/// @param clause from a count of values to "so many are sealed"
template <class Run, class Clause>
Report run_resumable(const std::filesystem::path& output, const Hooks& hooks, Clause clause,
                     Run run) {
  CheckpointControl own;
  Hooks with_control = hooks;
  if (with_control.control == nullptr) with_control.control = &own;
  const CheckpointControl& used = *with_control.control;
  try {
    return run(with_control);
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
