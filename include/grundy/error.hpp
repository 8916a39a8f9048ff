/// @file
/// The one exception type that crosses an interface of this library.
///
/// A message is one sentence for a person: what was wrong, where, and what would be right. The code
/// decides the exit status of the command. Outcomes that are expected (no period found, a run that
/// was stopped) are return values and never errors.
// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>
#include <string>

namespace grundy {

/// The kind of a failure. The numbers are the exit codes of the command.
enum class ErrorCode : int {
  kFailure = 1,   ///< the work could not be done: memory, disk, operating system
  kUsage = 2,     ///< what was asked for is malformed or impossible
  kMismatch = 3,  ///< a check of values against the definition failed
  kCorrupt = 4,   ///< a file is damaged, foreign or of another format
};

/// Exit status of a run that was stopped by a signal and left nothing half-written.
inline constexpr int kExitStopped = 75;

/// Thrown by every public function that can fail.
class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}

  [[nodiscard]] ErrorCode code() const noexcept { return code_; }

 private:
  ErrorCode code_;
};

}  // namespace grundy
