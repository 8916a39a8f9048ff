/// @file
/// The states of a run of several heaps that keeps statistics and no values.
///
/// A state has what was counted so far, and everything on which the values to come depend
/// (LatticeStates): for Wythoff's game the sets of the values on all lines. It may be as large as
/// the memory of the engine, so the run has one state, which the next one replaces, and no more
/// than a fiftieth of the time is spent on writing them, unless the interval of checkpoints is 0.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include <grundy/checkpoint.hpp>
#include <grundy/lattice/engine.hpp>

#include "core/stopwatch.hpp"
#include "run/background_seal.hpp"
#include "run/run_at_work.hpp"
#include "session/entry_statistics.hpp"

namespace grundy {

class SealedStates final : public RunAtWork, public LatticeStates {
 public:
  /// @param counted receives what earlier lives have counted; every state says what it has counted
  ///   then. It must outlive this, like game and control.
  /// @throws Error as RunAtWork does
  SealedStates(RunTerms terms, const NumberedGame& game, CheckpointControl& control,
               const std::function<void(const std::string&)>& narrate, EntryStatistics& counted);

  /// Waits until everything is sealed that was kept. @throws Error(kFailure) if that fails
  void wait() { seal_.wait(); }
  /// Removes the directory, because the file is in its place.
  void finish();

  [[nodiscard]] bool has_state() const override { return state_.has_value(); }
  void read(std::span<std::byte> bytes) override { state_->read(bytes); }
  [[nodiscard]] bool is_due() override;
  void keep(std::uint64_t handed, const std::function<void(const Write&)>& put) override;

 private:
  CheckpointControl& control_;
  EntryStatistics& counted_;
  std::optional<StateTextReader> state_;  ///< of an earlier life
  BackgroundSeal seal_;
  Stopwatch unsealed_;  ///< since the last state
  Stopwatch due_;       ///< since a state was due
  double seconds_ = 0;  ///< that the engine has waited for the last state
};

}  // namespace grundy
