/// @file
/// A computation that a person attends: a progress bar, sentences, and the signals that stop it.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <grundy/hooks.hpp>

#include "cli/console.hpp"
#include "cli/progress_bar.hpp"
#include "cli/stop_signals.hpp"

namespace grundy::cli {

class AttendedRun {
 public:
  /// Must be made before other threads start (cli/stop_signals.hpp).
  /// @param unit what is counted, in the plural
  /// @param control for a run that seals values; null for any other
  /// @param draws false: there is no bar, because values are printed
  explicit AttendedRun(const Console& console, const char* unit = "heaps",
                       CheckpointControl* control = nullptr, bool draws = true);

  /// The hooks for the computation.
  [[nodiscard]] Hooks hooks();
  /// Removes the bar from the terminal, before the results.
  void end() { bar_.clear(); }

 private:
  void tell(const std::string& sentence);
  void seal();
  void tell_status();

  const Console& console_;
  const char* const unit_;
  CheckpointControl* const control_;
  ProgressBar bar_;
  StopSignals signals_;  // last, because its thread calls the functions above
};

/// "heaps below 1 000 are sealed", or "1 000 values are sealed".
std::string sealed_clause(std::uint64_t sealed, std::string_view unit);

}  // namespace grundy::cli
