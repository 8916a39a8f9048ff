/// @file
/// What a run that keeps no values leaves besides its statistics: these at every power of two, the
/// first P-positions, the rare heaps, and the last values.
// SPDX-License-Identifier: MIT
#pragma once

#include <utility>

#include <grundy/sink.hpp>
#include <grundy/statistics.hpp>

#include "theory/stats_collector.hpp"

namespace grundy {

class Milestones {
 public:
  /// Goes on behind the heaps of earlier lives. @param newest their last values
  void resume(HeapStatistics earlier, Values newest);
  /// Hands the next block to the counter, and notes the statistics at every power of two.
  void count(const Stretch& block, StatsCollector& counter);
  /// Takes what the engine that computed the block says of the sparse space.
  void note_rare(const Stretch& block);
  /// The run is sealed here.
  void note_seal(const SealedAt& seal);
  /// The period of the run fails here for the last time.
  void note_exception(const LastException& last) { found_.last_exception = last; }
  [[nodiscard]] const HeapStatistics& found() const noexcept { return found_; }
  [[nodiscard]] HeapStatistics take() { return std::move(found_); }

 private:
  void keep_tail(Values newest);

  HeapStatistics found_;
};

}  // namespace grundy
