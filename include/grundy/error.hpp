/// @file
/// The one exception type that crosses an interface of this library.
///
/// A message is one sentence for a person: what was wrong, where, and what would be right. Outcomes
/// that are expected (no period found, a run that was stopped) are return values and never errors.
// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>
#include <string>

namespace grundy {

/// The kind of a failure.
enum class ErrorCode {
  kFailure,   ///< the work could not be done: memory, disk, operating system
  kUsage,     ///< what was asked for is malformed or impossible
  kMismatch,  ///< a check of values against the definition failed
  kCorrupt,   ///< a file is damaged, foreign or of another format
};

/// Thrown by every public function that can fail.
class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}

  [[nodiscard]] ErrorCode code() const noexcept { return code_; }

 private:
  ErrorCode code_;
};

}  // namespace grundy
