/// @file
/// What a run whose engine lets values go carries from seal to seal, besides a window of values:
/// its statistics at powers of two, and its search for a period by a return of the newest values.
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <grundy/hooks.hpp>
#include <grundy/period.hpp>
#include <grundy/sink.hpp>
#include <grundy/stats.hpp>

#include "run/sealed_heaps.hpp"
#include "run/segment.hpp"
#include "session/milestones.hpp"
#include "session/run_state.hpp"
#include "session/setup.hpp"
#include "session/stages.hpp"
#include "theory/return_search.hpp"
#include "theory/stats_collector.hpp"

namespace grundy {

class WindowedRun {
 public:
  /// The setup and the hooks must outlive this.
  WindowedRun(const HeapSetup& setup, const Hooks& hooks)
      : setup_(setup), hooks_(hooks), take_(setup.game.rule.largest_take().value_or(0)) {}

  [[nodiscard]] Milestones& milestones() noexcept { return milestones_; }
  /// Goes on where an earlier life has sealed a state. @pre the engine takes states
  /// @return the counter of all heaps below the state
  /// @throws Error(kCorrupt) if the state contradicts itself
  StatsCollector take_up(SealedHeaps& heaps);
  /// Looks for returns from now on, unless an earlier life has found one.
  /// @param frontier the number of heaps that earlier lives have sealed
  ReturnSearch& watch(HeapSize frontier);
  /// Whether the run has looked for a return of values. It cannot without a sparse space.
  [[nodiscard]] bool has_looked() const noexcept { return returns_ && returns_->ruled_out(); }
  /// Whether this search would take more memory than a run is given.
  [[nodiscard]] bool has_given_up() const noexcept { return returns_ && returns_->has_given_up(); }
  /// Whether the newest values have returned, which proves a period.
  [[nodiscard]] bool returned() const noexcept { return returns_ && returns_->found(); }
  /// The period that returned() proves. Its preperiod is looked for among the seals, and the last
  /// exception is noted. A candidate if this search was stopped. @pre returned()
  [[nodiscard]] PeriodReport period(const std::vector<Segment>& segments);
  /// Whether the run is over at the end of this stretch, because the newest values have returned.
  [[nodiscard]] bool ends() const noexcept {
    return returned() && setup_.game.at_period != AtPeriod::kCompute;
  }
  /// The newest values that a life needs to go on from the end of the stretch. Empty if there are
  /// too few, as there may be where the stretch was cut off.
  [[nodiscard]] Values newest_needed(const Stretch& stretch) const noexcept;
  /// The text of a state of the heaps up to the end of the stretch. Notes the seal.
  [[nodiscard]] std::string state_text(const Stretch& stretch, const Count& count);
  /// The state in a finished table or a file of statistics, from whose end it can be extended. It
  /// leaves out the search for a period, which begins again there.
  /// @param stands_alone whether it has the values that later heaps need, too
  [[nodiscard]] std::string extension_state(const Stretch& stretch, const Count& count,
                                            bool stands_alone) const;

 private:
  [[nodiscard]] RunState state_at(const Stretch& stretch, const Count& count) const;

  const HeapSetup& setup_;
  const Hooks& hooks_;
  HeapSize take_;  ///< the most tokens that a move removes
  Milestones milestones_;
  RunState state_;                       ///< the state that an earlier life has sealed
  ValueBuffer newest_;                   ///< the newest values of that state
  std::optional<ReturnSearch> returns_;  ///< set if the run looks for a return
};

}  // namespace grundy
