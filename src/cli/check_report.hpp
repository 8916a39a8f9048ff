/// @file
/// How a proof of any list ends.
// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <filesystem>
#include <string>

#include <fmt/format.h>

#include <grundy/error.hpp>

#include "cli/console.hpp"
#include "core/text.hpp"

namespace grundy::cli {

/// Ends a command that has already printed JSON, if JSON was asked for.
/// @param stopped a sentence for a proof that was stopped
/// @param print prints the fields before the time
/// @return the exit code. @throws Error(kMismatch) if something is wrong
template <class Check, class Print>
int conclude_check(Console& console, const std::filesystem::path& file, const Check& check,
                   const std::string& stopped, const Print& print) {
  if (!check.wrong.empty()) {
    console.out().flush();
    throw Error(ErrorCode::kMismatch, fmt::format("'{}': {}", file.string(), check.wrong));
  }
  if (!check.complete) return console.fail(kExitStopped, stopped);
  if (console.json) return 0;
  print();
  console.field("time", format_duration(std::chrono::duration<double>(check.seconds)));
  return 0;
}

}  // namespace grundy::cli
